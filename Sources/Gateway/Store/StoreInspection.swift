import Foundation
import Logging
import Store

/// Has the files of the store checked once after the start, on a thread that gives way to all others.
final class StoreInspection: Sendable {
    /// Some gigabytes; until it ends the store's log may grow.
    private static let limit: Duration = .seconds(60)
    /// The lowest priority of Linux.
    private static let niceness: CInt = 19

    private let checks: [StoreCheck]
    private let shared: SharedState
    private let logger: Logger

    /// - Parameter paths: of the files of a store that is open.
    init(_ paths: [String], _ shared: SharedState, logger: Logger) throws(StoreError) {
        var checks: [StoreCheck] = []
        for path in paths { checks.append(try StoreCheck(path: path)) }
        self.checks = checks
        self.shared = shared
        self.logger = logger
    }

    func start() {
        let thread = Thread { self.run() }
        thread.name = "store check"
        thread.start()
    }

    /// Ends it; from any thread.
    func cancel() { for check in checks { check.cancel() } }

    private func run() {
        // Linux has a priority for each thread, and takes 0 for the one that asks.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
        do {
            var damages = 0
            for check in checks {
                switch try check.run(within: Self.limit) {
                case .sound: break
                case .damaged(let findings):
                    damages += findings.count
                    for finding in findings { logger.error("The store is damaged: \(finding)") }
                    logger.error("Stop the gateway and restore the store from a backup")
                case .unfinished:
                    logger.info("The store was not checked to its end; `headroom backup` checks all of it")
                    if damages > 0 { note(damages: damages) }
                    return
                }
            }
            note(damages: damages)
        } catch {
            logger.warning("The store could not be checked: \(error)")
        }
    }

    private func note(damages count: Int) {
        shared.metrics.storeChecked.set(1)
        shared.metrics.storeDamages.set(count)
        shared.readiness.setStoreDamages(count)
    }
}
