import Foundation
import Messages
import PostgreSQLTestSupport
import Testing

@testable import Store

/// A store whose fleet is divided has a part for each shard and keeps their number.
struct ShardedStoreTests {
    private static let names = ["T1", "T2", "T3", "T4", "T5"]

    private func entry(_ number: Int) -> HistoryEntry {
        HistoryEntry(
            id: "a\(number)", sequence: 1, vehicle: VehicleID(Self.names[number % 5])!, type: .event,
            // Several have one time.
            time: Timestamp(milliseconds: Int64(number / 3)), payload: Array("{}".utf8))
    }

    private func locations() throws -> [StoreLocation] {
        let file = FileManager.default.temporaryDirectory.appending(path: "shards-\(UUID().uuidString).sqlite").path
        return [.file(file), .postgreSQL(try PostgreSQLServer.shared.get().newSchema())]
    }

    private func close(_ stores: [Store]) throws { for store in stores { try store.close() } }

    @Test("A store that was made for another number of shards is refused, and the error says which to set")
    func otherNumber() throws {
        for location in try locations() {
            try close(try Store.open(location, shards: 2))
            for count in [1, 3] {
                let error = #expect(throws: StoreError.self) { try Store.open(location, shards: count) }
                #expect("\(try #require(error))".contains("expected \(count) shards, got 2; set `engine.shards: 2`"))
            }
            try close(try Store.open(location, shards: 2))
        }
    }

    @Test("A store that holds vehicles and was never divided is refused where the fleet is to be divided")
    func undivided() throws {
        for location in try locations() {
            let store = try Store(location)
            let address = VehicleAddress(vehicle: VehicleID("T1")!)
            _ = try store.commit(
                StoreBatch(
                    time: Timestamp(milliseconds: 0), changed: [StoredVehicle(address: address, state: [1], batch: 1)]))
            try store.close()
            #expect(throws: StoreError.self) { try Store.open(location, shards: 2) }
            try close(try Store.open(location, shards: 1))
        }
    }

    @Test("Counts that were imported into a store that was never divided do not end up in one part of it")
    func imported() throws {
        for location in try locations() {
            let store = try Store(location)
            _ = try store.commit(StoreBatch(time: Timestamp(milliseconds: 0), passages: [.inForce: [1]]))
            try store.close()
            #expect(throws: StoreError.self) { try Store.open(location, shards: 2) }
            try close(try Store.open(location, shards: 1))
        }
    }

    @Test("The history of all shards is read in the order of its times, page by page, from both ends")
    func history() throws {
        for location in try locations() {
            let stores = try Store.open(location, shards: 3)
            let all = (0..<100).map(entry)
            for entry in all {
                let index = Self.names.firstIndex(of: entry.vehicle.text)! % 3
                _ = try stores[index].commit(StoreBatch(time: Timestamp(milliseconds: 0), history: [entry]))
            }
            let reader = try StoreReader(location)
            for order in [HistoryOrder.oldestFirst, .newestFirst] {
                var (found, cursor): ([HistoryEntry], HistoryCursor?) = ([], nil)
                repeat {
                    let page = try reader.history(order: order, limit: 7, after: cursor)
                    #expect(page.entries.count == 7 || page.next == nil)
                    found += page.entries
                    cursor = page.next
                } while cursor != nil
                #expect(Set(found.map(\.id)).count == all.count && found.count == all.count)
                let times = found.map(\.time)
                #expect(times == (order == .oldestFirst ? times.sorted() : times.sorted().reversed()))
            }
            try close(stores)
        }
    }

    /// What is left of a store where one part of it is not put back.
    private func removePart(_ index: Int, of location: StoreLocation) throws {
        switch location {
        case .file(let path): try FileManager.default.removeItem(atPath: StoreLocation.file(path, shard: index))
        case .postgreSQL(let address): try alterParts("DROP SCHEMA %I CASCADE", ["\(index)"], at: address)
        }
    }

