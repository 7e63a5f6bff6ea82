import Foundation
import GRDB
import Messages
import MQTT
import Roads

/// Carries out one batch inside the transaction that the store has begun.
///
/// Statements come from the connection's cache and are bound in place: no row type, no copy of a payload beyond `Data`.
struct BatchWriter {
    let database: Database
    let limits: StoreLimits
    let time: Timestamp
    /// How many entries the outbox holds, as far as this transaction goes.
    private(set) var outboxCount: Int

    init(_ database: Database, limits: StoreLimits, time: Timestamp, outboxCount: Int) {
        self.database = database
        self.limits = limits
        self.time = time
        self.outboxCount = outboxCount
    }

    /// The ids of `batch.outbox`, in its order. Deliveries go first: they make the room that new messages need.
    mutating func write(_ batch: StoreBatch) throws -> [Int64] {
        try remove(batch.removed)
        try remove(topics: batch.removedTopics)
        if batch.removes { try Erasure.noteRewriteIsDue(database) }
        try upsert(batch.changed)
        try write(batch.journal)
        if let number = batch.journalBefore { try removeJournal(before: number) }
        try keep(batch.retained)
        try add(batch.turns)
        try keep(batch.passages)
        try number(batch.fences)
        try note(batch.consentRecords)
        try set(batch.meta)
        try write(batch.untaken, taken: batch.taken)
        try record(batch.history)
        if let time = batch.historyBefore { try purgeHistory(before: time) }
        try add(batch.positions)
        if let time = batch.positionsBefore { try purgePositions(before: time, added: batch.positions.count) }
        try deleteDelivered(batch.delivered)
        return try append(batch.outbox)
    }

    private func remove(_ vehicles: [VehicleID]) throws {
        guard !vehicles.isEmpty else { return }
        for sql in [
            "DELETE FROM vehicle WHERE id = ?", "DELETE FROM history WHERE vehicle = ?",
            "DELETE FROM untaken WHERE vehicle = ?", "DELETE FROM response WHERE vehicle = ?",
            "DELETE FROM cab_token WHERE vehicle = ?",
        ] {
            let delete = try database.cachedStatement(sql: sql)
            for vehicle in vehicles { try delete.execute(arguments: [vehicle.text]) }
        }
        try removeTracks(of: vehicles)
    }

    private mutating func remove(topics: [String]) throws {
        guard !topics.isEmpty else { return }
        let unsent = try database.cachedStatement(sql: "DELETE FROM outbox WHERE topic = ?")
        let retained = try database.cachedStatement(sql: "DELETE FROM retained WHERE topic = ?")
        for topic in topics {
            try unsent.execute(arguments: [topic])
            outboxCount -= database.changesCount
            try retained.execute(arguments: [topic])
        }
    }

    private func upsert(_ vehicles: [StoredVehicle]) throws {
        guard !vehicles.isEmpty else { return }
        let upsert = try database.cachedStatement(
            sql: """
                INSERT INTO vehicle (id, levels, state, updated_at, batch) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE
                SET levels = excluded.levels, state = excluded.state, updated_at = excluded.updated_at,
                    batch = excluded.batch
                """)
        for vehicle in vehicles {
            let id = vehicle.address.vehicle.text
            guard vehicle.state.count <= limits.stateBytes else {
                throw StoreError.stateTooLarge(vehicle: id, bytes: vehicle.state.count, limit: limits.stateBytes)
            }
            let levels = try JSONColumn.text(vehicle.address.levels)
            try upsert.execute(arguments: [id, levels, Data(vehicle.state), time.milliseconds, vehicle.batch])
        }
    }

    private func write(_ journal: [JournalEntry]) throws {
        guard !journal.isEmpty else { return }
        let upsert = try database.cachedStatement(
            sql: """
                INSERT INTO journal (batch, record) VALUES (?, ?)
                ON CONFLICT (batch) DO UPDATE SET record = excluded.record
                """)
        for entry in journal { try upsert.execute(arguments: [entry.batch, Data(entry.record)]) }
    }

    private func removeJournal(before number: Int64) throws {
        try database.cachedStatement(sql: "DELETE FROM journal WHERE batch < ?").execute(arguments: [number])
    }

    private func keep(_ retained: [String: [UInt8]?]) throws {
        guard !retained.isEmpty else { return }
        let delete = try database.cachedStatement(sql: "DELETE FROM retained WHERE topic = ?")
        let upsert = try database.cachedStatement(
            sql: """
                INSERT INTO retained (topic, payload, updated_at) VALUES (?, ?, ?)
                ON CONFLICT (topic) DO UPDATE SET payload = excluded.payload, updated_at = excluded.updated_at
                """)
        for (topic, payload) in retained {
            if let payload {
                try upsert.execute(arguments: [topic, Data(payload), time.milliseconds])
            } else {
                try delete.execute(arguments: [topic])
            }
        }
    }

