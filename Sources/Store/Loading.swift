package import Messages
import MQTT
package import Roads

/// A page of the outbox, as `Store.pendingOutbox` reads it.
package struct PendingOutbox: Hashable, Sendable {
    /// In the order of their commits.
    package var entries: [OutboxEntry]
    /// How many had expired on the way and were removed.
    package var expired: Int
}

/// What is read when a gateway starts or its broker comes back.
extension Store {
    /// Hands over every vehicle, one at a time and in no particular order.
    ///
    /// - Returns: how many there were.
    /// - Throws: `damaged` at the first row that cannot be read.
    @discardableResult
    package func loadVehicles(_ receive: (StoredVehicle) -> Void) throws(StoreError) -> Int {
        try owned { database in
            var count = 0
            try database.rows("SELECT id, levels, state, batch FROM vehicle") { row in
                receive(try StoredVehicle(row, path: path))
                count += 1
            }
            return count
        }
    }

    /// The journal, in the order of its batches.
    package func loadJournal() throws(StoreError) -> [JournalEntry] {
        try owned { database in
            try database.all("SELECT batch, record FROM journal ORDER BY batch") {
                JournalEntry(batch: $0[0], record: try $0.bytes(at: 1))
            }
        }
    }

    /// Hands over every retained input that was kept, by topic in the order of the topics.
    package func loadRetained(_ receive: (_ topic: String, _ payload: [UInt8]) -> Void) throws(StoreError) {
        try owned { database in
            try database.rows("SELECT topic, payload FROM retained ORDER BY topic") { row in
                receive(row[0], try row.bytes(at: 1))
            }
        }
    }

    /// Every topic of which a retained input is kept, in order.
    package func retainedTopics() throws(StoreError) -> [String] {
        try owned { try $0.all("SELECT topic FROM retained ORDER BY topic") { $0[0] } }
    }

    /// The payload of a retained input that was kept; nil where none is.
    package func retained(_ topic: String) throws(StoreError) -> [UInt8]? {
        try owned { database in
            try database.first("SELECT payload FROM retained WHERE topic = ?", [topic]) { try $0.bytes(at: 0) }
        }
    }

    /// Which serial stands for which fence, by id.
    package func loadFences() throws(StoreError) -> [KeptFence] {
        try owned { database in
            try database.all("SELECT id, digest, serial FROM fence ORDER BY id") {
                KeptFence(id: $0[0], digest: $0[1], serial: $0[2] as Int)
            }
        }
    }

    /// What vehicles that may not be kept have said, by digest.
    ///
    /// - Throws: `damaged` where a status is none.
    package func loadRefusals() throws(StoreError) -> [ConsentRecord] {
        try owned { database in
            try database.all("SELECT digest, status FROM refusal ORDER BY digest") { row in
                let text: String = row[1]
                guard let status = Consent.Status(rawValue: text) else {
                    throw StoreError.damaged(path: path, reason: "a refusal with the status \(text)")
                }
                return ConsentRecord(digest: row[0], status: status)
            }
        }
    }

    /// Hands over every turn that was counted, in the order of its edges.
    package func loadTurns(_ receive: (TurnCounts.Row) -> Void) throws(StoreError) {
        try owned { database in
            try database.rows(Self.turnQuery) { row in
                receive(
                    TurnCounts.Row(
                        arriving: EdgeKey(way: row[0], from: row[1], to: row[2]),
                        next: EdgeKey(way: row[3], from: row[4], to: row[5]), count: row[6]))
            }
        }
    }

    /// What vehicles did near low clearances, in the engine's own encoding; nil where nothing is kept.
    package func loadPassages(_ part: StoredPassages) throws(StoreError) -> [UInt8]? {
        try owned { database in
            try database.first("SELECT counts FROM passages WHERE id = ?", [part.rawValue]) { try $0.bytes(at: 0) }
        }
    }

    /// Of a part of a divided store what it brings to the sum of all parts, in the engine's own encoding; of an undivided one
    /// all that is in force.
    package func loadOwnPassages() throws(StoreError) -> [UInt8]? {
        if let own = try loadPassages(.own) { return own }
        // A part of before has not kept it apart.
        return try loadPassages(.inForce)
    }

    private static let turnQuery = """
        SELECT way, from_node, to_node, next_way, next_from_node, next_to_node, count FROM turn
        ORDER BY way, from_node, to_node, next_way, next_from_node, next_to_node
        """

    /// The oldest entries of a priority younger than `id`, at most `limit`; those that have expired at `now` are removed on
    /// the way.
    ///
    /// Entries up to `id` are left alone, expired or not: they are in flight.
    package func pendingOutbox(
        _ priority: OutboxPriority, after id: Int64 = 0, limit: Int, at now: Timestamp
    ) throws(StoreError) -> PendingOutbox {
        precondition(limit > 0, "A page of the outbox holds at least one entry.")
        return try write(time: now) { writer in
            var entries: [OutboxEntry] = []
            var expired: [Int64] = []
            // Messages of one type share their list.
            var properties: [String: [UserProperty]] = [:]
            var last: Int64? = id
            while let start = last, entries.count < limit {
                let room = limit - entries.count
                last = nil
                var rows = 0
                try writer.database.rows(Self.pendingQuery, [priority.rawValue, start, room]) { row in
                    rows += 1
                    if rows == room { last = row[0] }
                    if let end: Int64 = row[5], end <= now.milliseconds {
                        expired.append(row[0])
                    } else {
                        entries.append(try entry(row, &properties))
                    }
                }
            }
            try writer.deleteDelivered(expired)
            return PendingOutbox(entries: entries, expired: expired.count)
        }
    }

    private static let pendingQuery = """
        SELECT id, topic, payload, qos, retain, expires_at, content_type, user_properties, created_at, priority
        FROM outbox WHERE priority = ? AND id > ? ORDER BY id LIMIT ?
        """

    /// - Parameter properties: lists of user properties, by their texts.
    private func entry(_ row: SQLRow, _ properties: inout [String: [UserProperty]]) throws -> OutboxEntry {
        let id: Int64 = row[0]
        let text: String = row[7]
        guard let userProperties = try? properties[text] ?? JSONColumn.list(text) else {
            throw StoreError.damaged(path: path, reason: "outbox entry \(id) with the user properties \(text)")
        }
        properties[text] = userProperties
        let expiresAt: Int64? = row[5]
        let publication = Publication(
            topic: row[1], payload: try row.bytes(at: 2),
            qos: QoS(rawValue: UInt8(clamping: row[3] as Int)) ?? .atLeastOnce,
            retain: row[4] as Int == 1,
            contentType: row[6], userProperties: userProperties)
        let message = OutboxMessage(
            publication, OutboxPriority(rawValue: row[9]) ?? .low,
            expiresAt: expiresAt.map(Timestamp.init(milliseconds:)))
        return OutboxEntry(id: id, message: message, createdAt: Timestamp(milliseconds: row[8]))
    }
}

extension StoredVehicle {
    /// From a row of id, levels, state and batch.
    init(_ row: SQLRow, path: String) throws {
        let id: String = row[0]
        let levels: String = row[1]
        guard let vehicle = VehicleID(id), let list: [String] = try? JSONColumn.list(levels) else {
            throw StoreError.damaged(path: path, reason: "vehicle “\(id)” with the topic levels \(levels)")
        }
        self.init(address: VehicleAddress(vehicle: vehicle, levels: list), state: try row.bytes(at: 2), batch: row[3])
    }
}
