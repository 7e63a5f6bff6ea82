import Geo

/// All fences in force: those of files, and those of topics, which go before.
final class FenceCatalogue {
    /// More would take minutes to register and gigabytes to keep.
    static let countMax = 250_000
    /// So many changes are looked through one by one before the index is made anew.
    private static let recentMax = 256

    /// By id.
    private(set) var known: [String: KnownFence] = [:]
    /// Counts up with every change.
    private(set) var revision = 0
    private var files: [String: Fence] = [:]
    private var topics: [String: Fence] = [:]
    /// By serial; some may be in force no longer.
    private var history: [KnownFence] = []
    private var isHistorySorted = true
    private var serials: FenceSerials
    var timetable = FenceTimetable()
    private var index = BoxIndex([])
    /// What the index's items stand for; some may be in force no longer.
    private var indexed: [KnownFence] = []
    /// Not in the index yet; some may be in force no longer.
    private var recent: [KnownFence] = []

    init(files: [Fence]) {
        serials = FenceSerials([])
        replace(files: files)
    }

    /// One that goes on where another left off: with its files, and the serials that were kept before a restart.
    init(_ other: FenceCatalogue, kept: [KeptFence]) {
        serials = FenceSerials(kept)
        replace(files: Array(other.files.values))
    }

    var isEmpty: Bool { known.isEmpty }
    /// The serial of the youngest fence.
    var newest: Int { serials.newest }

    /// What is to be kept of which serial stands for which fence, since it was last asked for.
    func takeUnsaved() -> [KeptFence] { serials.takeUnsaved() }

    // MARK: Changes

    /// - Returns: nil where it says what is in force already, or takes back what is not.
    func apply(_ change: FenceChange) -> Registration? {
        guard topics[change.id] != change.fence else { return nil }
        if change.fence != nil, known.count >= Self.countMax, known[change.id] == nil {
            return Registration(.fence, id: change.id, .failed(reason: "\(Self.countMax) fences are in force already"))
        }
        topics[change.id] = change.fence
        put(change.fence ?? files[change.id], id: change.id)
        return change.fence.map { Registration(.fence, id: $0.id, .monitoring(note: nil), unknown: change.unknown) }
    }

    /// Other files; what dispatch keeps stays in force.
    func replace(files fences: [Fence]) {
        let before = files
        files = Dictionary(fences.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        for id in Set(before.keys).union(files.keys).sorted() where topics[id] == nil { put(files[id], id: id) }
    }

    private func put(_ fence: Fence?, id: String) {
        guard known[id]?.fence != fence else { return }
        revision += 1
        if let old = known.removeValue(forKey: id) { timetable.remove(old) }
        guard let fence else { return serials.remove(id) }
        let new = KnownFence(fence, serial: serials.serial(of: fence))
        known[id] = new
        timetable.add(new)
        recent.append(new)
        isHistorySorted = isHistorySorted && history.last.map { $0.serial < new.serial } ?? true
        history.append(new)
    }

    /// Forgets of fences from before the start that are there no longer; all others have been taken up.
    func forgetGone() { serials.keepOnly(known) }

    // MARK: Questions

    /// By id.
    var pictures: [String: FencePicture] {
        files.mapValues { FencePicture(fence: $0, origin: .file) }
            .merging(topics.mapValues { FencePicture(fence: $0, origin: .topic) }) { _, topic in topic }
    }

    /// In force now as a fence of that serial.
    func isKnown(_ fence: KnownFence) -> Bool { known[fence.fence.id] === fence }

    /// Those whose box meets another, by id.
    func near(_ box: Bounds) -> [KnownFence] {
        var found: [KnownFence] = []
        refreshIndex()
        index.search(box) { item in if isKnown(indexed[item]) { found.append(indexed[item]) } }
        found += recent.filter { fence in isKnown(fence) && fence.shape.bounds.contains { $0.meets(box) } }
        return found.count > 1 ? Self.sorted(found) : found
    }

    /// Hands over fences in force in the order of how near their boxes are, until told to stop.
    ///
    /// - Parameter visit: is given a bound that the border is no nearer than.
    func nearest(
        to position: Coordinate, within reach: Metres, _ visit: (_ fence: KnownFence, _ bound: Metres) -> Bool
    ) {
        rebuildIndex()
        var last: KnownFence?
        index.nearest(to: position, within: reach) { item, bound in
            // A shape in two boxes comes twice, mostly in a row; the visitor sees to the rest.
            guard indexed[item] !== last else { return true }
            last = indexed[item]
            return !isKnown(indexed[item]) || visit(indexed[item], bound)
        }
    }

    /// Those that came after a serial, the oldest first.
    func since(_ serial: Int) -> ArraySlice<KnownFence> {
        compactHistory()
        var (low, high) = (0, history.count)
        while low < high {
            let middle = (low + high) / 2
            if history[middle].serial <= serial { low = middle + 1 } else { high = middle }
        }
        return history[low...]
    }

    private static func sorted(_ fences: [KnownFence]) -> [KnownFence] {
        let sorted = fences.sorted { $0.fence.id < $1.fence.id }
        return sorted.enumerated().filter { $0.offset == 0 || sorted[$0.offset - 1] !== $0.element }.map(\.element)
    }

    // MARK: The index

    private func refreshIndex() { if recent.count > Self.recentMax { rebuildIndex() } }

    private func rebuildIndex() {
        guard !recent.isEmpty || indexed.count > 2 * known.count else { return }
        recent = []
        indexed = known.values.sorted { $0.serial < $1.serial }
        index = BoxIndex(
            indexed.enumerated().flatMap { item, fence in fence.shape.bounds.map { (box: $0, item: item) } })
    }

    private func compactHistory() {
        if !isHistorySorted { history.sort { $0.serial < $1.serial } }
        isHistorySorted = true
        if history.count > 2 * known.count + Self.recentMax { history.removeAll { !isKnown($0) } }
    }
}
