import Algorithms
import Geo
import Hashing
import Messages

/// All fences in force: those of files, and those of topics, which go before.
final class FenceCatalogue {
    /// More would take minutes to register and gigabytes to keep.
    static let countMax = 250_000
    /// So many fences that are in force no longer are kept in the history.
    private static let goneMax = 256

    /// By id.
    private(set) var known: [BytewiseText: KnownFence] = [:]
    /// Counts up with every change, of a name too.
    private(set) var revision = 0
    /// Changes that may matter to vehicles, since they were last asked for.
    private var replaced: [FenceReplacement] = []
    /// The ids of the fences that name a vehicle.
    private var naming: [VehicleID: Set<BytewiseText>] = [:]
    /// The ids of those of topics.
    private var topics: Set<BytewiseText> = []
    /// Those of files whose ids fences of topics have.
    private var hidden: [BytewiseText: Fence] = [:]
    /// By serial; some may be in force no longer.
    private var history: [KnownFence] = []
    private var isHistorySorted = true
    private var serials: FenceSerials
    var timetable = FenceTimetable()
    private var places = FencePlaces()
    /// How many known fences have a dwell.
    private var dwells = 0
    /// The widest that any fence has had.
    private(set) var hysteresisMax: Metres = 0

    init(files: [Fence]) {
        serials = FenceSerials([])
        replace(files: files)
    }

    /// One that goes on where another left off: with its files, and the serials that were kept before a restart.
    init(_ other: FenceCatalogue, kept: [KeptFence]) {
        serials = FenceSerials(kept)
        replace(files: other.snapshots.values.filter { $0.origin == .file }.map(\.fence))
    }

    /// The serial of the youngest fence.
    var newest: Int { serials.newest }

    /// What is to be kept of which serial stands for which fence, since it was last asked for.
    func takeUnsaved() -> [KeptFence] { serials.takeUnsaved() }

    /// Whether `takeReplaced` would return any.
    var hasReplaced: Bool { !replaced.isEmpty }

    /// The fences that came, went, or changed in more than their names since this was last called, in order.
    func takeReplaced() -> [FenceReplacement] {
        defer { replaced = [] }
        return replaced
    }

    // MARK: Changes

    /// - Returns: nil where it says what is in force already, or takes back what is not.
    func apply(_ change: FenceChange) -> Registration? {
        let isKept = topics.contains(change.$id)
        guard (isKept ? known[change.$id]?.fence : nil) != change.fence else { return nil }
        if change.fence != nil, known.count >= Self.countMax, known[change.$id] == nil {
            return Registration(.fence, id: change.id, .failed(reason: "\(Self.countMax) fences are in force already"))
        }
        if let fence = change.fence {
            if !isKept { hidden[fence.$id] = known[fence.$id]?.fence }
            topics.insert(fence.$id)
            put(fence, id: fence.$id)
        } else {
            topics.remove(change.$id)
            put(hidden.removeValue(forKey: change.$id), id: change.$id)
        }
        return change.fence.map { Registration(.fence, id: $0.id, .monitoring(note: nil), unknown: change.unknown) }
    }

    /// Other files; what dispatch keeps stays in force.
    func replace(files fences: [Fence]) {
        let files = Dictionary(fences.map { ($0.$id, $0) }, uniquingKeysWith: { first, _ in first })
        hidden = files.filter { topics.contains($0.key) }
        for id in Set(known.keys).union(files.keys).subtracting(topics).sorted() { put(files[id], id: id) }
    }

