import Clearances
import Geo

/// The edges at a node where a point clearance stands: which of them it limits, on import and on a finished network.
struct NodeEdges {
    private struct Edge {
        var id: UInt32
        /// The same road the other way; `EdgeRecord.none` on a one-way.
        var reverse: UInt32
        /// Whether it is of the way on which the clearance stands.
        var isOfWay: Bool
        var isOnLevel: Bool
        /// At the node.
        var course: Degrees
    }

    private let arriving: [Edge]
    private let leaving: [Edge]

    /// - Parameters:
    ///   - way: on which the clearance stands.
    ///   - arriving: the originals that end at the node, of whatever way.
    ///   - leaving: the originals of `way` that begin there.
    ///   - record: an edge's.
    ///   - layer: a way's.
    init(
        of way: UInt32, arriving: [UInt32], leaving: [UInt32], record: (UInt32) -> EdgeRecord, layer: (UInt32) -> Int
    ) {
        let level = layer(way)
        func edge(_ id: UInt32, course: (EdgeRecord) -> Float) -> Edge {
            let row = record(id)
            return Edge(
                id: id, reverse: row.reverse, isOfWay: row.way == way, isOnLevel: layer(row.way) == level,
                course: Degrees(course(row)))
        }
        self.arriving = arriving.map { edge($0, course: \.endBearing) }
        self.leaving = leaving.map { edge($0, course: \.startBearing) }
    }

    /// As with a node of the map, what arrives there, on the road's level and on a course that is limited. Who comes
    /// from another level, as onto a bridge or into a tunnel that begins there, does not arrive so: then, and where
    /// nobody arrives, as at the start of a one-way, the edge that begins there is limited.
    func limited(by clearance: PointClearance) -> [UInt32] {
        let limited = arriving.filter { $0.isOnLevel && clearance.limits(course: $0.course) }
        func isLimited(_ edge: Edge) -> Bool { limited.contains { $0.id == edge.id } }
        let beginning = leaving.filter { edge in
            let before = arriving.filter { $0.id != edge.reverse }
            let isTold = before.contains { $0.isOfWay && isLimited($0) }
            return !isTold && (before.isEmpty || !before.allSatisfy(isLimited)) && clearance.limits(course: edge.course)
        }
        let edges = limited + beginning
        return (edges.isEmpty ? nearest(to: clearance.approach) : edges).map(\.id)
    }

    /// A road may bend so near to the node that its course there is another than at the clearance itself.
    private func nearest(to approach: [Degrees]) -> [Edge] {
        func turn(_ edge: Edge) -> Degrees { approach.map { angle(between: $0, and: edge.course) }.min() ?? 0 }
        let ofWay = (arriving + leaving).filter(\.isOfWay)
        return ofWay.min { turn($0) < turn($1) }.map { [$0] } ?? []
    }
}
