import DequeModule
import Geo
import Messages

/// Which vehicles have changed since their state was last written, and since which batch.
///
/// State is written as by a fuzzy checkpoint of ARIES (Mohan et al., ACM TODS 17(1), 1992, §5.4): a few vehicles with each
/// turn, those that have waited longest first, so that no turn waits for all of them, and a vehicle that moves each second is
/// written once in an interval. This is the dirty page table, and the batch of an entry its recovery LSN: from there on the
/// journal has what became of the vehicle since.
struct UnsavedVehicles {
    /// One turn writes so many, or a 64th of those that wait if that is more: so those in arrears become fewer with each turn,
    /// however many there are. Some 256 take 5 ms.
    private static let sliceMin = 256
    private static let sliceShare = 64
    /// A restart does again what the journal holds: 16 MB are some 200,000 fixes, which take some seconds. Beyond, vehicles
    /// are written before their time.
    private static let journalBytesMax = 16 << 20

    private struct Entry {
        var vehicle: VehicleID
        /// The first batch that its stored state does not include.
        var since: Int64
        var time: Timestamp
    }

    /// The first batch that the stored state of each does not include.
    private var since: [VehicleID: Int64] = [:]
    /// In the order of their batches. Entries that `since` no longer has are passed over.
    private var queue: Deque<Entry> = []
    /// The first batch whose entry has reports of each that are not judged yet.
    private var heldSince: [VehicleID: Int64] = [:]
    /// Those of which a state is stored, of whatever age.
    private var stored: Set<VehicleID> = []
    /// The size of each of the journal's entries.
    private var journal: Deque<(batch: Int64, bytes: Int)> = []
    private var journalBytes = 0

    /// Seconds after which a change is written.
    let interval: Seconds
    /// How many a turn writes where all have to be written soon.
    let countAtOnce: Int

    init(interval: Seconds, countAtOnce: Int) { (self.interval, self.countAtOnce) = (interval, countAtOnce) }

    var isEmpty: Bool { since.isEmpty }
    var count: Int { since.count }
    var all: [VehicleID] { since.keys.sorted() }
    func isStored(_ vehicle: VehicleID) -> Bool { stored.contains(vehicle) }

    /// Those whose turn it is.
    ///
    /// - Parameter now: nil: those that are next, however long they have waited.
    func due(at now: Timestamp?) -> [VehicleID] {
        var due: [VehicleID] = []
        let slice = now == nil ? countAtOnce : max(Self.sliceMin, since.count / Self.sliceShare)
        for entry in queue where since[entry.vehicle] == entry.since {
            let isDue = now.map { $0.since(entry.time) >= interval } ?? true
            guard due.count < slice, isDue || journalBytes > Self.journalBytesMax else { break }
            due.append(entry.vehicle)
        }
        return due
    }

    /// The first batch of which the journal's entry is still needed once some vehicles are written; nil: none is.
    ///
    /// - Parameter released: vehicles of which nothing is held any more.
    func firstNeeded(besides written: Set<VehicleID>, released: [VehicleID]) -> Int64? {
        let unwritten = queue.first { since[$0.vehicle] == $0.since && !written.contains($0.vehicle) }?.since
        guard !heldSince.isEmpty else { return unwritten }
        let released = Set(released)
        let held = heldSince.lazy.filter { !released.contains($0.key) }.map(\.value).min()
        return [unwritten, held].compactMap(\.self).min()
    }

    /// Whether the journal has entries of earlier batches.
    func hasJournal(before batch: Int64) -> Bool { journal.first.map { $0.batch < batch } ?? false }

    /// A batch is committed.
    ///
    /// - Parameters:
    ///   - written: whose state of now is stored with it.
    ///   - unsaved: who have changed, and are in its entry of the journal instead.
    ///   - removed: of whom nothing is stored any more, unless they are among `written` or `held`.
    ///   - journal: the size of its entry.
    ///   - released: of whom nothing is held any more that earlier entries have.
    ///   - held: of whom its entry has reports that are not judged yet.
    mutating func note(
        _ batch: Int64, at time: Timestamp, written: some Sequence<VehicleID>, unsaved: some Sequence<VehicleID>,
        removed: some Sequence<VehicleID>, journal bytes: Int, released: [VehicleID] = [], held: [VehicleID] = []
    ) {
        for vehicle in released { heldSince[vehicle] = nil }
        for vehicle in removed {
            (since[vehicle], heldSince[vehicle]) = (nil, nil)
            stored.remove(vehicle)
        }
        // One that was removed may be back with the same batch.
        for vehicle in held where heldSince[vehicle] == nil { heldSince[vehicle] = batch }
        for vehicle in written {
            since[vehicle] = nil
            stored.insert(vehicle)
        }
        for vehicle in unsaved where since[vehicle] == nil {
            since[vehicle] = batch
            queue.append(Entry(vehicle: vehicle, since: batch, time: time))
        }
        while let first = queue.first, since[first.vehicle] != first.since { queue.removeFirst() }
        if bytes > 0 {
            journal.append((batch, bytes))
            journalBytes += bytes
        }
        let needed = min(queue.first?.since ?? .max, heldSince.values.min() ?? .max)
        while let first = journal.first, first.batch < needed { journalBytes -= journal.removeFirst().bytes }
    }
}
