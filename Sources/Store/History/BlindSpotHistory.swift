package import Messages

extension StoreReader {
    /// Changes of what keeps vehicles from being warned: those of a span of time, by time, after the last one before it of each
    /// vehicle that was not warned when it began.
    ///
    /// - Parameter limit: of rows.
    /// - Returns: nil where there are more.
    package func blindSpotChanges(in span: Range<Timestamp>, limit: Int) throws(StoreError) -> [BlindSpotChange]? {
        var changes: [BlindSpotChange] = []
        for part in try parts() {
            changes += try part.read { try BlindSpotQuery(span: span, limit: limit, path: part.path).changes($0) }
            if changes.count > limit { return nil }
        }
        return changes.sorted { ($0.time, $0.vehicle) < ($1.time, $1.vehicle) }
    }
}

private struct BlindSpotQuery {
    let span: Range<Timestamp>
    let limit: Int
    let path: String

    func changes(_ database: SQLConnection) throws -> [BlindSpotChange] {
        let (start, end) = (span.lowerBound.milliseconds, span.upperBound.milliseconds)
        let earlier = """
            SELECT vehicle, time, before, after FROM blind_spots AS last
            WHERE time < ? AND after <> '[]' AND NOT EXISTS (
                SELECT 1 FROM blind_spots AS later
                WHERE later.vehicle = last.vehicle AND later.time > last.time AND later.time < ?)
            LIMIT ?
            """
        let within = "SELECT vehicle, time, before, after FROM blind_spots WHERE time >= ? AND time < ? LIMIT ?"
        return try database.all(earlier, [start, start, limit + 1], change)
            + database.all(within, [start, end, limit + 1], change)
    }

    private func change(_ row: SQLRow) throws -> BlindSpotChange {
        let name: String = row[0]
        guard let vehicle = VehicleID(name), let before: [StateMessage.BlindSpot] = try? JSONColumn.list(row[2]),
            let after: [StateMessage.BlindSpot] = try? JSONColumn.list(row[3])
        else { throw StoreError.damaged(path: path, reason: "the blind spots of the vehicle “\(name)”") }
        return BlindSpotChange(
            vehicle: vehicle, time: Timestamp(milliseconds: row[1]), before: before, after: after)
    }
}

extension BatchWriter {
    /// What is done again after a crash is there already.
    func record(_ changes: [BlindSpotChange]) throws {
        try database.execute(
            """
            INSERT INTO blind_spots (vehicle, time, before, after) VALUES (?, ?, ?, ?)
            ON CONFLICT (vehicle, time) DO UPDATE SET after = excluded.after
            """,
            each: try changes.map {
                [
                    $0.vehicle.text, $0.time.milliseconds, try JSONColumn.text($0.before),
                    try JSONColumn.text($0.after),
                ]
            })
    }

    func purgeBlindSpots(before time: Timestamp) throws {
        try database.execute(
            """
            DELETE FROM blind_spots WHERE (vehicle, time) IN (
                SELECT vehicle, time FROM blind_spots WHERE time < ? ORDER BY time LIMIT ?)
            """, [time.milliseconds, limits.historyPurge])
    }
}
