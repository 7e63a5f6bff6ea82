import Algorithms
import Foundation
import Hashing
import Messages
import MQTT
import Roads

/// Carries out one batch inside the transaction that the store has begun.
///
/// Statements come from the connection's cache and are bound in place: no row type, no copy of a payload beyond `Data`.
struct BatchWriter {
    let database: SQLConnection
    let limits: StoreLimits
    let time: Timestamp
    /// How many entries the outbox holds, as far as this transaction goes.
    private(set) var outboxCount: Int

    init(_ database: SQLConnection, limits: StoreLimits, time: Timestamp, outboxCount: Int) {
        self.database = database
        self.limits = limits
        self.time = time
        self.outboxCount = outboxCount
    }

    /// The ids of `batch.outbox`, in its order. Deliveries go first: they make the room that new messages need.
    mutating func write(_ batch: StoreBatch) throws -> [Int64] {
        try remove(batch.removed)
        try remove(topics: batch.removedTopics)
        if batch.removes { try noteRewriteIsDue() }
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
        try write(batch.webhooks, settled: batch.webhooksSettled)
        try record(batch.history)
        try record(batch.blindSpots)
        if let time = batch.historyBefore {
            try purge("history", before: time)
            try purgeResponses(before: time, but: batch.handlingsKept)
            try purgeBlindSpots(before: time)
        }
        try add(batch.positions)
        if let time = batch.positionsBefore { try purgePositions(before: time, added: batch.positions.count) }
        try deleteDelivered(batch.delivered)
        return try append(batch.outbox)
    }

    private func remove(_ vehicles: [VehicleID]) throws {
        for table in ["history", "untaken", "response", "webhook", "blind_spots"] {
            try database.execute("DELETE FROM \(table) WHERE vehicle = ?", each: vehicles.lazy.map { [$0.text] })
        }
        try database.execute("DELETE FROM vehicle WHERE id = ?", each: vehicles.lazy.map { [$0.text] })
        try removeTracks(of: vehicles)
    }

    private mutating func remove(topics: [String]) throws {
        outboxCount -= try database.execute("DELETE FROM outbox WHERE topic = ?", each: topics.lazy.map { [$0] })
        try database.execute("DELETE FROM retained WHERE topic = ?", each: topics.lazy.map { [$0] })
    }

    private func upsert(_ vehicles: [StoredVehicle]) throws {
        let rows: [SQLValues] = try vehicles.map { vehicle in
            let id = vehicle.address.vehicle.text
            guard vehicle.state.count <= limits.stateBytes else {
                throw StoreError.stateTooLarge(vehicle: id, bytes: vehicle.state.count, limit: limits.stateBytes)
            }
            let levels = try JSONColumn.text(vehicle.address.levels)
            return [id, levels, Data(vehicle.state), time.milliseconds, vehicle.batch]
        }
        try database.execute(
            """
            INSERT INTO vehicle (id, levels, state, updated_at, batch) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE
            SET levels = excluded.levels, state = excluded.state, updated_at = excluded.updated_at,
                batch = excluded.batch
            """, each: rows)
    }

    private func write(_ journal: [JournalEntry]) throws {
        try database.execute(
            """
            INSERT INTO journal (batch, record) VALUES (?, ?)
            ON CONFLICT (batch) DO UPDATE SET record = excluded.record
            """, each: journal.lazy.map { [$0.batch, Data($0.record)] })
    }

    private func removeJournal(before number: Int64) throws {
        try database.execute("DELETE FROM journal WHERE batch < ?", [number])
    }

    private func keep(_ retained: [BytewiseText: [UInt8]?]) throws {
        try database.execute(
            "DELETE FROM retained WHERE topic = ?",
            each: retained.lazy.filter { $0.value == nil }.map { [$0.key.wrappedValue] })
        try database.execute(
            """
            INSERT INTO retained (topic, payload, updated_at) VALUES (?, ?, ?)
            ON CONFLICT (topic) DO UPDATE SET payload = excluded.payload, updated_at = excluded.updated_at
            """,
            each: retained.lazy.compactMap { [time] topic, payload in
                payload.map { [topic.wrappedValue, Data($0), time.milliseconds] }
            })
    }

    private func add(_ turns: [TurnCounts.Row]) throws {
        try database.execute(
            """
            INSERT INTO turn (way, from_node, to_node, next_way, next_from_node, next_to_node, count)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (way, from_node, to_node, next_way, next_from_node, next_to_node)
            DO UPDATE SET count = turn.count + excluded.count
            """,
            each: turns.lazy.map { turn in
                let (edge, next) = (turn.arriving, turn.next)
                return [edge.way, edge.from, edge.to, next.way, next.from, next.to, turn.count]
            })
    }

    private func keep(_ passages: [StoredPassages: [UInt8]]) throws {
        try database.execute(
            "INSERT INTO passages (id, counts) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET counts = excluded.counts",
            each: passages.lazy.map { [$0.key.rawValue, Data($0.value)] })
    }

