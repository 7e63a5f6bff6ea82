import Geo
import Messages
import Roads

/// The one way on which a vehicle is expected: the known one, else at each junction the likeliest turn.
struct ExpectedPath {
    /// A path that never ends is followed over at most so many edges.
    private static let edgesMax = 1_000

    struct Step {
        var edge: EdgeID
        /// From the vehicle to the edge's start; 0 on the edge that it is on.
        var distance: Metres
        /// What of the edge is ahead.
        var length: Metres
        /// Nil where there was no choice.
        var turn: Double?
        /// The product of all turns.
        var probability: Double
    }

    private(set) var steps: [Step] = []

    /// - Parameter way: the known one, from the edge of the position on; nil: the most probable one.
    init(
        _ network: RoadNetwork, _ model: TurnModel, from position: RoadPosition, along way: ArraySlice<EdgeID>?,
        within reach: Metres
    ) {
        let rest = max(0, network.length(position.edge) - position.offset)
        var last = Step(edge: way?.first ?? position.edge, distance: 0, length: rest, turn: nil, probability: 1)
        var ahead = way?.dropFirst() ?? []
        steps = [last]
        while last.distance + last.length < reach, steps.count < Self.edgesMax {
            let turns = way == nil ? model.turns(network, after: last.edge) : ahead.popFirst().map { [($0, 1)] } ?? []
            guard let best = turns.max(by: { $0.probability < $1.probability }) else { return }
            last = Step(
                edge: best.next, distance: last.distance + last.length, length: network.length(best.next),
                turn: turns.count > 1 ? best.probability : nil, probability: last.probability * best.probability)
            steps.append(last)
        }
    }

    /// Its points from the vehicle on.
    func line(_ network: RoadNetwork) -> [Coordinate] {
        guard let first = steps.first, let last = steps.last else { return [] }
        let start = network.length(first.edge) - first.length
        return PlannedWay(.init(edges: steps.map(\.edge), start: start, end: network.length(last.edge))).line(network)
    }

    /// Roads by title, one behind the other.
    func stretches(_ network: RoadNetwork) -> [Explanation.Path.Stretch] {
        steps.reduce(into: []) { stretches, step in
            let road = network.title(step.edge)
            if let last = stretches.indices.last, stretches[last].road == road {
                stretches[last].length += step.length
                stretches[last].probability = step.probability
            } else {
                stretches.append(
                    Explanation.Path.Stretch(
                        road: road, way: network.wayID(step.edge), distance: step.distance, length: step.length,
                        turnProbability: step.turn, probability: step.probability))
            }
        }
    }
}
