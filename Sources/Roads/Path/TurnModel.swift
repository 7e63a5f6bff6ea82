import Geo
import func Foundation.exp

/// How likely drivers take each turn at a junction, without knowing where they are bound: by the look of the roads, and by
/// what this fleet did there before.
public struct TurnModel: Sendable {
    /// Per right angle of turning.
    public var angleWeight = -1.6
    /// Per class that the next road is more important.
    public var classWeight = 0.55
    public var ontoLinkWeight = -1.0
    public var serviceWeight = -0.5
    public var sameRoadWeight = 0.2
    /// So many turns of the fleet count as much as the look of the roads.
    public var priorTurns = 3.0
    public var counts: TurnCounts

    public init(counts: TurnCounts = TurnCounts()) { self.counts = counts }

    /// A turn at a junction, and how likely it is.
    public typealias Turn = (next: EdgeID, probability: Double)

    /// The legal turns with their probabilities, which add up to 1; empty at a dead end.
    public func turns(_ network: RoadNetwork, after edge: EdgeID) -> [Turn] {
        var turns: [Turn] = []
        find(&turns, network, after: edge)
        return turns
    }

    /// The same behind what a list holds: a search asks at every step.
    func find(_ turns: inout [Turn], _ network: RoadNetwork, after edge: EdgeID) {
        let first = turns.count
        var total = 0.0
        let successors = network.successors(edge)
        if successors.count == 1 { return turns.append((successors[successors.startIndex], 1)) }
        let arriving = Arriving(edge, network)
        for next in successors {
            let weight = exp(score(network, arriving, next))
            total += weight
            turns.append((next, weight))
        }
        for index in first..<turns.count { turns[index].probability /= total }
        let taken = counts.taken(network, after: edge)
        if !taken.isEmpty { weigh(&turns, first..<turns.count, by: taken, network) }
    }

    private func weigh(
        _ turns: inout [Turn], _ range: Range<Int>, by taken: TurnCounts.TurnsFromEdge, _ network: RoadNetwork
    ) {
        func count(_ turn: Turn) -> Double { Double(taken.count(of: network.original(turn.next))) }
        let total = range.reduce(0) { $0 + count(turns[$1]) } + priorTurns
        for index in range {
            turns[index].probability = (count(turns[index]) + priorTurns * turns[index].probability) / total
        }
    }

    /// What of an edge counts for every turn from it.
    private struct Arriving {
        let edge: EdgeID
        let bearing: Degrees
        let roadClass: Double
        let isLink: Bool

        init(_ edge: EdgeID, _ network: RoadNetwork) {
            self.edge = edge
            bearing = network.endBearing(edge)
            roadClass = Double(network.roadClass(edge).rawValue)
            isLink = network.isLink(edge)
        }
    }

    private func score(_ network: RoadNetwork, _ arriving: Arriving, _ next: EdgeID) -> Double {
        let turned = angle(between: arriving.bearing, and: network.startBearing(next))
        let rise = Double(network.roadClass(next).rawValue) - arriving.roadClass
        var score = angleWeight * turned / 90 + classWeight * rise
        if network.isLink(next) && !arriving.isLink { score += ontoLinkWeight }
        if network.isService(next) || network.isDestinationOnly(next) { score += serviceWeight }
        if network.isSameRoad(arriving.edge, next) { score += sameRoadWeight }
        return score
    }
}
