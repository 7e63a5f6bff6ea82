public import Geo

/// The road between two fixes.
public struct DrivenWay: Sendable {
    private let network: RoadNetwork
    private let matcher: MapMatcher

    public init(_ network: RoadNetwork) {
        self.network = network
        matcher = MapMatcher(network)
    }

    /// The line of the likeliest way from one fix to the next, from the road point of the first to that of the second.
    ///
    /// - Returns: nil where no road is near one of them, or none leads from there to here without a great detour.
    public func line(from start: MatchObservation, to end: MatchObservation) -> [Coordinate]? {
        let moved = start.position.distance(to: end.position)
        let starts = matcher.start(start)
        let lengthMax = Self.detourMax * moved + Self.slack
        let steps = matcher.steps(from: starts, end, moved: moved, lengthMax: lengthMax, mayTurnRound: false)
        guard let best = steps.first, let previous = best.previous,
            let line = line(from: starts[previous].position, along: best.candidate.route, to: best.candidate.position)
        else { return nil }
        let length = zip(line, line.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
        return length <= lengthMax ? line : nil
    }

    /// A truck drives no farther than so between two fixes, against the straight line.
    private static let detourMax = 1.6
    private static let slack: Metres = 100

    private func line(from start: RoadPosition, along edges: [EdgeID], to end: RoadPosition) -> [Coordinate]? {
        // Standing, or pushed backwards by noise.
        guard let last = edges.last, edges.count > 1 || end.offset > start.offset else { return nil }
        var points: [Coordinate] = [network.coordinate(start.edge, offset: start.offset)]
        for (index, edge) in edges.enumerated() {
            let from = index == 0 ? start.offset : 0
            let to = index == edges.count - 1 ? end.offset : .infinity
            points += inner(edge, between: from, and: to)
        }
        return points + [network.coordinate(last, offset: end.offset)]
    }

    /// The points of an edge between two places on it.
    private func inner(_ edge: EdgeID, between start: Metres, and end: Metres) -> [Coordinate] {
        let line = network.line(edge)
        var offset: Metres = 0
        return line.indices.compactMap { index in
            if index > 0 { offset += line[index - 1].distance(to: line[index]) }
            return offset > start && offset < end ? line[index] : nil
        }
    }
}