    private func swapParts(of location: StoreLocation) throws {
        let steps = [("1", "away"), ("2", "1"), ("away", "2")]
        switch location {
        case .file(let path):
            for (from, to) in steps {
                let paths = [from, to].map { path.replacing(".sqlite", with: ".\($0).sqlite") }
                try FileManager.default.moveItem(atPath: paths[0], toPath: paths[1])
            }
        case .postgreSQL(let address):
            for (from, to) in steps { try alterParts("ALTER SCHEMA %I RENAME TO %I", [from, to], at: address) }
        }
    }

    /// - Parameter names: the ends of the schemas' names, for the places `%I` of the statement.
    private func alterParts(_ statement: String, _ names: [String], at address: PostgreSQLAddress) throws {
        let schemas = names.map { "CAST(current_schema() AS TEXT) || '_shard_\($0)'" }.joined(separator: ", ")
        try PostgreSQLServer.run("DO $$ BEGIN EXECUTE format('\(statement)', \(schemas)); END $$", at: address)
    }

    private func execute(_ statement: String, in location: StoreLocation) throws {
        let store = try Store(location)
        _ = try store.write(time: Timestamp(milliseconds: 0)) { try $0.database.execute(statement) }
        try store.close()
    }

    private func expectRefusal(of location: StoreLocation, _ error: StoreError) {
        #expect(throws: error) { try Store.open(location, shards: 3) }
        #expect(throws: error) { try Store.openAll(location) }
        #expect(throws: error) { try StoreReader(location).parts() }
    }

    @Test("A part that is missing is named, and not made; tables with nothing in them are not taken for it")
    func missing() throws {
        for location in try locations() {
            try close(try Store.open(location, shards: 3))
            try removePart(2, of: location)
            let error = StoreError.partMissing(path: "\(location.shard(2))", store: "\(location)")
            for _ in 0..<2 { expectRefusal(of: location, error) }
            try Store(location.shard(2)).close()
            #expect(throws: error) { try Store.open(location, shards: 3) }
        }
    }

    @Test("A first start that was cut short is gone on with, unless another part than the first keeps anything")
    func cutShort() throws {
        for location in try locations() {
            try close(try Store.open(location, shards: 3))
            try removePart(2, of: location)
            // The first part says last how many there are.
            try execute("DELETE FROM meta", in: location)
            let stores = try Store.open(location, shards: 3)
            #expect(try StoreReader(location).parts().count == 3)
            _ = try stores[1].commit(StoreBatch(time: Timestamp(milliseconds: 0), history: [entry(1)]))
            try close(stores)
            try execute("DELETE FROM meta", in: location)
            #expect(throws: StoreError.partMissing(path: "\(location)", store: "\(location)")) {
                try Store.open(location, shards: 3)
            }
        }
    }

    @Test("Parts that stand under each other's names are refused; those of before know which they are once opened")
    func swapped() throws {
        for location in try locations() {
            try close(try Store.open(location, shards: 3))
            for index in 0..<3 { try execute("DELETE FROM meta WHERE key = 'shard'", in: location.shard(index)) }
            try close(try Store.open(location, shards: 3))
            try swapParts(of: location)
            for _ in 0..<2 {
                expectRefusal(
                    of: location, StoreError.otherPart(path: "\(location.shard(1))", expected: 1, got: 2))
            }
            try swapParts(of: location)
            try close(try Store.open(location, shards: 3))
        }
    }

    @Test("The first shard's part is where the store is, the others stand beside it")
    func names() {
        #expect(
            (0..<3).map { StoreLocation.file("/x/headroom.sqlite", shard: $0) } == [
                "/x/headroom.sqlite", "/x/headroom.1.sqlite", "/x/headroom.2.sqlite",
            ])
        #expect(StoreLocation.file("/x.y/store", shard: 1) == "/x.y/store.1")
    }
}
