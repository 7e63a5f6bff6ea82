/// Finds where a ring crosses, touches or retraces itself.
enum RingCrossing {
    /// The first two edges, in the order of the ring, that have more in common than the point where one follows the other.
    ///
    /// `points` are the ring run through once, its first point again at the end. The edges near each one are found through
    /// boxes: 10,000 take some milliseconds.
    static func first(in points: [MapPoint]) -> (Edge, Edge)? {
        let tree = EdgeTree(zip(points, points.dropFirst()).map { Edge(start: $0, end: $1) })
        // A ring may meet itself a turn further on, if it is that wide. A belt round the earth that a plane map closes along its
        // rim is just as wide as a turn and does so only at the rim, which is no border.
        let winds = points.first?.x != points.last?.x
        let turns = winds || tree.box.size.x > 360 ? [0.0, -360, 360] : [0]
        for (index, edge) in tree.edges.enumerated() {
            var found: Int?
            for turn in turns {
                let shifted = edge.shifted(by: turn)
                tree.forEachEdge(meeting: shifted.box) { other, otherEdge in
                    guard other > index, other < found ?? .max else { return }
                    let follows = other == index + 1 || (index == 0 && other == tree.edges.count - 1)
                    if follows ? shifted.retraces(otherEdge) : shifted.touches(otherEdge) { found = other }
                }
            }
            if let found { return (edge, tree.edges[found]) }
        }
        return nil
    }
}

extension Edge {
    /// Whether the two have any point in common.
    fileprivate func touches(_ other: Edge) -> Bool {
        guard box.meets(other.box) else { return false }
        let (a, b) = (side(of: other.start), side(of: other.end))
        let (c, d) = (other.side(of: start), other.side(of: end))
        return (a == 0 || b == 0 || (a < 0) != (b < 0)) && (c == 0 || d == 0 || (c < 0) != (d < 0))
    }

    /// For two edges with a common end: whether they have more than that in common.
    fileprivate func retraces(_ other: Edge) -> Bool {
        guard side(of: other.start) == 0, side(of: other.end) == 0 else { return false }
        let (own, others) = (box, other.box)
        let overlap = pointwiseMin(own.high, others.high) - pointwiseMax(own.low, others.low)
        return overlap.x > 0 || overlap.y > 0
    }

    private func side(of point: MapPoint) -> Double { cross(direction, point - start) }
}
