import Fleet
import Logging

/// Logs what could not be used, each reason at most once a minute: a broken device must not fill the disk.
struct RejectionLog {
    private static let every: Double = 60

    private struct Entry {
        var loggedAt: Timestamp
        var silent = 0
    }

    private var entries: [Rejection: Entry] = [:]
    private let logger: Logger

    init(logger: Logger) { self.logger = logger }

    /// - Parameter place: where it came from, for people.
    mutating func note(_ reason: Rejection, _ place: String, at now: Timestamp) {
        if let entry = entries[reason], now.since(entry.loggedAt) < Self.every {
            entries[reason]?.silent += 1
            return
        }
        let silent = entries[reason]?.silent ?? 0
        let more = silent > 0 ? "; \(silent) more since the last such line" : ""
        logger.warning("Rejected a message \(place): \(reason.rawValue)\(more)")
        entries[reason] = Entry(loggedAt: now)
    }
}
