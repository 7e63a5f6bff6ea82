import Gateway
import Messages
import Store
import Wire

/// The alerts that dispatch has to take, as a stream tells them: all of them, at its begin and whenever they change.
struct UntakenLayer {
    /// Those that passed before those at `stop`, escalated ones first among these, and then the newest; the count says how many
    /// there are.
    static let alertsMax = 100

    private var told: [UntakenAlert]?

    /// Nil where nothing has changed.
    mutating func event(_ snapshot: LiveSnapshot) -> ServerSentEvent? {
        guard snapshot.untaken != told else { return nil }
        told = snapshot.untaken
        let data = JSONWriter.object { writer in
            writer.member("count", snapshot.untaken.count)
            let urgent = snapshot.untaken.sorted { ($0.rank, $1.time, $0.id) < ($1.rank, $0.time, $1.id) }
            writer.member("alerts", each: urgent.prefix(Self.alertsMax)) { $1.write(&$0) }
        }
        return ServerSentEvent("untaken", data)
    }
}

extension UntakenAlert {
    fileprivate var rank: Int { stage == .passed ? 0 : escalatedAt != nil ? 1 : 2 }
}
