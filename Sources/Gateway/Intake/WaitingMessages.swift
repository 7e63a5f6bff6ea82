import Broker
import DequeModule
import Hashing
import MQTT

/// Messages that were taken from the connection and not yet into a turn, in the order in which they came.
///
/// Once the gateway is far behind, a fix takes the place of the oldest of the same vehicle that waits: who is judged by a
/// position that is a minute old is not warned. Nothing else is displaced, and no fix is moved before anything else that may
/// decide how it is judged. While any message waits that is to be acknowledged, no acknowledgement may leave.
///
/// What a turn has begun and not ended is the first one still; it is none that may be displaced, as it is more than one fix.
struct WaitingMessages {
    enum Kind {
        /// A newer one of the same topic says all that it says.
        case fix
        /// It is the gateway's own.
        case probe
        case other
    }

    /// How much waits, of one shard or of all.
    struct Amount {
        var count = 0
        /// Of topics and payloads.
        var bytes = 0
        /// How many are to be acknowledged.
        var unacknowledged = 0

        /// Whether an acknowledgement that left now could be that of a message that waits.
        var holdsAcknowledgements: Bool { unacknowledged > 0 }

        /// Whether nothing may be added to it.
        var isFull: Bool { count >= countMax || bytes >= bytesMax }

        static func + (left: Amount, right: Amount) -> Amount {
            Amount(
                count: left.count + right.count, bytes: left.bytes + right.bytes,
                unacknowledged: left.unacknowledged + right.unacknowledged)
        }
    }

    /// About 10 MB of fixes. More stay at the broker.
    static let countMax = 16_384
    /// So that few large messages do not fill the memory: 256 buffered uploads of the largest size. What is read before that is
    /// seen, 64 MB at most, comes on top.
    static let bytesMax = 64 << 20

    /// What comes on this topic is the gateway's own, and nothing is lost if it is acknowledged early.
    private let probeTopic: String
    private var messages: Deque<ReceivedMessage> = []
    /// How many have been taken; the position of the first that waits, where positions are counted from the first of all.
    private var taken = 0
    private(set) var amount = Amount()
    /// Positions of the fixes that may be displaced, the oldest first, by topic; nil while none may.
    private var fixes: [BytewiseText: [Int]]?
    private var displacedTopics: [String] = []

    init(probeTopic: String = "") { self.probeTopic = probeTopic }

    var isEmpty: Bool { messages.isEmpty }

    func contains(_ topic: String, _ payload: [UInt8]) -> Bool {
        let topic = BytewiseText(topic)
        return messages.contains { $0.$topic == topic && $0.payload == payload }
    }

    /// - Parameter kind: nil: none is displaced.
    mutating func add(_ arrived: [ReceivedMessage], displacing kind: ((ReceivedMessage) -> Kind)? = nil) {
        guard let kind else {
            fixes = nil
            for message in arrived { append(message) }
            return
        }
        if fixes == nil {
            fixes = [:]
            for (index, message) in messages.enumerated() { note(message, kind, at: taken + index) }
        }
        for message in arrived {
            if case .fix = kind(message), let position = fixes?[message.$topic]?.first {
                displace(position, by: message)
            } else {
                note(message, kind, at: taken + messages.count)
                append(message)
            }
        }
    }

    /// The oldest that waits; nil: none does.
    var first: ReceivedMessage? { messages.first }

    /// The oldest is done. Until then it counts as one that waits, so that it is not acknowledged.
    ///
    /// - Precondition: there is one.
    @discardableResult
    mutating func removeFirst() -> ReceivedMessage {
        let message = messages.removeFirst()
        if fixes?[message.$topic]?.first == taken { fixes?[message.$topic]?.removeFirst() }
        taken += 1
        count(message, -1)
        if isEmpty { fixes = nil }
        return message
    }

    /// The topics of those that were displaced since the last call.
    mutating func takeDisplacedTopics() -> [String] {
        defer { displacedTopics = [] }
        return displacedTopics
    }

    private mutating func append(_ message: ReceivedMessage) {
        messages.append(message)
        count(message, 1)
    }

    private mutating func note(_ message: ReceivedMessage, _ kind: (ReceivedMessage) -> Kind, at position: Int) {
        switch kind(message) {
        case .fix: fixes?[message.$topic, default: []].append(position)
        case .probe: break
        case .other: fixes = [:]
        }
    }

    /// The newest is judged when it would have been the turn of the oldest; those between count as older ones that come late.
    private mutating func displace(_ position: Int, by message: ReceivedMessage) {
        displacedTopics.append(message.topic)
        count(messages[position - taken], -1)
        messages[position - taken] = message
        count(message, 1)
    }

    private mutating func count(_ message: ReceivedMessage, _ change: Int) {
        amount.count += change
        amount.bytes += change * (message.topic.utf8.count + message.payload.count)
        if message.qos != .atMostOnce, message.topic != probeTopic { amount.unacknowledged += change }
    }
}
