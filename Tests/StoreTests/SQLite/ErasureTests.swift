import Fleet
import Foundation
import GRDB
import Hashing
import Messages
import MQTT
import Store
import Testing

@Suite struct ErasureTests {
    let place: TemporaryStore
    let store: Store

    init() throws {
        place = try TemporaryStore()
        // Whoever waits for a lock waits for longer than any test may take.
        var limits = StoreLimits()
        limits.busyTimeoutSeconds = 90
        store = try place.open(limits: limits)
    }

    /// All that a gateway keeps of one vehicle.
    private func everything(of id: String) throws -> StoreBatch {
        StoreBatch(
            time: noon, changed: [try vehicle(id, state: Array("state of \(id)".utf8))],
            outbox: [
                OutboxMessage(topic: "fleet/\(id)/alert", payload: Array("alert of \(id)".utf8)),
                state(of: id, "of \(id)"),
            ],
            retained: ["fleet/\(id)/route": Array("route of \(id)".utf8)],
            untaken: [UntakenAlert(id: "alert-of-\(id)", vehicle: VehicleID(id)!, text: "untaken of \(id)")],
            history: (0..<20).map { entry("\(id)-\($0)", of: id, .event, at: Double($0)) })
    }

    private func removal(of ids: [String]) -> StoreBatch {
        StoreBatch(
            time: noon, removed: ids.compactMap { VehicleID($0) },
            removedTopics: ids.flatMap { ["fleet/\($0)/alert", "fleet/\($0)/state", "fleet/\($0)/route"] })
    }

    /// Whether `text` stands anywhere in the database's files.
    private func isInFiles(_ text: String) throws -> Bool {
        try ["", "-wal"].contains { suffix in
            let file = place.path + suffix
            guard FileManager.default.fileExists(atPath: file) else { return false }
            return try Data(contentsOf: URL(fileURLWithPath: file)).range(of: Data(text.utf8)) != nil
        }
    }

    @Test("A removed vehicle loses its state and history, the topics named lose what waits there; others keep theirs")
    func removal() throws {
        for id in ["A", "B"] { _ = try store.commit(try everything(of: id)) }
        _ = try store.commit(removal(of: ["A"]))
        #expect(try store.vehicles().map(\.address.vehicle.text) == ["B"])
        #expect(try store.unsent() == ["alert of B", "of B"])
        #expect(store.outboxCount == 2)
        #expect(try store.history(limit: 100).entries.allSatisfy { $0.vehicle.text == "B" })
        #expect(try store.history(limit: 100).entries.count == 20)
        var topics: [String] = []
        try store.loadRetained { topic, _ in topics.append(topic) }
        #expect(topics == ["fleet/B/route"])
    }

