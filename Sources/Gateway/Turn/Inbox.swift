import DequeModule
import Messages
import Store

/// What has come from the broker and is to be decided.
struct Inbox {
    var messages = WaitingMessages()
    /// What the first of them says and is not handled, where an earlier turn has begun with it.
    var rest: Deque<Input> = []
    /// What those of them say that are the gateway's own, in their order.
    var answers: Deque<ProbeAnswer> = []
    /// The newest message that was sent to come back and is handled; nil: none is.
    var roundTrip: RoundTrip.Mark?
    /// Ids of outbox entries that the broker has acknowledged.
    var delivered: [Int64] = []
    /// That of a new connection; nil: there is none.
    var session: ConnectedSession?
    /// The newest mark that the broker has taken, to be stored.
    var mark: Int?
    /// Of dispatchers.
    var requests: [HandlingRequest] = []
    /// Whether the turn ended with a changed clearance: what was sent after it waits.
    var isHeldByChange = false
    /// Whether the next message, or the end of a clearance, changes what the journal was decided by, and waits until vehicles are
    /// written.
    var isHeldBySaving = false
    /// Whether nothing that was sent before has still to come: only then time passes without a message.
    var isUpToDate = false

    /// Whether the broker's answer to a question has come and waits for its turn.
    var awaitsRetainedRead: Bool { answers.contains { if case .retainedRead = $0 { true } else { false } } }

    /// Whether it was found that the broker or the store has an earlier state, and that waits for its turn. A newer mark that is
    /// stored before would hide it after a kill.
    var awaitsFinding: Bool {
        answers.contains { answer in
            switch answer {
            case .earlierState, .laterState: true
            case .nothing, .roundTrip, .probed, .retainedRead: false
            }
        }
    }
}