    private func number(_ fences: [KeptFence]) throws {
        try database.execute(
            "DELETE FROM fence WHERE id = ?", each: fences.lazy.filter { $0.serial == nil }.map { [$0.id] })
        try database.execute(
            """
            INSERT INTO fence (id, digest, serial) VALUES (?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET digest = excluded.digest, serial = excluded.serial
            """,
            each: fences.lazy.compactMap { fence in fence.serial.map { [fence.id, fence.digest, $0] } })
    }

    private func note(_ consentRecords: [ConsentRecord]) throws {
        try database.execute(
            "DELETE FROM refusal WHERE digest = ?",
            each: consentRecords.lazy.filter { $0.status == nil }.map { [$0.digest] })
        try database.execute(
            """
            INSERT INTO refusal (digest, status) VALUES (?, ?)
            ON CONFLICT (digest) DO UPDATE SET status = excluded.status
            """,
            each: consentRecords.lazy.compactMap { record in record.status.map { [record.digest, $0.rawValue] } })
    }

    private func set(_ meta: [String: String]) throws {
        try database.execute(
            "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            each: meta.lazy.map { [$0.key, $0.value] })
    }

    private func record(_ entries: [HistoryEntry]) throws {
        for table in ["history", "response"] {
            try database.execute(
                """
                INSERT INTO \(table) (id, sequence, vehicle, type, time, payload)
                VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                """,
                each: entries.lazy.filter { $0.type.table == table }.map { entry in
                    [
                        entry.id, entry.sequence, entry.vehicle.text, entry.type.rawValue, entry.time.milliseconds,
                        Data(HistoryPayload.stored(entry.payload)),
                    ]
                })
        }
    }

    private func purge(_ table: String, before time: Timestamp) throws {
        try database.execute(
            """
            DELETE FROM \(table)
            WHERE number IN (SELECT number FROM \(table) WHERE time < ? ORDER BY time, number LIMIT ?)
            """, [time.milliseconds, limits.historyPurge])
    }

    /// - Parameter alerts: whose handling stays.
    private func purgeResponses(before time: Timestamp, but alerts: [String]) throws {
        try database.execute(
            """
            DELETE FROM response
            WHERE number IN (
                SELECT number FROM response
                WHERE time < ? AND NOT (type = 'handling' AND ? LIKE '%' || id || '%')
                ORDER BY time, number LIMIT ?)
            """, [time.milliseconds, alerts.joined(separator: " "), limits.historyPurge])
    }

    /// Ids of entries that were superseded meanwhile are no longer there, and that is as good as delivered.
    ///
    /// Brokers acknowledge mostly in order, so that one statement deletes many.
    mutating func deleteDelivered(_ ids: [Int64]) throws {
        let runs = ids.sorted().chunked { $1 <= $0 + 1 }
        outboxCount -= try database.execute(
            "DELETE FROM outbox WHERE id BETWEEN ? AND ?", each: runs.lazy.map { [$0.first, $0.last] })
    }

    /// A retained message says all that holds on its topic, so an older one that is still unsent is worth nothing.
    ///
    /// One that is in flight goes too: what was sent stays sent, the younger one follows it on the same connection, and
    /// after a crash the younger one alone leaves the topic as both would have.
    private mutating func append(_ messages: [OutboxMessage]) throws -> [Int64] {
        guard !messages.isEmpty else { return [] }
        for (index, message) in messages.enumerated() {
            if let reason = message.objection(limits) { throw StoreError.unsendable(index: index, reason: reason) }
        }
        let retained = messages.indices.filter { messages[$0].publication.retain }
        let youngest = Dictionary(retained.map { (messages[$0].publication.$topic, $0) }) { $1 }
        outboxCount -= try database.execute(
            "DELETE FROM outbox WHERE topic = ? AND retain = 1",
            each: youngest.keys.lazy.map { [$0.wrappedValue] })
        let superseded = retained.filter { youngest[messages[$0].publication.$topic] != $0 }
        guard outboxCount + messages.count - superseded.count <= limits.outboxEntries else {
            throw StoreError.outboxFull(limit: limits.outboxEntries)
        }
        let ids = try insert(messages)
        try deleteDelivered(superseded.map { ids[$0] })
        return ids
    }

    private mutating func insert(_ messages: [OutboxMessage]) throws -> [Int64] {
        // Messages of one type share their list.
        var texts: [[UserProperty]: String] = [:]
        let rows: [SQLValues] = try messages.map { message in
            let publication = message.publication
            let text = try texts[publication.userProperties] ?? JSONColumn.text(publication.userProperties)
            texts[publication.userProperties] = text
            return [
                publication.topic, Data(publication.payload), publication.qos.rawValue, publication.retain,
                message.expiresAt?.milliseconds, publication.contentType,
                text, time.milliseconds, message.priority.rawValue,
            ]
        }
        let ids = try database.insert(
            """
            INSERT INTO outbox
            (topic, payload, qos, retain, expires_at, content_type, user_properties, created_at, priority)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, each: rows)
        outboxCount += ids.count
        return ids
    }
}
