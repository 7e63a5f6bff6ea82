import Foundation
import GRDB
import Messages

/// Tracks: positions of vehicles, for as long as the operator keeps them.
///
/// A position has 54 bytes in the file, its entry in the index of times among them. To remove a vehicle takes one and a
/// half seconds for each million of its own: eleven days at a fix a second.
extension BatchWriter {
    func add(_ positions: [TrackPoint]) throws {
        guard !positions.isEmpty else { return }
        let name = try database.cachedStatement(sql: "INSERT INTO track (vehicle) VALUES (?) ON CONFLICT DO NOTHING")
        let insert = try database.cachedStatement(
            sql: """
                INSERT INTO position (track, time, latitude, longitude, accuracy, speed, course, altitude)
                SELECT number, ?, ?, ?, ?, ?, ?, ? FROM track WHERE vehicle = ?
                ON CONFLICT (track, time) DO NOTHING
                """)
        var named: Set<VehicleID> = []
        for point in positions {
            if named.insert(point.vehicle).inserted { try name.execute(arguments: [point.vehicle.text]) }
            try insert.execute(arguments: TrackColumns(point.fix).arguments + [point.vehicle.text])
        }
    }

    /// - Parameter added: how many this batch has brought.
    func purgePositions(before time: Timestamp, added: Int) throws {
        let delete = try database.cachedStatement(
            sql: """
                DELETE FROM position
                WHERE (track, time) IN (SELECT track, time FROM position WHERE time < ? ORDER BY time LIMIT ?)
                RETURNING track
                """)
        let limit = max(limits.positionPurge, 2 * added)
        try forgetEmpty(try Int64.fetchSet(delete, arguments: [time.milliseconds, limit]))
    }

    /// A track without a position is only a name.
    private func forgetEmpty(_ tracks: Set<Int64>) throws {
        guard !tracks.isEmpty else { return }
        let delete = try database.cachedStatement(
            sql: """
                DELETE FROM track WHERE number = ?1 AND NOT EXISTS (SELECT 1 FROM position WHERE track = ?1)
                """)
        for track in tracks { try delete.execute(arguments: [track]) }
    }

    /// - Returns: whether there were any.
    func removeAllTracks() throws -> Bool {
        guard try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM track)") == true else { return false }
        try database.execute(sql: "DELETE FROM position; DELETE FROM track")
        try Erasure.noteRewriteIsDue(database)
        return true
    }

    func removeTracks(of vehicles: [VehicleID]) throws {
        for sql in [
            "DELETE FROM position WHERE track = (SELECT number FROM track WHERE vehicle = ?)",
            "DELETE FROM track WHERE vehicle = ?",
        ] {
            let delete = try database.cachedStatement(sql: sql)
            for vehicle in vehicles { try delete.execute(arguments: [vehicle.text]) }
        }
    }
}
