import Geo

/// The fences in force, by place. To look anything up costs the logarithm of how many they are; a change costs little but
/// now and then.
struct FencePlaces {
    /// So many changes are looked through one by one before the index is made anew.
    private static let recentMax = 256

    /// What the index's items stand for, then those that came since; nil where one is in force no longer.
    private var fences: [KnownFence?] = []
    /// Positions in `fences`, by serial.
    private var positions: [Int: Int] = [:]
    /// Of the first of `fences`: most follow without gaps, so that their serials tell where they are.
    private var firstSerial = 0
    private var index = BoxIndex([])
    /// How many of `fences` are in the index.
    private var indexed = 0

    // MARK: Changes

    mutating func add(_ fence: KnownFence) {
        if fences.isEmpty { firstSerial = fence.serial }
        positions[fence.serial] = fences.count
        fences.append(fence)
    }

    mutating func remove(_ fence: KnownFence) {
        if let position = positions.removeValue(forKey: fence.serial) { fences[position] = nil }
    }

    /// The same fence under another name.
    mutating func replace(_ fence: KnownFence, with renamed: KnownFence) {
        if let position = positions[fence.serial] { fences[position] = renamed }
    }

    /// Sees to it that `nearest` hands over all fences in order.
    mutating func orderAll() { if fences.count > indexed { rebuild() } }

    private mutating func refresh() {
        if fences.count - indexed > Self.recentMax || indexed > 2 * positions.count + Self.recentMax { rebuild() }
    }

    private mutating func rebuild() {
        let known = fences.compactMap(\.self).sorted { $0.serial < $1.serial }
        fences = known
        firstSerial = known.first?.serial ?? 0
        indexed = known.count
        for (position, fence) in known.enumerated() { positions[fence.serial] = position }
        index = BoxIndex(
            known.enumerated().flatMap { item, fence in fence.shape.bounds.map { (box: $0, item: item) } })
    }

    // MARK: Questions

    /// The fence of that serial.
    subscript(serial serial: Int) -> KnownFence? { position(serial).flatMap { fences[$0] } }

    /// Whether a fence of that serial is in force.
    func contains(serial: Int) -> Bool { position(serial) != nil }

    /// In `fences`.
    private func position(_ serial: Int) -> Int? {
        let likely = serial - firstSerial
        return fences.indices.contains(likely) && fences[likely]?.serial == serial ? likely : positions[serial]
    }

    /// Hands over those whose box meets another, in any order. One may come twice.
    mutating func near(_ box: Bounds, _ visit: (KnownFence) -> Void) {
        refresh()
        index.search(box) { item in if let fence = fences[item] { visit(fence) } }
        for case let fence? in fences[indexed...] where fence.shape.bounds.contains(where: { $0.meets(box) }) {
            visit(fence)
        }
    }

    /// Hands over fences until told to stop: a few that are new, then the others in the order of how near their boxes are.
    /// One may come twice.
    ///
    /// - Parameter visit: is given a bound that the border is no nearer than, and returns how far away others still count,
    ///   below 0 to end the search.
    mutating func nearest(
        to position: Coordinate, within reach: Metres, _ visit: (_ fence: KnownFence, _ bound: Metres) -> Metres
    ) {
        refresh()
        var reach = reach
        for case let fence? in fences[indexed...] {
            reach = min(reach, visit(fence, 0))
            if reach < 0 { return }
        }
        index.nearest(to: position, within: reach) { item, bound in
            fences[item].map { visit($0, bound) } ?? reach
        }
    }
}
