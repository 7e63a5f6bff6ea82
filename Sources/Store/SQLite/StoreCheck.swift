import Foundation
import GRDB
import Synchronization

/// Reads a whole store beside the gateway that uses it, and tells what is damaged: what is not read at the start would otherwise
/// show on the day that it is needed.
package final class StoreCheck: Sendable {
    package enum Outcome: Hashable, Sendable {
        case sound
        /// What SQLite found, a sentence each.
        case damaged([String])
        /// It was cancelled, or took too long.
        case unfinished
    }

    /// Of each table; more says no more.
    private static let findingsMax = 10

    private let reader: StoreReader
    private let isCancelled = Atomic(false)

    /// - Throws: what `StoreReader` throws.
    package init(path: String) throws(StoreError) { reader = try StoreReader(path: path) }

    /// Ends `run` soon; from any thread.
    package func cancel() {
        isCancelled.store(true, ordering: .relaxed)
        reader.interrupt()
    }

    /// One table after the other, each in a transaction of its own: the log can be emptied in between.
    ///
    /// - Parameter limit: how long it may take, as long as it runs the log grows.
    package func run(within limit: Duration) throws(StoreError) -> Outcome {
        let deadline = ContinuousClock.now + limit
        let alarm = DispatchWorkItem { self.cancel() }
        DispatchQueue.global().asyncAfter(deadline: .now() + limit / .seconds(1), execute: alarm)
        defer { alarm.cancel() }
        var findings: [String] = []
        do {
            for table in try tables() {
                guard ContinuousClock.now < deadline, !isCancelled.load(ordering: .relaxed) else { return .unfinished }
                let check = "PRAGMA quick_check(\(table.quotedDatabaseIdentifier))"
                findings += try reader.readFile { try String.fetchAll($0, sql: check) }.filter { $0 != "ok" }
                    .prefix(Self.findingsMax)
            }
        } catch {
            if isCancelled.load(ordering: .relaxed) { return .unfinished }
            guard case .damaged(_, let reason) = error else { throw error }
            findings.append(reason)
        }
        return findings.isEmpty ? .sound : .damaged(findings)
    }

    /// In the order in which they are read: what may be large and is missed least comes last, as time may run out.
    func tables() throws(StoreError) -> [String] {
        let names = """
            SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
            ORDER BY name IN ('history', 'position', 'track'), name
            """
        return try reader.readFile { try String.fetchAll($0, sql: names) }
    }
}
