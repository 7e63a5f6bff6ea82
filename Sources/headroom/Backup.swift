import ArgumentParser
import Foundation
import Gateway
import HeadroomConfiguration
import Store
import Synchronization

/// `headroom backup`
struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Copies the store, whether the gateway runs or not.",
        discussion: """
            The copy holds what was committed when it was begun, is checked, and gets its name when it is whole and on \
            disk. It is a store like any other: to go back to it, stop the gateway, remove the store with its -wal and \
            -shm, and put the copy in its place. Where engine.shards divides the store, each part has a copy, named after \
            OUT as the parts are after the store: OUT.sqlite, OUT.1.sqlite.
            """)

    @OptionGroup var config: ConfigOption

    @Flag(help: "Replace OUT where it is there already.")
    var force = false

    @Argument(help: "The copy to make.", completion: .file())
    var out: String

    func run() throws {
        let settings = try config.settings()
        if case .postgreSQL(let address) = settings.storeLocation {
            throw CommandError.usage("the store is in PostgreSQL; copy it with pg_dump \(address)")
        }
        let stop = StopOrder()
        let sources = [SIGINT, SIGTERM].map { stop.set(on: $0) }
        defer { sources.forEach { $0.cancel() } }
        let progress = Mutex(ProgressBar("Copying"))
        defer { progress.withLock { $0.finish() } }
        let start = ContinuousClock.now
        do throws(StoreError) {
            let parts = try StoreReader(path: settings.store).parts()
            for (index, part) in parts.enumerated() {
                let copy = try StoreCopy(
                    of: part.path, to: StoreLocation.file(out, shard: index), replaces: force
                ) { share in
                    progress.withLock { $0.update((Double(index) + share) / Double(parts.count)) }
                    return !stop.isSet
                }
                tell(copy, took: ContinuousClock.now - start)
            }
        } catch {
            if stop.isSet { throw CommandError.failed("stopped; no copy was made") }
            throw Self.failure(error)
        }
    }

    private func tell(_ copy: StoreCopy, took: Duration) {
        let parts = [
            VisitsTable.count(copy.vehicles, "vehicle"), "\(copy.history) alerts, fence events and visits",
            VisitsTable.count(copy.positions, "position"), VisitsTable.count(copy.unsent, "unsent message"),
        ]
        let size = Int64(copy.bytes).formatted(.byteCount(style: .file, spellsOutZero: false))
        let seconds = String(format: "%.1f", took / .seconds(1))
        Terminal.print("\(copy.path): \(size), checked, in \(seconds) s: \(parts.joined(separator: ", "))")
    }

    /// What was asked for wrongly, and what failed.
    private static func failure(_ error: StoreError) -> CommandError {
        switch error {
        case .copyExists: .usage("\(error), with --force")
        default: CommandError(error)
        }
    }
}
