private import func Foundation.cos

/// Boxes on the map, packed into a tree once, to find those near a place: a static R-tree in Hilbert order (Kamel and
/// Faloutsos, On packing R-trees, 1993).
///
/// 100,000 boxes are packed in some tens of milliseconds. The same entries in the same order give the same answers in the
/// same order.
public struct BoxIndex: Sendable {
    /// The entries' boxes in Hilbert order, then boxes round every sixteen of them, and so on: a level behind the other, the
    /// last of at most sixteen.
    let nodes: [Node]
    /// Where in `nodes` each level lies.
    let levels: [Range<Int>]
    /// The items of the entries, in Hilbert order.
    let items: [Int]

    static let nodeSize = 16

    struct Node: Sendable {
        /// Never across the antimeridian.
        var box: Bounds
        /// The least cosine of a latitude in the box: what a degree of longitude is worth at least.
        var leastCosine: Double
    }

    /// An item may have several boxes. One that crosses the antimeridian counts as two. All are in `-90 ... 90` and
    /// `-180 ... 180`.
    public init(_ entries: [(box: Bounds, item: Int)]) {
        let cut = entries.flatMap { entry in entry.box.cut.map { (box: $0, item: entry.item) } }
        let order = Self.hilbertOrder(cut.map(\.box))
        items = order.map { cut[$0].item }
        var nodes = order.map { Node(cut[$0].box) }
        var levels = [nodes.indices]
        while let top = levels.last, top.count > Self.nodeSize {
            nodes += Self.parents(of: nodes[top])
            levels.append(top.upperBound..<nodes.count)
        }
        self.nodes = nodes
        self.levels = levels
    }

    private static func parents(of nodes: ArraySlice<Node>) -> [Node] {
        stride(from: nodes.startIndex, to: nodes.endIndex, by: nodeSize).map { first in
            var box = nodes[first].box
            for node in nodes[first..<min(first + nodeSize, nodes.endIndex)] { box.include(node.box) }
            return Node(box)
        }
    }

    /// Calls `body` for every entry whose box meets `box`, which may cross the antimeridian. Borders belong to both.
    ///
    /// An item with several boxes may be told several times. Nothing is allocated.
    public func search(_ box: Bounds, _ body: (_ item: Int) -> Void) {
        nodes.withUnsafeBufferPointer { nodes in
            search(box, nodes, level: levels.count - 1, levels[levels.count - 1], body)
        }
    }

    private func search(
        _ box: Bounds, _ nodes: UnsafeBufferPointer<Node>, level: Int, _ range: Range<Int>, _ body: (Int) -> Void
    ) {
        // No node's box crosses the antimeridian.
        let crosses = box.crossesAntimeridian
        for node in range where crosses ? box.meets(nodes[node].box) : box.meetsOnMap(nodes[node].box) {
            if level == 0 {
                body(items[node])
            } else {
                search(box, nodes, level: level - 1, children(level: level, of: node), body)
            }
        }
    }

    /// The nodes of the level below that are under one.
    func children(level: Int, of node: Int) -> Range<Int> {
        let below = levels[level - 1]
        let first = below.lowerBound + (node - levels[level].lowerBound) * Self.nodeSize
        return first..<min(first + Self.nodeSize, below.upperBound)
    }
}

extension BoxIndex.Node {
    fileprivate init(_ box: Bounds) {
        self.box = box
        leastCosine = max(0, cos(max(box.south.magnitude, box.north.magnitude) * .pi / 180))
    }
}

extension Bounds {
    /// Whether two rectangles meet of which none crosses the antimeridian.
    fileprivate func meetsOnMap(_ other: Bounds) -> Bool {
        south <= other.north && other.south <= north && west <= other.east && other.west <= east
    }

    fileprivate mutating func include(_ other: Bounds) {
        self = Bounds(
            south: min(south, other.south), west: min(west, other.west), north: max(north, other.north),
            east: max(east, other.east))
    }
}

// MARK: - Hilbert order

extension BoxIndex {
    /// The positions of `boxes`, those of neighbouring middles next to each other; of equal middles in their order.
    private static func hilbertOrder(_ boxes: [Bounds]) -> [Int] {
        let keys = boxes.enumerated().map { index, box in
            let x = UInt32((box.west + box.east + 360) / 720 * Degrees(UInt32.max))
            let y = UInt32((box.south + box.north + 180) / 360 * Degrees(UInt32.max))
            // Cells of a 65,536th of the world's width and height are small enough.
            return HilbertCurve.distance(x: x, y: y) & ~0xFFFF_FFFF | UInt64(index)
        }
        return keys.sorted().map { Int($0 & 0xFFFF_FFFF) }
    }
}
