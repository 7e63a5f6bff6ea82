package import Messages

extension Store {
    /// What was published, ascending by time, at most `limit` at once.
    ///
    /// - Parameters:
    ///   - type: nil: all.
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
}
