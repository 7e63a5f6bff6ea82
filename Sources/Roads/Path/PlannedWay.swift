public import Geo

/// A way to drive: edges in driving order, and where on them it begins and ends.
public struct PlannedWay: Hashable, Sendable {
    /// A part of it that is driven without turning round.
    public struct Leg: Hashable, Sendable {
        /// Each a legal successor of the one before; edges within turn restrictions are shadows. Never empty.
        public var edges: [EdgeID]
        /// From the start of the first edge.
        public var start: Metres
        /// From the start of the last edge.
        public var end: Metres

        public init(edges: [EdgeID], start: Metres, end: Metres) {
            self.edges = edges
            self.start = start
            self.end = end
        }

        var lastEdge: EdgeID { edges[edges.count - 1] }
    }

    /// In driving order; from one to the next the vehicle turns round.
    public private(set) var legs: [Leg]

    public init(_ leg: Leg) { legs = [leg] }

    /// - Parameter legs: at least one.
    init(legs: [Leg]) { self.legs = legs }

    /// All edges in driving order; where the vehicle turns round, an edge is followed by its reverse.
    public var edges: [EdgeID] { legs.flatMap(\.edges) }

    public var start: RoadPosition { RoadPosition(edge: legs[0].edges[0], offset: legs[0].start) }

    public var end: RoadPosition {
        let leg = legs[legs.count - 1]
        return RoadPosition(edge: leg.lastEdge, offset: leg.end)
    }

    /// Goes on along another way: one that begins where this one ends, or in the other direction there.
    public mutating func append(_ other: PlannedWay) {
        let last = legs.count - 1
        guard let next = other.legs.first, next.edges[0] == end.edge else {
            legs += other.legs
            return
        }
        legs[last].edges += next.edges.dropFirst()
        legs[last].end = next.end
        legs += other.legs.dropFirst()
    }

    public func length(_ network: RoadNetwork) -> Metres {
        stretches(network).reduce(0) { $0 + $1.to - $1.from }
    }

    /// What driving it usually takes.
    public func duration(_ network: RoadNetwork) -> Seconds {
        stretches(network).reduce(0) { $0 + ($1.to - $1.from) / network.usualSpeed($1.edge) }
    }

    /// Its points in driving order, each once.
    public func line(_ network: RoadNetwork) -> [Coordinate] {
        var line: [Coordinate] = []
        for stretch in stretches(network) {
            for point in network.line(stretch.edge, from: stretch.from, to: stretch.to) where point != line.last {
                line.append(point)
            }
        }
        return line
    }

    /// What of each edge is driven.
    private func stretches(_ network: RoadNetwork) -> [(edge: EdgeID, from: Metres, to: Metres)] {
        legs.flatMap { leg in
            leg.edges.enumerated().map { position, edge in
                let isLast = position == leg.edges.count - 1
                let from = position == 0 ? leg.start : 0
                return (edge, from, max(from, isLast ? leg.end : network.length(edge)))
            }
        }
    }
}

extension RoadNetwork {
    /// The edge's points between two offsets, both ends included.
    fileprivate func line(_ edge: EdgeID, from: Metres, to: Metres) -> [Coordinate] {
        var before: Metres = 0
        let points = line(edge)
        var inner: [Coordinate] = []
        for (a, b) in zip(points, points.dropFirst()) {
            before += a.distance(to: b)
            if before > from && before < to { inner.append(b) }
        }
        let first = from > 0 ? coordinate(edge, offset: from) : points[0]
        let last = to < length(edge) ? coordinate(edge, offset: to) : points[points.count - 1]
        return [first] + inner + [last]
    }
}
