import Cryptography
import Foundation
package import Messages

/// A token that lets a phone in the cab speak for one vehicle.
package struct CabToken: Hashable, Sendable {
    /// By which it is revoked; no secret.
    package var id: Int64
    package var vehicle: VehicleID
    /// SHA-256 of the token, which is stored nowhere.
    package var digest: [UInt8]
    package var createdAt: Timestamp
    package var expiresAt: Timestamp

    package init(id: Int64, vehicle: VehicleID, digest: [UInt8], createdAt: Timestamp, expiresAt: Timestamp) {
        self.id = id
        self.vehicle = vehicle
        self.digest = digest
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }

    fileprivate init(_ row: SQLRow, path: String) throws {
        let vehicle: String = row[1]
        guard let vehicle = VehicleID(vehicle) else {
            throw StoreError.damaged(path: path, reason: "a cab token of “\(vehicle)”")
        }
        self.init(
            id: row[0], vehicle: vehicle, digest: try row.bytes(at: 2),
            createdAt: Timestamp(milliseconds: row[3]), expiresAt: Timestamp(milliseconds: row[4]))
    }
}

/// A code that was exchanged for a token, and is worth nothing any more.
package struct SpentCabCode: Hashable, Sendable {
    package var nonce: [UInt8]
    /// From then on it need not be remembered.
    package var expiresAt: Timestamp

    package init(nonce: [UInt8], expiresAt: Timestamp) {
        self.nonce = nonce
        self.expiresAt = expiresAt
    }
}

extension Store {
    /// The tokens that have not expired, the oldest first.
    ///
    /// - Throws: `damaged` where one cannot be read.
    package func loadCabTokens(at time: Timestamp) throws(StoreError) -> [CabToken] {
        try owned { database in
            let query = """
                SELECT id, vehicle, digest, created_at, expires_at FROM cab_token WHERE expires_at > ? ORDER BY id
                """
            return try database.all(query, [time.milliseconds]) { try CabToken($0, path: path) }
        }
    }

    /// Keeps a token in exchange for a code; what has expired is removed.
    ///
    /// - Parameter token: its `id` does not matter.
    /// - Returns: the token with its id; nil where the code was spent, or is from before its vehicle was
    ///   forgotten.
    package func add(_ token: CabToken, for code: SpentCabCode) throws(StoreError) -> CabToken? {
        try write(time: token.createdAt) { writer in
            let database = writer.database
            try database.removeExpired(at: token.createdAt)
            let query = "SELECT count(*) FROM cab_code WHERE nonce = ? AND expires_at >= ?"
            let allSpent = try database.number(query, [Self.nonce(of: token.vehicle), code.expiresAt.milliseconds])
            guard allSpent == 0 else { return nil }
            let isFirst = try database.execute(
                "INSERT INTO cab_code (nonce, expires_at) VALUES (?, ?) ON CONFLICT DO NOTHING",
                [Data(code.nonce), code.expiresAt.milliseconds])
            guard isFirst == 1 else { return nil }
            let row: SQLValues = [
                token.vehicle.text, Data(token.digest), token.createdAt.milliseconds, token.expiresAt.milliseconds,
            ]
            var kept = token
            kept.id = try database.insert(
                "INSERT INTO cab_token (vehicle, digest, created_at, expires_at) VALUES (?, ?, ?, ?)", each: [row])[0]
            return kept
        }
    }

    /// - Returns: whether there was one.
    package func removeCabToken(_ id: Int64, at time: Timestamp) throws(StoreError) -> Bool {
        try write(time: time) { writer in
            try writer.database.execute("DELETE FROM cab_token WHERE id = ?", [id]) > 0
        }
    }

    /// Removes those of vehicles that are forgotten; other reasons to keep nothing of a vehicle, as the end of its consent,
    /// leave its phones paired.
    ///
    /// - Parameter end: codes of the vehicles that expire by then are spent.
    package func removeCabTokens(
        of vehicles: Set<VehicleID>, codesUntil end: Timestamp, at time: Timestamp
    ) throws(StoreError) {
        let removed = try write(time: time) { writer in
            let database = writer.database
            try database.removeExpired(at: time)
            try database.execute(
                """
                INSERT INTO cab_code (nonce, expires_at) VALUES (?, ?)
                ON CONFLICT (nonce) DO UPDATE SET expires_at = excluded.expires_at
                """, each: vehicles.sorted().map { [Self.nonce(of: $0), end.milliseconds] })
            let removed = try database.execute(
                "DELETE FROM cab_token WHERE vehicle = ?", each: vehicles.sorted().map { [$0.text] })
            if removed > 0 { try writer.noteRewriteIsDue() }
            return removed
        }
        erase(afterRemoval: removed > 0)
    }

    /// Stands for all codes of a vehicle that was forgotten, without its name. Those of single codes are shorter.
    private static func nonce(of vehicle: VehicleID) -> Data { Data(SHA256.digest(of: Array(vehicle.text.utf8))) }
}

extension SQLConnection {
    /// Removes tokens that hold no more, and codes that need not be remembered.
    fileprivate func removeExpired(at time: Timestamp) throws {
        for table in ["cab_token", "cab_code"] {
            try execute("DELETE FROM \(table) WHERE expires_at <= ?", [time.milliseconds])
        }
    }
}
