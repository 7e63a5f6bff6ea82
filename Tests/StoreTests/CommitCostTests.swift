import Foundation
import PostgreSQLTestSupport
import Store
import Testing

/// What a commit costs; run by hand: `HEADROOM_MEASURE=1 swift test --filter CommitCostTests`.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["HEADROOM_MEASURE"] != nil))
struct CommitCostTests {
    @Test("A commit of so many messages of 600 bytes, in milliseconds")
    func cost() throws {
        let place = try TemporaryStore()
        let server = try PostgreSQLServer(isDurable: true)
        for durability in StoreDurability.allCases {
            for location in [place.location, .postgreSQL(try server.newSchema())] {
                let store = try Store(location, durability: durability)
                for count in [1, 20, 400] {
                    let times = try (0..<200).map { _ in try Self.milliseconds(count, in: store) }.sorted()
                    print(
                        durability, place.location == location ? "SQLite" : "PostgreSQL", count,
                        String(format: "median %.2f, 99 %% %.2f", times[100], times[198]))
                }
                try store.close()
            }
        }
    }

    private static func milliseconds(_ count: Int, in store: Store) throws -> Double {
        let message = alert(String(repeating: "x", count: 600))
        let start = ContinuousClock.now
        let ids = try store.commit(StoreBatch(time: noon, outbox: Array(repeating: message, count: count)))
        let took = ContinuousClock.now - start
        _ = try store.commit(StoreBatch(time: noon, delivered: ids))
        return took / .milliseconds(1)
    }
}
