import Fleet
import Foundation
import Geo
import Hashing
import Messages
import PostgreSQLTestSupport
import Roads
import Store
import Testing

@Suite struct StoreMoveTests {
    let file: StoreLocation
    let database: StoreLocation
    let place: TemporaryStore

    init() throws {
        place = try TemporaryStore()
        file = place.location
        database = .postgreSQL(try PostgreSQLServer.shared.get().newSchema())
    }

    /// Something of every kind, as many rows as are read at once and more.
    private func fill(_ location: StoreLocation) throws {
        let store = try Store(location)
        let edge = EdgeKey(way: 1, from: 2, to: 3)
        let id = try #require(VehicleID("T1"))
        let fix = Fix(position: Coordinate(latitude: 49, longitude: 8), time: noon, accuracy: 5)
        _ = try store.commit(
            StoreBatch(
                time: noon, changed: try (0..<2_500).map { try vehicle("T\($0)", levels: ["a"], state: [0, 255, 7]) },
                journal: [JournalEntry(batch: 7, record: [])], outbox: [alert("gone"), alert("1"), event("2")],
                retained: ["b": Array("1".utf8), "a": []],
                turns: [TurnCounts.Row(arriving: edge, next: edge, count: 3)], passages: [.inForce: [1]],
                meta: ["fact": "“7”"],
                history: [
                    HistoryEntry(id: "e", sequence: 1, vehicle: id, type: .event, time: noon, payload: [123, 125])
                ], positions: [TrackPoint(vehicle: id, fix: fix)]))
        _ = try store.commit(StoreBatch(time: noon, delivered: [1]))
        try store.close()
    }

    private func expectAll(in location: StoreLocation) throws {
        let store = try Store(location)
        defer { try? store.close() }
        #expect(try store.vehicles().count == 2_500)
        #expect(try store.vehicles().allSatisfy { $0.state == [0, 255, 7] && $0.address.levels == ["a"] })
        #expect(try store.loadJournal() == [JournalEntry(batch: 7, record: [])])
        #expect(try store.unsent() == ["1", "2"])
        #expect(store.outboxCount == 2)
        #expect(try store.retained("b") == Array("1".utf8))
        #expect(try store.meta("fact") == "“7”")
        #expect(try store.history(limit: 10).entries.map(\.id) == ["e"])
        #expect(try store.loadPassages(.inForce) == [1])
        let reader = try StoreReader(location)
        #expect(try reader.track(of: VehicleID("T1")!, limit: 10).fixes.map(\.accuracy) == [5])
    }

    @Test("All of a file is in the database afterwards, and all of the database in another file; no id is given twice")
    func thereAndBack() throws {
        try fill(file)
        let move = try StoreMove(from: file, to: database)
        #expect(move.rows["vehicle"] == 2_500 && move.rows["outbox"] == 2)
        try expectAll(in: database)
        let other = try TemporaryStore()
        #expect(try StoreMove(from: database, to: other.location).rows["vehicle"] == 2_500)
        try expectAll(in: other.location)
        try expectAll(in: file)
        for location in [file, database, other.location] {
            let store = try Store(location)
            _ = try store.commit(StoreBatch(time: noon, delivered: [2, 3]))
            #expect(try store.commit(StoreBatch(time: noon, outbox: [alert("next")])) == [4])
            try store.close()
        }
    }

    @Test("A target that holds anything is refused and stays as it was")
    func notEmpty() throws {
        try fill(file)
        let target = try Store(database)
        _ = try target.commit(StoreBatch(time: noon, meta: ["mine": "1"]))
        try target.close()
        #expect(throws: StoreError.copyExists(path: "\(database)")) { try StoreMove(from: file, to: database) }
        #expect(try Store(database).meta("mine") == "1")
    }

    @Test("A store that is in use, or is not there, is not moved; one that was stopped has left nothing")
    func refused() throws {
        #expect(throws: StoreError.self) { try StoreMove(from: file, to: database) }
        try fill(file)
        let open = try Store(file)
        #expect(throws: StoreError.inUse(path: place.path, process: getpid())) {
            try StoreMove(from: file, to: database)
        }
        try open.close()
        #expect(throws: StoreError.copyFailed(path: "\(database)", reason: "it was stopped")) {
            try StoreMove(from: file, to: database) { _ in false }
        }
        #expect(try StoreMove(from: file, to: database).rows["vehicle"] == 2_500)
    }

    /// A store in three parts, with as many vehicles in each as its index and one.
    private func fillDivided(_ location: StoreLocation) throws {
        for (index, store) in try Store.open(location, shards: 3).enumerated() {
            let vehicles = try (0...index).map { try vehicle("T\(index)-\($0)") }
            _ = try store.commit(StoreBatch(time: noon, changed: vehicles, outbox: [alert("\(index)")]))
            try store.close()
        }
    }

    private func expectDivided(in location: StoreLocation) throws {
        for (index, store) in try Store.open(location, shards: 3).enumerated() {
            #expect(try store.vehicles().map(\.address.vehicle.text) == (0...index).map { "T\(index)-\($0)" })
            #expect(try store.unsent() == ["\(index)"])
            try store.close()
        }
    }

    @Test("All parts of a store with shards are moved, into a database and into files, and counted")
    func divided() throws {
        try fillDivided(file)
        let move = try StoreMove(from: file, to: database)
        #expect(move.rows["vehicle"] == 6 && move.rows["outbox"] == 3)
        try expectDivided(in: database)
        let other = try TemporaryStore()
        #expect(try StoreMove(from: database, to: other.location).rows["vehicle"] == 6)
        try expectDivided(in: other.location)
        try expectDivided(in: file)
    }

    @Test("A store of which one part is in use, or is not there, is not moved; a move that was stopped leaves no part")
    func dividedRefused() throws {
        try fillDivided(file)
        let part = StoreLocation.file(place.path, shard: 2)
        let open = try Store(path: part)
        #expect(throws: StoreError.inUse(path: part, process: getpid())) { try StoreMove(from: file, to: database) }
        try open.close()
        #expect(throws: StoreError.self) { try StoreMove(from: file, to: database) { $0 < 0.9 } }
        try FileManager.default.moveItem(atPath: part, toPath: part + ".away")
        #expect(throws: StoreError.partMissing(path: part, store: place.path)) {
            try StoreMove(from: file, to: database)
        }
        try FileManager.default.moveItem(atPath: part + ".away", toPath: part)
        #expect(try StoreMove(from: file, to: database).rows["vehicle"] == 6)
        try expectDivided(in: database)
    }
}
