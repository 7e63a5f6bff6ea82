import Fleet
import Logging
import Messages
import Wire

/// Logs what could not be used: each member of each kind of message, by reason, when it is first seen and at most once an
/// hour after that. A broken device must not fill the disk.
struct RejectionLog {
    /// Members are named by who sends them; past so many different lines those of one kind and reason share one.
    static let linesMax = 256
    private static let every: Double = 3600

    private struct Line: Hashable {
        var source: String
        var reason: InputError
        /// Empty: whichever.
        var place: String
    }

    private struct Entry {
        var loggedAt: Timestamp
        var silent = 0
    }

    private var entries: [Line: Entry] = [:]
    private let logger: Logger

    init(logger: Logger) { self.logger = logger }

    /// Something of a message that was not used.
    ///
    /// - Parameter mayBeNamed: whether the log may say whose it is, and what it says.
    mutating func note(_ rejected: RejectedInput, mayBeNamed: Bool, at now: Timestamp) {
        let line = Line(source: rejected.source, reason: rejected.reason, place: rejected.problem?.place ?? "")
        note(line, at: now) {
            let origin = mayBeNamed ? "on \(rejected.topic)" : "from a vehicle that is not kept"
            let words = mayBeNamed ? rejected.problem?.description : rejected.problem?.withoutContent
            return words.map { "\(rejected.source) \(origin): \($0) (\(rejected.reason.rawValue))" }
                ?? "\(rejected.source) \(origin): \(rejected.reason.rawValue)"
        }
    }

    /// Something that was understood and was not used.
    ///
    /// - Parameter vehicle: nil for one that is not to be named.
    mutating func note(_ reason: InputError, of vehicle: VehicleID?, at now: Timestamp) {
        note(Line(source: "", reason: reason, place: ""), at: now) {
            "a message from \(vehicle.map { "\($0)" } ?? "a vehicle that is not kept"): \(reason.rawValue)"
        }
    }

    private mutating func note(_ exact: Line, at now: Timestamp, _ words: () -> String) {
        var line = exact
        if entries[line] == nil && entries.count >= Self.linesMax { line.place = "" }
        if let entry = entries[line], now.since(entry.loggedAt) < Self.every {
            entries[line]?.silent += 1
            return
        }
        let silent = entries[line]?.silent ?? 0
        logger.warning("Rejected \(printable(words()))\(silent > 0 ? "; \(silent) more since the last such line" : "")")
        entries[line] = Entry(loggedAt: now)
    }

    /// What a device sends must not add lines of its own to the log.
    private func printable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
    }
}
