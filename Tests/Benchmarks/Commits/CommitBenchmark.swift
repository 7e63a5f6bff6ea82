import ArgumentParser
import Foundation
import Messages
import MQTT
import PostgreSQLTestSupport
import Store

/// Measures what a commit costs, in SQLite and in a PostgreSQL server of its own.
@main
struct CommitBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "commit-benchmark",
        abstract: "Measures what a commit costs, in SQLite and in PostgreSQL.",
        discussion: """
            Prints one object a line for each database, durability and number of messages: the median and the 99th percentile \
            of the milliseconds that a commit of so many messages of 600 bytes takes.
            """)

    @Option(parsing: .upToNextOption, help: "Messages in a commit.")
    var messages = [1, 20, 400]

    @Option(help: "Commits of each kind.")
    var commits = 200

    func validate() throws {
        guard commits > 0, !messages.isEmpty, messages.allSatisfy({ $0 > 0 }) else {
            throw ValidationError("expected counts of 1 or more")
        }
    }

    func run() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "headroom-commits-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try PostgreSQLServer(isDurable: true)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        for durability in StoreDurability.allCases {
            let file = StoreLocation.file(folder.appending(path: "\(durability).sqlite").path)
            for (name, location) in [("SQLite", file), ("PostgreSQL", .postgreSQL(try server.newSchema()))] {
                let store = try Store(location, durability: durability)
                for count in messages {
                    let times = try (0..<commits).map { _ in try milliseconds(count, in: store) }.sorted()
                    let line = CommitTimes(
                        database: name, durability: "\(durability)", messages: count, median: times[times.count / 2],
                        percentile99: times[(times.count - 1) * 99 / 100])
                    print(String(decoding: try encoder.encode(line), as: UTF8.self))
                }
                try store.close()
            }
        }
    }

    /// Of one commit; what it left in the outbox is delivered with another one.
    private func milliseconds(_ count: Int, in store: Store) throws -> Double {
        let time = Timestamp(milliseconds: 1_795_266_000_000)
        let publication = Publication(topic: "fleet/T42/alert", payload: [UInt8](repeating: 0x78, count: 600))
        let message = OutboxMessage(publication, .high)
        let start = ContinuousClock.now
        let ids = try store.commit(StoreBatch(time: time, outbox: Array(repeating: message, count: count)))
        let took = ContinuousClock.now - start
        _ = try store.commit(StoreBatch(time: time, delivered: ids))
        return took / .milliseconds(1)
    }
}

private struct CommitTimes: Encodable {
    var database: String
    var durability: String
    var messages: Int
    /// Milliseconds, as the next.
    var median: Double
    var percentile99: Double
}
