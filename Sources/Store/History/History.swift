package import Messages

extension Store {
    /// What was published, ascending by time, at most `limit` at once.
    ///
    /// - Parameters:
    ///   - type: nil: all that were published.
    ///   - vehicle: nil: all.
    ///   - from: of that time or later.
    ///   - to: before that time.
    ///   - cursor: goes on where that page ended, with the same type, vehicle and times.
    package func history(
        type: HistoryEntry.Kind? = nil, vehicle: VehicleID? = nil, from: Timestamp? = nil, to: Timestamp? = nil,
        limit: Int, after cursor: HistoryCursor? = nil
    ) throws(StoreError) -> HistoryPage {
        let query = HistoryQuery(type: type, vehicle: vehicle, from: from, to: to, limit: limit, after: cursor)
        return try owned { try query.page($0, path: path) }
    }

    /// The last handling of each alert that has any, in the order of their revisions.
    package func loadHandling() throws(StoreError) -> [HistoryEntry] {
        try owned { database in
            let query = """
                SELECT number, id, sequence, vehicle, type, time, payload FROM response AS last
                WHERE type = 'handling' AND sequence =
                    (SELECT max(sequence) FROM response WHERE type = 'handling' AND id = last.id)
                ORDER BY sequence, id
                """
            return try database.all(query) { try HistoryQuery.entry($0, path: path) }
        }
    }
}
