import Gateway
import Messages
import Wire

/// Who of dispatch sees to which alert, as a stream tells it: all of it, at its begin and whenever it changes.
struct HandlingLayer {
    private var told: [String: Handling]?

    /// Nil where nothing has changed.
    mutating func event(_ snapshot: LiveSnapshot) -> ServerSentEvent? {
        guard snapshot.handlings != told else { return nil }
        told = snapshot.handlings
        let data = JSONWriter.object { writer in
            writer.member("alerts", each: snapshot.handlingsByAge) { writer, handling in
                writer.object { $0.members(of: handling) }
            }
        }
        return ServerSentEvent("taken", data)
    }
}

extension LiveSnapshot {
    /// The oldest first.
    var handlingsByAge: [Handling] {
        handlings.values.sorted { ($0.takenAt, $0.alert) < ($1.takenAt, $1.alert) }
    }
}
