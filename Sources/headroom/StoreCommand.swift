import ArgumentParser
import Foundation
import Store

/// `headroom store …`
struct StoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store", abstract: "Moves the store.", subcommands: [Move.self])

    /// `headroom store move --from STORE --to STORE`
    struct Move: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Copies all that a store holds into another, which is empty.",
            discussion: """
                A store is the path of an SQLite file, or postgresql://user@host:port/database; a password is taken from \
                PGPASSWORD or from libpq's password file. No gateway may run with either. The first one stays as it is: \
                set `store` to the second one before the gateway starts again. Where engine.shards divides the store, \
                all its parts are copied, and the second one has as many.
                """)

        @Option(help: "The store that there is.", completion: .file())
        var from: String

        @Option(help: "The store to fill. It is made where it is not there.", completion: .file())
        var to: String

        func run() throws {
            guard StoreLocation(from) != StoreLocation(to) else {
                throw CommandError.usage("--from and --to are the same store, \(StoreLocation(from))")
            }
            let stop = StopOrder()
            let sources = [SIGINT, SIGTERM].map { stop.set(on: $0) }
            defer { sources.forEach { $0.cancel() } }
            var progress = ProgressBar("Moving")
            let start = ContinuousClock.now
            do throws(StoreError) {
                let move = try StoreMove(from: StoreLocation(from), to: StoreLocation(to)) { share in
                    progress.update(share)
                    return !stop.isSet
                }
                progress.finish()
                tell(move, took: ContinuousClock.now - start)
            } catch {
                progress.finish()
                throw Self.failure(error)
            }
        }

        private func tell(_ move: StoreMove, took: Duration) {
            let parts = move.rows.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            let seconds = String(format: "%.1f", took / .seconds(1))
            Terminal.print(
                "\(StoreLocation(to)): \(move.rows.values.reduce(0, +)) rows, counted, in \(seconds) s: "
                    + parts.joined(separator: ", "))
        }

        /// What was asked for wrongly, and what failed.
        private static func failure(_ error: StoreError) -> CommandError {
            switch error {
            case .copyExists(let path): .usage("\(path) is not empty; name another store")
            default: CommandError(error)
            }
        }
    }
}