    private func put(_ fence: Fence?, id: BytewiseText) {
        let old = known[id]
        guard old?.fence != fence else { return }
        revision += 1
        if let old { timetable.remove(old) }
        dwells += (fence?.dwell == nil ? 0 : 1) - (old?.fence.dwell == nil ? 0 : 1)
        guard let fence else {
            known[id] = nil
            serials.remove(id)
            if let old { places.remove(old) }
            return note(FenceReplacement(id: id.wrappedValue, before: old, after: nil))
        }
        let serial = serials.serial(of: fence)
        if let old, old.serial == serial {
            // The history may go on with the old one: it is asked for what is known under its id.
            let renamed = KnownFence(fence, sameAs: old)
            known[id] = renamed
            places.replace(old, with: renamed)
            return timetable.add(renamed)
        }
        if let old { places.remove(old) }
        hysteresisMax = max(hysteresisMax, fence.hysteresis)
        let new = KnownFence(fence, serial: serial)
        known[id] = new
        timetable.add(new)
        places.add(new)
        isHistorySorted = isHistorySorted && history.last.map { $0.serial < new.serial } ?? true
        history.append(new)
        note(FenceReplacement(id: id.wrappedValue, before: old, after: new))
    }

    private func note(_ replacement: FenceReplacement) {
        replaced.append(replacement)
        for vehicle in replacement.before?.fence.vehicles ?? [] {
            naming[vehicle]?.remove(replacement.$id)
            if naming[vehicle]?.isEmpty == true { naming[vehicle] = nil }
        }
        for vehicle in replacement.after?.fence.vehicles ?? [] { naming[vehicle, default: []].insert(replacement.$id) }
    }

    /// Forgets of fences from before the start that are there no longer; all others have been taken up.
    func forgetGone() { serials.keepOnly(known) }

    // MARK: Questions

    /// By id.
    var snapshots: [BytewiseText: FenceSnapshot] {
        known.mapValues { FenceSnapshot(fence: $0.fence, origin: topics.contains($0.fence.$id) ? .topic : .file) }
    }

    /// Whether any fence tells of vehicles that stay.
    var hasDwells: Bool { dwells > 0 }

    /// In force now as a fence of that serial.
    func isKnown(_ fence: KnownFence) -> Bool { places.contains(serial: fence.serial) }

    /// The fence in force of that serial.
    func fence(serial: Int) -> KnownFence? { places[serial: serial] }

    /// The fence in force under the id of a border's fence: mostly that fence, which its serial finds sooner than its id does.
    func fence(of border: FenceState.Border) -> KnownFence? { fence(serial: border.serial) ?? known[border.$fence] }

    /// Whether the fence of a border is no more, or not as it was.
    func isGone(_ border: FenceState.Border) -> Bool { known[border.$fence]?.serial != border.serial }

    /// Those that name a vehicle, in any order.
    func naming(_ vehicle: VehicleID) -> [KnownFence] { naming[vehicle]?.compactMap { known[$0] } ?? [] }

    /// Hands over those whose box meets another, in any order. One may come twice.
    func near(_ box: Bounds, _ visit: (KnownFence) -> Void) { places.near(box, visit) }

    /// Hands over fences in force until told to stop: a few that are new, then the others in the order of how near their
    /// boxes are. One may come twice.
    ///
    /// - Parameter visit: is given a bound that the border is no nearer than, and returns how far away others still count,
    ///   below 0 to end the search.
    func nearest(
        to position: Coordinate, within reach: Metres, _ visit: (_ fence: KnownFence, _ bound: Metres) -> Metres
    ) {
        places.nearest(to: position, within: reach, visit)
    }

    /// Sees to it that `nearest` hands over all fences in order.
    func orderAll() { places.orderAll() }

    /// Those that came after a serial, the oldest first.
    func since(_ serial: Int) -> ArraySlice<KnownFence> {
        compactHistory()
        return history[history.partitioningIndex { $0.serial > serial }...]
    }

    private func compactHistory() {
        if !isHistorySorted { history.sort { $0.serial < $1.serial } }
        isHistorySorted = true
        if history.count > 2 * known.count + Self.goneMax { history.removeAll { !isKnown($0) } }
    }
}

/// A fence that came, went, or changed in more than its name.
struct FenceReplacement {
    @BytewiseText var id: String
    var before: KnownFence?
    var after: KnownFence?

    /// What was in force, and what is.
    var versions: [KnownFence] { [before, after].compactMap { $0 } }
}
