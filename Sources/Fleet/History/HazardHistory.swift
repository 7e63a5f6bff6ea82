import Algorithms

/// What vehicles of the fleet did where they came by: how many of them drove on under each clearance within
/// `HazardPassages.horizon`. Of no vehicle, and of no time.
///
/// A place is an edge, and again that edge for those who had driven on a certain other one 1.5 km before: the second says
/// more and is known later.
public struct HazardHistory: Hashable, Sendable {
    struct Count: Hashable, Sendable {
        /// At a place: who came by, and no alert can have turned aside. Of a clearance: who drove under.
        var passes: UInt32 = 0
        /// Of a clearance: those who drove under and are not among those who came by: it is too low for them.
        var besides: UInt32 = 0

        static func += (sum: inout Count, more: Count) {
            sum.passes.add(more.passes)
            sum.besides.add(more.besides)
        }

        func halved(times: Int) -> Count { Count(passes: passes >> times, besides: besides >> times) }
    }

    struct Row: Hashable, Sendable {
        var place: UInt64
        /// `PlaceKey.clearance`; 0: all who came by.
        var clearance: UInt32
        var count: Count
        /// The addition that last brought anything of this row.
        var seen: UInt32 = 0

        static func < (a: Row, b: Row) -> Bool { (a.place, a.clearance) < (b.place, b.clearance) }
    }

    /// Some 24 MB, at 24 bytes each; a fleet of 60 places has some 100,000 rows on rhein-neckar. Where there are more, the
    /// places go that nobody has come by for longest.
    public static let rowsMax = 1_000_000
    /// Where so many have come by, what they did counts half from there on: the latest thousand outweigh all before them. By
    /// trucks and not by time, so that a quiet road keeps what was learned of it.
    static let passesMax: UInt32 = 1_000

    private let rowsMax: Int
    /// Ascending by place, then by clearance.
    private(set) var rows: [Row] = []
    /// How often something was added.
    private(set) var additions: UInt32 = 0

    public init() { self.init(rowsMax: Self.rowsMax) }

    init(rowsMax: Int) { self.rowsMax = rowsMax }

    /// - Parameter rows: ascending.
    init(rows: [Row], additions: UInt32) {
        self.init()
        (self.rows, self.additions) = (rows, additions)
    }

    public var isEmpty: Bool { rows.isEmpty }
    /// How many numbers there are.
    public var size: Int { rows.count }

    /// What is known of one place.
    struct Place {
        fileprivate var passes: Int
        /// By clearance.
        fileprivate(set) var rows: ArraySlice<Row>

        /// How many came by, and how many of them drove under a clearance.
        func passes(under clearance: UInt32) -> (all: Int, under: Int) {
            guard let count = rows.first(where: { $0.clearance == clearance })?.count else { return (passes, 0) }
            return (passes + Int(count.besides), Int(count.passes))
        }
    }

    /// Nil where nobody has come by.
    func place(_ key: UInt64) -> Place? {
        let low = rows.partitioningIndex { $0.place >= key }
        guard low < rows.count, rows[low].place == key else { return nil }
        let end = rows[low...].firstIndex { $0.place != key } ?? rows.count
        let all = rows[low].clearance == 0 ? rows[low] : nil
        return Place(passes: Int(all?.count.passes ?? 0), rows: rows[(all == nil ? low : low + 1)..<end])
    }

    // MARK: Adding

    mutating func add(_ counts: PassageCounts) {
        add(counts.rows.map { Row(place: $0.key.place, clearance: $0.key.clearance, count: $0.value) }.sorted(by: <))
    }

    /// What another fleet did counts as if this one had done it now.
    public mutating func add(_ other: HazardHistory) { add(other.rows) }

    /// - Parameter more: ascending.
    mutating func add(_ more: [Row]) {
        guard !more.isEmpty else { return }
        additions.add(1)
        var sum: [Row] = []
        sum.reserveCapacity(rows.count + more.count)
        var (one, other) = (rows[...], more[...])
        while var next = other.first {
            next.seen = additions
            if let row = one.first, row < next {
                sum.append(one.removeFirst())
            } else {
                if let row = one.first, !(next < row) { next.count += one.removeFirst().count }
                sum.append(next)
                other.removeFirst()
            }
        }
        rows = Self.bounded(sum + one, rowsMax)
    }

    /// Places that many came by with half of their counts as often as it takes, and no more rows than there may be.
    private static func bounded(_ rows: [Row], _ rowsMax: Int) -> [Row] {
        var kept: [Row] = []
        var sizes: [UInt32: Int] = [:]
        var rest = rows[...]
        var places: [(range: Range<Int>, seen: UInt32)] = []
        while let first = rest.first {
            let place = rest.prefix { $0.place == first.place }
            rest.removeFirst(place.count)
            let most = place.map(\.count.passes).max() ?? 0
            let halvings = (0..<UInt32.bitWidth).first { most >> $0 < passesMax } ?? 0
            let start = kept.count
            for var row in place {
                row.count = row.count.halved(times: halvings)
                if row.count.passes > 0 { kept.append(row) }
            }
            let seen = place.map(\.seen).max() ?? 0
            places.append((start..<kept.count, seen))
            sizes[seen, default: 0] += kept.count - start
        }
        guard kept.count > rowsMax else { return kept }
        var (count, oldest) = (0, sizes.keys.max() ?? 0)
        for (seen, size) in sizes.sorted(by: { $0.key > $1.key }) {
            count += size
            if count > rowsMax { break }
            oldest = seen
        }
        return Array(places.filter { $0.seen >= oldest }.flatMap { kept[$0.range] }.prefix(rowsMax))
    }
}

extension UInt32 {
    fileprivate mutating func add(_ other: UInt32) {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        self = isTooLarge ? .max : sum
    }
}
