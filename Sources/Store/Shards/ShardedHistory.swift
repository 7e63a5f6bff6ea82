import Messages

/// The history of a store whose fleet is divided: the pages of its parts, merged.
///
/// A part numbers its rows by itself. Numbered for the whole, rows stand in one order: row 7 of part 1 of 4 is row 29.
struct ShardedHistory {
    private let query: HistoryQuery
    private let count: Int64

    /// - Parameter count: of the parts.
    init(_ query: HistoryQuery, count: Int) { (self.query, self.count) = (query, Int64(count)) }

    /// - Parameter read: a page of a part.
    func page(
        _ read: (_ part: Int, HistoryQuery) throws -> HistoryQuery.PlacedEntries
    ) rethrows -> HistoryPage {
        var entries: [(entry: HistoryEntry, cursor: HistoryCursor)] = []
        /// Up to here each part was looked through; nil: all of them to their ends.
        var end: HistoryCursor?
        for part in 0..<count {
            var query = query
            query.after = query.after.map { cursor(in: part, $0) }
            let page = try read(Int(part), query)
            entries += page.entries.map { ($0.entry, whole(part, $0.cursor)) }
            if let next = page.next.map({ whole(part, $0) }) {
                end = end.map { isBefore(next, $0) ? next : $0 } ?? next
            }
        }
        if let end { entries.removeAll { isBefore(end, $0.cursor) } }
        entries.sort { isBefore($0.cursor, $1.cursor) }
        if entries.count > query.limit {
            entries.removeLast(entries.count - query.limit)
            end = entries.last?.cursor
        }
        return HistoryPage(entries: entries.map(\.entry), next: end)
    }

    private func isBefore(_ a: HistoryCursor, _ b: HistoryCursor) -> Bool {
        let (a, b) = ((a.time.milliseconds, a.number), (b.time.milliseconds, b.number))
        return query.order == .oldestFirst ? a < b : a > b
    }

    private func whole(_ part: Int64, _ cursor: HistoryCursor) -> HistoryCursor {
        HistoryCursor(time: cursor.time, number: cursor.number * count + part)
    }

    /// The last row of a part that is not behind a place in the whole.
    private func cursor(in part: Int64, _ cursor: HistoryCursor) -> HistoryCursor {
        let (quotient, remainder) = cursor.number.quotientAndRemainder(dividingBy: count)
        let isRising = query.order == .oldestFirst
        // The row of this number is before the place, at it, or behind it.
        let number =
            isRising ? (part <= remainder ? quotient : quotient - 1) : (part >= remainder ? quotient : quotient + 1)
        return HistoryCursor(time: cursor.time, number: number)
    }
}
