import Broker
import MQTT

/// Messages that were taken from the connection and not yet into a turn, in the order in which they came.
///
/// Once the gateway is far behind, a fix takes the place of the oldest of the same vehicle that waits: who is judged by a
/// position that is a minute old is not warned. Nothing else is displaced, and no fix is moved before anything else that may
/// decide how it is judged. While any message waits that is to be acknowledged, no acknowledgement may leave.
struct WaitingMessages {
    enum Kind {
        /// A newer one of the same topic says all that it says.
        case fix
        /// It is the gateway's own.
        case probe
        case other
    }

    /// About 10 MB of fixes. More stay at the broker.
    static let countMax = 16_384

    /// What comes on this topic is the gateway's own, and nothing is lost if it is acknowledged early.
    private let probeTopic: String
    private var messages: [ReceivedMessage] = []
    /// How many at the front have been taken.
    private var taken = 0
    /// How many of those that wait are to be acknowledged.
    private var unacknowledged = 0
    /// Positions of the fixes that may be displaced, the oldest first, by topic; nil while none may.
    private var fixes: [String: [Int]]?
    private var displaced: [ReceivedMessage] = []

    init(probeTopic: String = "") { self.probeTopic = probeTopic }

    var count: Int { messages.count - taken }
    var isEmpty: Bool { count == 0 }
    /// Whether an acknowledgement that left now could be that of a message that waits.
    var holdsAcknowledgements: Bool { unacknowledged > 0 }

    /// - Parameter kind: nil: none is displaced.
    mutating func add(_ arrived: [ReceivedMessage], displacing kind: ((ReceivedMessage) -> Kind)? = nil) {
        if taken >= Self.countMax {
            messages.removeFirst(taken)
            (taken, fixes) = (0, nil)
        }
        guard let kind else {
            fixes = nil
            for message in arrived { append(message) }
            return
        }
        if fixes == nil {
            fixes = [:]
            for position in taken..<messages.count { note(messages[position], kind, at: position) }
        }
        for message in arrived {
            if case .fix = kind(message), let position = fixes?[message.topic]?.first {
                displace(position, by: message)
            } else {
                note(message, kind, at: messages.count)
                append(message)
            }
        }
    }

    /// The oldest that waits; nil: none does.
    mutating func next() -> ReceivedMessage? {
        guard taken < messages.count else { return nil }
        let message = messages[taken]
        if fixes?[message.topic]?.first == taken { fixes?[message.topic]?.removeFirst() }
        taken += 1
        count(message, -1)
        if isEmpty { (messages, taken, fixes) = ([], 0, nil) }
        return message
    }

    /// Those that were displaced since the last call.
    mutating func takeDisplaced() -> [ReceivedMessage] {
        defer { displaced = [] }
        return displaced
    }

    private mutating func append(_ message: ReceivedMessage) {
        messages.append(message)
        count(message, 1)
    }

    private mutating func note(_ message: ReceivedMessage, _ kind: (ReceivedMessage) -> Kind, at position: Int) {
        switch kind(message) {
        case .fix: fixes?[message.topic, default: []].append(position)
        case .probe: break
        case .other: fixes = [:]
        }
    }

    /// The newest is judged when it would have been the turn of the oldest; those between count as older ones that come late.
    private mutating func displace(_ position: Int, by message: ReceivedMessage) {
        displaced.append(messages[position])
        count(messages[position], -1)
        messages[position] = message
        count(message, 1)
    }

    private mutating func count(_ message: ReceivedMessage, _ change: Int) {
        if message.qos != .atMostOnce, message.topic != probeTopic { unacknowledged += change }
    }
}
