private import func Foundation.cos
private import func Foundation.sin

extension BoxIndex {
    /// Calls `visit` for every entry whose box may be within `distance` of a place, nearest box first.
    ///
    /// `boxDistance` is a lower bound, in metres, of the distance from `place` to any point of the box, mostly within one per
    /// cent of the least: once it is over the largest exact distance that still counts, the search is over. Of equal
    /// ones the lower item comes first.
    ///
    /// - Parameter visit: returns how far away others still count: what is farther is not even put in order. Below 0 it ends the
    ///   search; a larger distance than before changes nothing.
    public func nearest(
        to place: Coordinate, within distance: Metres, narrowing visit: (_ item: Int, _ boxDistance: Metres) -> Metres
    ) {
        guard !items.isEmpty else { return }
        nodes.withUnsafeBufferPointer { nearest($0, to: place, within: distance, visit) }
    }

    private func nearest(
        _ nodes: UnsafeBufferPointer<Node>, to place: Coordinate, within distance: Metres,
        _ visit: (_ item: Int, _ boxDistance: Metres) -> Metres
    ) {
        let bound = LowerBound(from: place)
        // Most boxes are far away, which this says sooner than their distances.
        let reach = Bounds(place, place).widened(by: distance)
        var frontier = Frontier()
        var limitSquared = distance * distance
        func look(at range: Range<Int>, level: Int) {
            for node in range where reach.meets(nodes[node].box) {
                let distanceSquared = bound.squared(to: nodes[node])
                guard distanceSquared <= limitSquared else { continue }
                frontier.push(
                    Frontier.Element(
                        squared: distanceSquared, level: level, node: node, item: level == 0 ? items[node] : 0))
            }
        }
        look(at: levels[levels.count - 1], level: levels.count - 1)
        while let next = frontier.pop() {
            if next.level > 0 {
                look(at: children(level: next.level, of: next.node), level: next.level - 1)
            } else {
                let limit = visit(next.item, next.squared.squareRoot())
                if limit < 0 { return }
                limitSquared = min(limitSquared, limit * limit)
            }
        }
    }
}

/// What a box is away from a place at least.
///
/// On an ellipsoid a step is no shorter than on a sphere of the least radius of curvature in the meridian on which degrees of
/// longitude are stretched to the least in the prime vertical; there no way is shorter than the chord between its ends.
private struct LowerBound {
    private let place: Coordinate
    private let cosine: Double

    private static let diameter = 2 * LocalPlane.metresPerDegreeNorthMin * 180 / .pi
    private static let stretch = LocalPlane.metresPerDegreeEastMax / LocalPlane.metresPerDegreeNorthMin

    init(from place: Coordinate) {
        self.place = place
        cosine = max(0, cos(place.latitude * .pi / 180))
    }

    /// Most angles are small: up to 600 km the first terms of the series are exact to 10⁻¹⁴, and no more than the sine.
    private static func sine(_ angle: Double) -> Double {
        guard angle < 0.05 else { return sin(angle) }
        let squared = angle * angle
        return angle * (1 - squared / 6 * (1 - squared / 20 * (1 - squared / 42)))
    }

    func squared(to node: BoxIndex.Node) -> Double {
        let box = node.box
        let north = Self.sine(max(box.south - place.latitude, place.latitude - box.north, 0) * .pi / 360)
        let (west, east) = (box.west - place.longitude, place.longitude - box.east)
        // Beside the box, the other way round may be the shorter one.
        let degrees = west > 0 ? min(west, east + 360) : east > 0 ? min(east, west + 360) : 0
        let across = Self.sine(min(180, degrees * Self.stretch) * .pi / 360)
        return Self.diameter * Self.diameter * (north * north + cosine * node.leastCosine * across * across)
    }
}

/// Boxes that wait for their turn, the nearest first: a binary heap.
private struct Frontier {
    struct Element {
        var squared: Double
        var level: Int
        var node: Int
        var item: Int

        /// A box that holds others goes before an entry as far away, as the others may be lower items.
        static func < (a: Element, b: Element) -> Bool {
            a.squared != b.squared
                ? a.squared < b.squared : a.level != b.level ? a.level > b.level : (a.item, a.node) < (b.item, b.node)
        }
    }

    private var heap: [Element] = []

    init() { heap.reserveCapacity(4 * BoxIndex.nodeSize) }

    mutating func push(_ element: Element) {
        var child = heap.count
        heap.append(element)
        while child > 0, element < heap[(child - 1) / 2] {
            heap[child] = heap[(child - 1) / 2]
            child = (child - 1) / 2
        }
        heap[child] = element
    }

    mutating func pop() -> Element? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        guard !heap.isEmpty else { return first }
        var parent = 0
        while true {
            var child = 2 * parent + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
            guard heap[child] < last else { break }
            heap[parent] = heap[child]
            parent = child
        }
        heap[parent] = last
        return first
    }
}
