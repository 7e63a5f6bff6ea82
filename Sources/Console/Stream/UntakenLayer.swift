import Gateway
import Store
import Wire

/// The alerts that dispatch has to take, as a stream tells them: all of them, at its begin and whenever they change.
struct UntakenLayer {
    /// The newest; the count says how many there are.
    static let alertsMax = 100

    private var told: [UntakenAlert]?

    /// Nil where nothing has changed.
    mutating func event(_ snapshot: LiveSnapshot) -> ServerSentEvent? {
        guard snapshot.untaken != told else { return nil }
        told = snapshot.untaken
        let data = JSONWriter.object { writer in
            writer.member("count", snapshot.untaken.count)
            writer.member("alerts", each: snapshot.untaken.suffix(Self.alertsMax)) { $1.write(&$0) }
        }
        return ServerSentEvent("untaken", data)
    }
}