    private func add(_ turns: [TurnCounts.Row]) throws {
        guard !turns.isEmpty else { return }
        let add = try database.cachedStatement(
            sql: """
                INSERT INTO turn (way, from_node, to_node, next_way, next_from_node, next_to_node, count)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET count = count + excluded.count
                """)
        for turn in turns {
            let (edge, next) = (turn.arriving, turn.next)
            try add.execute(arguments: [edge.way, edge.from, edge.to, next.way, next.from, next.to, turn.count])
        }
    }

    private func keep(_ passages: [StoredPassages: [UInt8]]) throws {
        guard !passages.isEmpty else { return }
        let upsert = try database.cachedStatement(
            sql: """
                INSERT INTO passages (id, counts) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET counts = excluded.counts
                """)
        for (part, counts) in passages { try upsert.execute(arguments: [part.rawValue, Data(counts)]) }
    }

    private func number(_ fences: [KeptFence]) throws {
        guard !fences.isEmpty else { return }
        let delete = try database.cachedStatement(sql: "DELETE FROM fence WHERE id = ?")
        let upsert = try database.cachedStatement(
            sql: """
                INSERT INTO fence (id, digest, serial) VALUES (?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET digest = excluded.digest, serial = excluded.serial
                """)
        for fence in fences {
            if let serial = fence.serial {
                try upsert.execute(arguments: [fence.id, fence.digest, serial])
            } else {
                try delete.execute(arguments: [fence.id])
            }
        }
    }

    private func note(_ consentRecords: [ConsentRecord]) throws {
        guard !consentRecords.isEmpty else { return }
        let delete = try database.cachedStatement(sql: "DELETE FROM refusal WHERE digest = ?")
        let upsert = try database.cachedStatement(
            sql: """
                INSERT INTO refusal (digest, status) VALUES (?, ?)
                ON CONFLICT (digest) DO UPDATE SET status = excluded.status
                """)
        for refusal in consentRecords {
            if let status = refusal.status {
                try upsert.execute(arguments: [refusal.digest, status.rawValue])
            } else {
                try delete.execute(arguments: [refusal.digest])
            }
        }
    }

    private func set(_ meta: [String: String]) throws {
        guard !meta.isEmpty else { return }
        let upsert = try database.cachedStatement(
            sql: "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value")
        for (key, value) in meta {
            try upsert.execute(arguments: [key, value])
        }
    }

    private func record(_ entries: [HistoryEntry]) throws {
        for entry in entries {
            let insert = try database.cachedStatement(
                sql: """
                    INSERT INTO \(entry.type.table) (id, sequence, vehicle, type, time, payload)
                    VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                    """)
            try insert.execute(arguments: [
                entry.id, entry.sequence, entry.vehicle.text, entry.type.rawValue, entry.time.milliseconds,
                Data(entry.payload),
            ])
        }
    }

    private func purgeHistory(before time: Timestamp) throws {
        for table in ["history", "response"] {
            let delete = try database.cachedStatement(
                sql: """
                    DELETE FROM \(table)
                    WHERE number IN (SELECT number FROM \(table) WHERE time < ? ORDER BY time, number LIMIT ?)
                    """)
            try delete.execute(arguments: [time.milliseconds, limits.historyPurge])
        }
    }

    /// Ids of entries that were superseded meanwhile are no longer there, and that is as good as delivered.
    mutating func deleteDelivered(_ ids: [Int64]) throws {
        guard !ids.isEmpty else { return }
        let delete = try database.cachedStatement(sql: "DELETE FROM outbox WHERE id = ?")
        for id in ids {
            try delete.execute(arguments: [id])
            outboxCount -= database.changesCount
        }
    }

    private mutating func append(_ messages: [OutboxMessage]) throws -> [Int64] {
        guard !messages.isEmpty else { return [] }
        let insert = try database.cachedStatement(
            sql: """
                INSERT INTO outbox
                (topic, payload, qos, retain, expires_at, content_type, user_properties, created_at, priority)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        var ids: [Int64] = []
        ids.reserveCapacity(messages.count)
        for (index, message) in messages.enumerated() {
            if let reason = message.objection(limits) { throw StoreError.unsendable(index: index, reason: reason) }
            let publication = message.publication
            if publication.retain { try supersede(publication.topic) }
            guard outboxCount < limits.outboxEntries else { throw StoreError.outboxFull(limit: limits.outboxEntries) }
            try insert.execute(arguments: [
                publication.topic, Data(publication.payload), publication.qos.rawValue, publication.retain,
                message.expiresAt?.milliseconds, publication.contentType,
                try JSONColumn.text(publication.userProperties), time.milliseconds, message.priority.rawValue,
            ])
            outboxCount += 1
            ids.append(database.lastInsertedRowID)
        }
        return ids
    }

    /// A retained message says all that holds on its topic, so an older one that is still unsent is worth nothing.
    ///
    /// One that is in flight goes too: what was sent stays sent, the younger one follows it on the same connection, and
    /// after a crash the younger one alone leaves the topic as both would have.
    private mutating func supersede(_ topic: String) throws {
        let delete = try database.cachedStatement(sql: "DELETE FROM outbox WHERE topic = ? AND retain = 1")
        try delete.execute(arguments: [topic])
        outboxCount -= database.changesCount
    }
}
