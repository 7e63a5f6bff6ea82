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

    @Test("The first shard's part is where the store is, the others stand beside it")
    func names() {
        #expect(
            (0..<3).map { StoreLocation.file("/x/headroom.sqlite", shard: $0) } == [
                "/x/headroom.sqlite", "/x/headroom.1.sqlite", "/x/headroom.2.sqlite",
            ])
        #expect(StoreLocation.file("/x.y/store", shard: 1) == "/x.y/store.1")
    }
}
