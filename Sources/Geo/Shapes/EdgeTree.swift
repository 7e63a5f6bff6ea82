/// Edges in the order of their lines, and boxes round every eight of them, every eight of those and so on.
///
/// Lines are coherent, so that no sorting is needed to make good boxes: a query of 10,000 edges looks at some dozens.
struct EdgeTree: Sendable {
    let edges: [Edge]
    let box: MapBox
    /// Boxes of eight edges each, then of eight boxes each; the last level has at most eight. Empty for few edges.
    private let levels: [[MapBox]]

    static let fanOut = 8
    /// Up to here looking at every edge is as fast as looking at boxes first.
    static let edgesWithoutBoxesMax = 32

    init(_ edges: [Edge]) {
        self.edges = edges
        var whole = MapBox()
        for edge in edges { whole.include(edge.box) }
        box = whole
        var levels: [[MapBox]] = []
        if edges.count > Self.edgesWithoutBoxesMax {
            levels.append(Self.parents(of: edges.map(\.box)))
            while let top = levels.last, top.count > Self.fanOut { levels.append(Self.parents(of: top)) }
        }
        self.levels = levels
    }

    private static func parents(of boxes: [MapBox]) -> [MapBox] {
        stride(from: 0, to: boxes.count, by: fanOut).map { first in
            var parent = MapBox()
            for box in boxes[first..<min(first + fanOut, boxes.count)] { parent.include(box) }
            return parent
        }
    }

    /// The entries under one box of a level; above the highest level all of its boxes, below the lowest edges.
    private func children(level: Int, of node: Int) -> Range<Int> {
        let count = level == 0 ? edges.count : levels[level - 1].count
        guard level < levels.count else { return 0..<count }
        return node * Self.fanOut..<min((node + 1) * Self.fanOut, count)
    }

    // MARK: - Edges in a box

    /// Calls `body` for every edge whose box meets `box`, in their order.
    func forEachEdge<Failure: Error>(
        meeting box: MapBox, _ body: (Int, Edge) throws(Failure) -> Void
    ) throws(Failure) {
        if self.box.meets(box) { try visit(level: levels.count, node: 0, meeting: box, body) }
    }

    private func visit<Failure: Error>(
        level: Int, node: Int, meeting box: MapBox, _ body: (Int, Edge) throws(Failure) -> Void
    ) throws(Failure) {
        for child in children(level: level, of: node) {
            if level == 0 {
                if edges[child].box.meets(box) { try body(child, edges[child]) }
            } else if levels[level - 1][child].meets(box) {
                try visit(level: level - 1, node: child, meeting: box, body)
            }
        }
    }
}

// MARK: - Which side

extension EdgeTree {
    /// How often the way from a point to the north pole crosses the edges.
    enum Parity {
        case even, odd
        /// The point lies on an edge.
        case onEdge
    }

    /// The edges are one line, each beginning where the one before ends.
    func parityNorth(of point: MapPoint) -> Parity {
        guard point.x >= box.low.x, point.x <= box.high.x, point.y <= box.high.y else { return .even }
        return parity(north: point, level: levels.count, node: 0)
    }

    private func parity(north point: MapPoint, level: Int, node: Int) -> Parity {
        let children = children(level: level, of: node)
        if level == 0 { return parity(north: point, edges: children) }
        var isOdd = false
        for child in children {
            let box = levels[level - 1][child]
            guard point.x >= box.low.x, point.x <= box.high.x, point.y <= box.high.y else { continue }
            let parity =
                point.y < box.low.y
                ? parityOfLine(at: point.x, below: level, node: child)
                : parity(north: point, level: level - 1, node: child)
            if parity == .onEdge { return .onEdge }
            if parity == .odd { isOdd.toggle() }
        }
        return isOdd ? .odd : .even
    }

    /// A line that is north of a point as a whole crosses its meridian an odd number of times where its ends are on
    /// different sides of it.
    private func parityOfLine(at x: Double, below level: Int, node: Int) -> Parity {
        var (first, last) = (node, node + 1)
        for _ in 0..<level { (first, last) = (first * Self.fanOut, last * Self.fanOut) }
        return (edges[first].start.x <= x) == (edges[min(last, edges.count) - 1].end.x <= x) ? .even : .odd
    }

    private func parity(north point: MapPoint, edges range: Range<Int>) -> Parity {
        var isOdd = false
        for index in range {
            let edge = edges[index]
            let startsWest = edge.start.x <= point.x
            if startsWest != (edge.end.x <= point.x) {
                let side = cross(edge.direction, point - edge.start)
                if side == 0 { return .onEdge }
                if (side < 0) == startsWest { isOdd.toggle() }
            } else if edge.start.x == point.x, edge.touches(onItsMeridian: point) {
                return .onEdge
            }
        }
        return isOdd ? .odd : .even
    }
}

extension Edge {
    /// For an edge that begins on the meridian of `point`: whether it begins there, or runs along the meridian past it.
    fileprivate func touches(onItsMeridian point: MapPoint) -> Bool {
        start.y == point.y || (end.x == point.x && (start.y < point.y) != (end.y < point.y))
    }
}

// MARK: - Nearest edge

extension EdgeTree {
    /// The nearest edge so far, and where on it.
    struct Nearest {
        var squared = Double.infinity
        var edge = 0
        var fraction = 0.0
    }

    func point(of nearest: Nearest) -> MapPoint { edges[nearest.edge].point(at: nearest.fraction) }

    /// Puts the edge that is nearest to `point` into `nearest`, where it is nearer than what is there.
    func findNearest(to point: MapPoint, scale: SIMD2<Double>, _ nearest: inout Nearest) {
        findNearest(level: levels.count, node: 0, to: point, scale: scale, &nearest)
    }

    private func findNearest(
        level: Int, node: Int, to point: MapPoint, scale: SIMD2<Double>, _ nearest: inout Nearest
    ) {
        let children = children(level: level, of: node)
        guard level > 0 else {
            return findNearest(of: children, to: point, scale: scale, &nearest)
        }
        // The nearest box first: what it holds spares most of the others.
        var first = children.lowerBound
        var least = Double.infinity
        for child in children {
            let squared = levels[level - 1][child].squaredDistance(to: point, scale: scale)
            if squared < least { (first, least) = (child, squared) }
        }
        guard least < nearest.squared else { return }
        findNearest(level: level - 1, node: first, to: point, scale: scale, &nearest)
        for child in children
        where child != first
            && levels[level - 1][child].squaredDistance(to: point, scale: scale) < nearest.squared
        {
            findNearest(level: level - 1, node: child, to: point, scale: scale, &nearest)
        }
    }

    private func findNearest(
        of range: Range<Int>, to point: MapPoint, scale: SIMD2<Double>, _ nearest: inout Nearest
    ) {
        var best = nearest
        for index in range {
            let edge = edges[index]
            let offset = (edge.start - point) * scale
            let along = edge.direction * scale
            let squaredLength = along.dotSelf
            let projection = -(offset.x * along.x + offset.y * along.y)
            // Brought between the ends before the division: an edge at a pole has no length.
            let fraction = projection <= 0 ? 0 : projection >= squaredLength ? 1 : projection / squaredLength
            let squared = (offset + along * fraction).dotSelf
            if squared < best.squared { best = Nearest(squared: squared, edge: index, fraction: fraction) }
        }
        nearest = best
    }
}
