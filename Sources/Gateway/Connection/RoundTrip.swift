import Broker
import Messages
import MQTT

/// Tells whether all that the broker had for the gateway a moment ago has come and been handled: a message of the gateway's own
/// goes to the broker again and again, and comes back behind all that was there before it.
///
/// A lost connection, a broker or a network that stands still without anybody having noticed, a backlog after either of
/// them, and more messages than can be handled look the same: the message is not back yet.
struct RoundTrip {
    /// One of its messages.
    struct Mark: Hashable {
        fileprivate var token: String
        fileprivate var sent: Timestamp
    }

    /// Seconds; often enough that passes a second apart find the one before back.
    static let every: Double = 0.5
    /// What is back was sent so many seconds ago at most. `Timeline` looks for deadlines two seconds after they can have fallen due,
    /// so that nothing comes too late for them that was sent since.
    static let ageMax: Double = 2

    private let topic: String
    /// Tells its messages from those of an earlier connection, which may be delivered on this one.
    private var token: String
    private var sentAt: Timestamp?
    /// When the newest that is back and handled by every shard was sent; nil: none is.
    private var returned: Timestamp?

    /// - Parameter topic: to which the gateway has subscribed.
    init(topic: String) {
        self.topic = topic
        token = Self.newToken()
    }

    private static func newToken() -> String { "round-trip-\(String(UInt64.random(in: .min ... .max), radix: 16))" }

    /// There is another connection, or none any more.
    mutating func restart() {
        token = Self.newToken()
        (sentAt, returned) = (nil, nil)
    }

    /// Whether vehicles' clocks may go on.
    func isUpToDate(at now: Timestamp) -> Bool { returned.map { now.since($0).magnitude <= Self.ageMax } ?? false }

    /// Seconds since the newest that is back was sent; nil: none is.
    func age(at now: Timestamp) -> Double? { returned.map { now.since($0) } }

    /// Sends the next message if it is due; where the connection has no room for it, a later call does.
    mutating func advance(over connection: any MQTTConnection, at now: Timestamp) {
        if let sentAt, now.since(sentAt).magnitude < Self.every { return }
        let message = Publication(
            topic: topic, payload: Array("\(token) \(now.milliseconds)".utf8), qos: .atLeastOnce)
        if (try? connection.publish(message)) != nil { sentAt = now }
    }

    /// Which of its messages this one is; nil: it is none of these.
    func mark(_ message: ReceivedMessage) -> Mark? {
        guard message.topic == topic else { return nil }
        let parts = String(decoding: message.payload, as: UTF8.self).split(separator: " ")
        guard parts.count == 2, parts[0] == token, let sent = Int64(parts[1]) else { return nil }
        return Mark(token: token, sent: Timestamp(milliseconds: sent))
    }

    /// - Parameter marks: of each shard the newest that it has handled; nil: none.
    mutating func note(_ marks: [Mark?]) {
        let sent = marks.compactMap { $0?.token == token ? $0?.sent : nil }
        if sent.count == marks.count { returned = sent.min() }
    }
}