    @Test("A topic is removed by its whole name, and only what was there before this batch")
    func topics() throws {
        _ = try store.commit(try everything(of: "A"))
        _ = try store.commit(
            StoreBatch(
                time: noon, removed: [VehicleID("A")!], removedTopics: ["fleet/A/alert", "fleet/A", "fleet/A/route"],
                outbox: [OutboxMessage(topic: "fleet/A/alert", payload: Array("farewell".utf8))],
                retained: ["fleet/A/route": [7]], history: [entry("last", of: "A", .event, at: 99)]))
        #expect(try store.unsent() == ["of A", "farewell"])
        #expect(store.outboxCount == 2)
        #expect(try store.history(limit: 100).entries.map(\.id) == ["last"])
        try store.loadRetained { #expect($1 == [7]) }
    }

    @Test("Right after the removal the vehicle's id is nowhere in the files")
    func bytes() throws {
        for id in ["SECRET-7", "OPEN-1"] { _ = try store.commit(try everything(of: id)) }
        #expect(try isInFiles("SECRET-7"))
        _ = try store.commit(removal(of: ["SECRET-7"]))
        #expect(try !isInFiles("SECRET-7"))
        #expect(try isInFiles("OPEN-1"))
    }

    @Test(
        "A reader in its transaction holds up no removal; the log is emptied at the first commit after it",
        .timeLimit(.minutes(1)))
    func reader() throws {
        _ = try store.commit(try everything(of: "SECRET-7"))
        try place.outside { database in
            try database.inTransaction(.deferred) {
                _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM vehicle")
                _ = try store.commit(removal(of: ["SECRET-7"]))
                #expect(try isInFiles("SECRET-7"))
                return .commit
            }
        }
        _ = try store.commit(StoreBatch(time: noon, meta: ["a": "b"]))
        #expect(try !isInFiles("SECRET-7"))
    }

    /// Stores 500 vehicles in an order that splits pages.
    ///
    /// - Returns: the 200 that are to be removed, the others, and the ids of what waits to be sent.
    private func fill(_ store: Store) throws -> (gone: [String], others: [String], unsent: [Int64]) {
        var unsent: [Int64] = []
        let ids = (0..<500).map { "SECRET-\(100_000 + $0 * 7919 % 100_000)" }
        for round in 0..<20 {
            for (index, id) in ids.enumerated() where index % 20 == (round * 7) % 20 {
                var batch = try everything(of: id)
                batch.changed[0].state = [UInt8](repeating: 65, count: round * 40) + Array(id.utf8)
                unsent += try store.commit(batch)
            }
        }
        return (Array(ids.prefix(200)), Array(ids.dropFirst(200)), unsent)
    }

    @Test(
        "What page splits have left of 200 vehicles is gone once the file is rewritten, now or at the next start",
        arguments: [true, false])
    func rewrite(now: Bool) throws {
        let (gone, ids, _) = try fill(store)
        _ = try store.commit(removal(of: gone))
        if now {
            try store.rewriteIfDue()
        } else {
            try store.close()
            _ = try place.open()
        }
        for id in gone { #expect(try !isInFiles(id)) }
        for id in ids { #expect(try isInFiles(id)) }
    }

    @Test("A message that takes back what was retained names the vehicle until it is sent, and not after it")
    func farewell() throws {
        _ = try store.commit(try everything(of: "SECRET-7"))
        var batch = removal(of: ["SECRET-7"])
        batch.outbox = [OutboxMessage(topic: "fleet/SECRET-7/state", payload: [], retain: true)]
        let ids = try store.commit(batch)
        #expect(try isInFiles("SECRET-7"))
        #expect(!store.isRewriteDue)
        // Others go on being told meanwhile.
        _ = try store.commit(try everything(of: "OPEN-1"))
        _ = try store.commit(StoreBatch(time: noon, delivered: ids))
        #expect(try !isInFiles("SECRET-7"))
        #expect(store.isRewriteDue)
        try store.rewriteIfDue()
        #expect(!store.isRewriteDue)
        #expect(try isInFiles("OPEN-1"))
    }

    @Test(
        """
        In a store too large to be rewritten in passing, what page splits have left of 200 vehicles is overwritten a part at a \
        time, while others go on being stored
        """)
    func tooLarge() throws {
        try store.close()
        var limits = StoreLimits()
        (limits.rewriteBytes, limits.sweepSlice) = (10_000, .zero)
        let store = try place.open(limits: limits)
        let (gone, ids, unsent) = try fill(store)
        _ = try store.commit(removal(of: gone))
        _ = try store.commit(StoreBatch(time: noon, delivered: unsent))
        #expect(!store.isRewriteDue && store.isSweepDue)
        #expect(try gone.contains { try isInFiles($0) })
        let states = try store.vehicles().count
        var parts = 0
        while store.isSweepDue, parts < 10_000 {
            try store.sweep()
            parts += 1
            _ = try store.commit(try everything(of: ids[parts % ids.count]))
        }
        #expect(parts > 1 && parts < 10_000)
        for _ in 0..<50 { _ = try store.commit(try everything(of: ids[parts % ids.count])) }
        for id in gone { #expect(try !isInFiles(id)) }
        for id in ids { #expect(try isInFiles(id)) }
        #expect(try store.vehicles().count == states)
        #expect(try place.outside { try String.fetchAll($0, sql: "PRAGMA integrity_check") } == ["ok"])
        try store.close()
        #expect(try place.open().vehicles().count == states)
    }

    @Test("A reader in its transaction holds the overwriting up, and nothing is lost by that")
    func readerOfLarge() throws {
        try store.close()
        var limits = StoreLimits()
        limits.rewriteBytes = 10_000
        let store = try place.open(limits: limits)
        let (gone, _, unsent) = try fill(store)
        _ = try store.commit(removal(of: gone))
        _ = try store.commit(StoreBatch(time: noon, delivered: unsent))
        try place.outside { database in
            try database.inTransaction(.deferred) {
                _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM vehicle")
                _ = try store.commit(StoreBatch(time: noon, meta: ["a": "c"]))
                try store.sweep()
                #expect(store.isSweepDue)
                return .commit
            }
        }
        for _ in 0..<10_000 where store.isSweepDue { try store.sweep() }
        for id in gone { #expect(try !isInFiles(id)) }
    }

    @Test("What a gateway that was killed had still to say is said first, and then nothing of it is left")
    func restart() throws {
        _ = try store.commit(try everything(of: "SECRET-7"))
        var batch = removal(of: ["SECRET-7"])
        batch.outbox = [OutboxMessage(topic: "fleet/SECRET-7/state", payload: [], retain: true)]
        let ids = try store.commit(batch)
        try store.close()
        let next = try place.open()
        _ = try next.commit(StoreBatch(time: noon, delivered: ids))
        #expect(next.isRewriteDue)
        #expect(try !isInFiles("SECRET-7"))
    }

    @Test("Nothing is rewritten where nothing was removed")
    func notDue() throws {
        _ = try store.commit(try everything(of: "A"))
        let version = "PRAGMA schema_version"
        let before = try place.outside { try Int.fetchOne($0, sql: version) }
        try store.rewriteIfDue()
        #expect(try place.outside { try Int.fetchOne($0, sql: version) } == before)
        _ = try store.commit(removal(of: ["A"]))
        try store.rewriteIfDue()
        #expect(try place.outside { try Int.fetchOne($0, sql: version) } != before)
    }
}
