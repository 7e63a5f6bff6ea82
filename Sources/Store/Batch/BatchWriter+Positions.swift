import Messages

/// Tracks: positions of vehicles, for as long as the operator keeps them.
///
/// A position has 54 bytes in the file, its entry in the index of times among them. To remove a vehicle takes one and a
/// half seconds for each million of its own: eleven days at a fix a second.
extension BatchWriter {
    func add(_ positions: [TrackPoint]) throws {
        var named: Set<VehicleID> = []
        let vehicles = positions.lazy.map(\.vehicle).filter { named.insert($0).inserted }
        try database.execute(
            "INSERT INTO track (vehicle) VALUES (?) ON CONFLICT DO NOTHING", each: vehicles.map { [$0.text] })
        try database.execute(
            """
            INSERT INTO position (track, time, latitude, longitude, accuracy, speed, course, altitude)
            VALUES ((SELECT number FROM track WHERE vehicle = ?), ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (track, time) DO NOTHING
            """, each: positions.lazy.map { [$0.vehicle.text] + TrackColumns($0.fix).values })
    }

    /// - Parameter added: how many this batch has brought.
    func purgePositions(before time: Timestamp, added: Int) throws {
        let limit = max(limits.positionPurge, 2 * added)
        let tracks: [Int64] = try database.all(
            """
            DELETE FROM position
            WHERE (track, time) IN (SELECT track, time FROM position WHERE time < ? ORDER BY time LIMIT ?)
            RETURNING track
            """, [time.milliseconds, limit]
        ) { $0[0] }
        try forgetEmpty(Set(tracks))
    }

    /// A track without a position is only a name.
    private func forgetEmpty(_ tracks: Set<Int64>) throws {
        try database.execute(
            "DELETE FROM track WHERE number = ?1 AND NOT EXISTS (SELECT 1 FROM position WHERE track = ?1)",
            each: tracks.lazy.map { [$0] })
    }

    /// - Returns: whether there were any.
    func removeAllTracks() throws -> Bool {
        guard try database.number("SELECT count(*) FROM (SELECT 1 FROM track LIMIT 1) AS one") > 0 else { return false }
        for table in ["position", "track"] { try database.execute("DELETE FROM \(table)") }
        try noteRewriteIsDue()
        return true
    }

    func removeTracks(of vehicles: [VehicleID]) throws {
        for sql in [
            "DELETE FROM position WHERE track = (SELECT number FROM track WHERE vehicle = ?)",
            "DELETE FROM track WHERE vehicle = ?",
        ] {
            try database.execute(sql, each: vehicles.lazy.map { [$0.text] })
        }
    }
}
