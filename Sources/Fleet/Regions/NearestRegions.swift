import Algorithms
import Geo
import Hashing
import Messages

/// The nearest few of what is offered as a region.
///
/// Most of what is offered is displaced by what is nearer: so candidates are put in order by their distances alone, and regions are
/// made of those that are left.
struct NearestRegions {
    enum Candidate {
        case fence(KnownFence)
        /// Of its own memory, so that the many fences take a word.
        indirect case clearance(Region)

        /// The order of those that are equally near.
        fileprivate var key: (BytewiseText, String) {
            switch self {
            case .fence(let fence): (fence.fence.$id, Region.Kind.fence.rawValue)
            case .clearance(let region): (region.$id, region.kind.rawValue)
            }
        }
    }

    private struct Entry {
        var distance: Metres
        /// In `candidates`.
        var index: Int
    }

    let limit: Int
    /// What is farther is not looked for.
    private let within: Metres
    /// The nearest first; of equally near ones the lower id.
    private var entries: [Entry] = []
    /// All that were among the nearest when they were offered.
    private var candidates: [Candidate] = []

    init(limit: Int, within: Metres) {
        self.limit = limit
        self.within = within
        entries.reserveCapacity(limit + 1)
        candidates.reserveCapacity(2 * limit)
    }

    /// The nearest first; of equally near ones the lower id.
    func map(_ region: (Candidate) -> Region) -> [Region] { entries.map { region(candidates[$0.index]) } }

    /// What is farther need not be offered.
    var reach: Metres { isFull ? entries.last?.distance ?? -.infinity : within }

    /// Whether there was room for no more.
    var isFull: Bool { entries.count >= limit }

    /// Keeps a candidate while it is one of the nearest. One that is offered twice counts once.
    mutating func offer(_ candidate: Candidate, _ distance: Metres) {
        var place = entries.partitioningIndex { $0.distance >= distance }
        while place < entries.count, entries[place].distance == distance {
            let (key, other) = (candidate.key, candidates[entries[place].index].key)
            if key == other { return }
            if key < other { break }
            place += 1
        }
        guard place < limit else { return }
        if entries.count == limit { entries.removeLast() }
        entries.insert(Entry(distance: distance, index: candidates.count), at: place)
        candidates.append(candidate)
    }
}
