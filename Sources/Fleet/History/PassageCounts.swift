/// How many vehicles came by places, and how many of them drove on under which clearances: what is added to a
/// `HazardHistory`.
struct PassageCounts: Sendable {
    struct Key: Hashable, Sendable {
        var place: UInt64
        /// 0: all who came by.
        var clearance: UInt32
    }

    /// Some 10 MB. The gateway adds them to the history once an hour, and before that at half of it; what more there is does
    /// not count.
    static let countMax = 200_000

    private(set) var rows: [Key: HazardHistory.Count] = [:]

    var isEmpty: Bool { rows.isEmpty }
    /// Whether they are to be added to the history now.
    var isFillingUp: Bool { rows.count >= Self.countMax / 2 }

    mutating func add(_ count: HazardHistory.Count, at place: UInt64, under clearance: UInt32 = 0) {
        let key = Key(place: place, clearance: clearance)
        guard rows.count < Self.countMax || rows[key] != nil else { return }
        rows[key, default: HazardHistory.Count()] += count
    }

    mutating func add(_ history: HazardHistory) {
        for row in history.rows { add(row.count, at: row.place, under: row.clearance) }
    }
}
