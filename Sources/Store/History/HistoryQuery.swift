import Messages

/// Which part of the history is wanted.
struct HistoryQuery {
    /// Nil: all that were published.
    var type: HistoryEntry.Kind?
    var vehicle: VehicleID?
    var from: Timestamp?
    var to: Timestamp?
    var order = HistoryOrder.oldestFirst
    var limit: Int
    var after: HistoryCursor?
    /// Whether an entry belongs to the result, of which at most `looksMax` entries are looked through for one page; nil: all
    /// do.
    var isWanted: ((HistoryEntry) -> Bool)?
    var looksMax = Int.max

    /// - Parameter path: for the message, where a row cannot be read.
    func page(_ database: SQLConnection, path: String) throws -> HistoryPage {
        let found = try placedEntries(database, path: path)
        return HistoryPage(entries: found.entries.map(\.entry), next: found.next)
    }

    /// A page whose entries say where they stand.
    struct PlacedEntries {
        var entries: [(entry: HistoryEntry, cursor: HistoryCursor)] = []
        var next: HistoryCursor?
    }

    /// As `page`.
    func placedEntries(_ database: SQLConnection, path: String) throws -> PlacedEntries {
        precondition(limit > 0, "A page of the history holds at least one entry.")
        let (sql, values) = statement
        var page = PlacedEntries()
        var last: HistoryCursor?
        var looks = 0
        try database.firstRows(
            sql, values,
            while: { row in
                guard page.entries.count < limit, looks < rowsMax else {
                    page.next = last
                    return false
                }
                let entry = try Self.entry(row, path: path)
                looks += 1
                let cursor = HistoryCursor(time: entry.time, number: row[0])
                if isWanted?(entry) != false { page.entries.append((entry, cursor)) }
                last = cursor
                return true
            })
        return page
    }

    private var rowsMax: Int { isWanted == nil ? min(limit, looksMax) : looksMax }

    /// Always served by an index in the order asked for: that of the vehicle, else that of the type, else that of the time.
    private var statement: (sql: String, values: SQLValues) {
        var conditions: [(String, SQLValues)] = []
        if let vehicle { conditions.append(("vehicle = ?", [vehicle.text])) }
        // A vehicle has few entries, a type has many: the concatenation keeps SQLite from taking the index of the type
        // for both.
        if let type { conditions.append((vehicle == nil ? "type = ?" : "type || '' = ?", [type.rawValue])) }
        if let from { conditions.append(("time >= ?", [from.milliseconds])) }
        if let to { conditions.append(("time < ?", [to.milliseconds])) }
        let isRising = order == .oldestFirst
        if let after {
            conditions.append(
                ("(time, number) \(isRising ? ">" : "<") (?, ?)", [after.time.milliseconds, after.number]))
        }
        let clause = conditions.isEmpty ? "" : "WHERE " + conditions.map(\.0).joined(separator: " AND ")
        let direction = isRising ? "ASC" : "DESC"
        let sql = """
            SELECT number, id, sequence, vehicle, type, time, payload FROM \(type?.table ?? "history") \(clause)
            ORDER BY time \(direction), number \(direction) LIMIT ?
            """
        // One row more than the page may look at: it tells whether there are more.
        return (sql, conditions.flatMap(\.1) + [rowsMax == .max ? rowsMax : rowsMax + 1])
    }

    static func entry(_ row: SQLRow, path: String) throws -> HistoryEntry {
        let (id, vehicle, type): (String, String, String) = (row[1], row[3], row[4])
        guard let vehicle = VehicleID(vehicle), let type = HistoryEntry.Kind(rawValue: type) else {
            throw StoreError.damaged(
                path: path, reason: "history entry “\(id)” of the vehicle “\(vehicle)” and the type \(type)")
        }
        guard let payload = HistoryPayload.payload(try row.bytes(at: 6)) else {
            throw StoreError.damaged(path: path, reason: "history entry “\(id)” has a payload that cannot be read")
        }
        return HistoryEntry(
            id: id, sequence: row[2], vehicle: vehicle, type: type, time: Timestamp(milliseconds: row[5]),
            payload: payload)
    }
}
