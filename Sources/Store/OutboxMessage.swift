public import Messages

/// An MQTT 5 user property (§3.3.2.3.7).
public struct UserProperty: Hashable, Sendable, Codable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// What goes before what on the way to the broker. Messages of one priority leave in the order of their commits, those of a
/// higher one overtake them.
public enum OutboxPriority: Int, CaseIterable, Sendable {
    /// What a driver must hear at once: alerts, requests.
    case high = 0
    /// What has happened: fence events, visits; and what is taken back.
    case normal = 1
    /// How things are: states, regions, results.
    case low = 2
}

/// A message that is to reach the broker: what it says, where, and how.
public struct OutboxMessage: Hashable, Sendable {
    public var topic: String
    /// Empty, with `retain`: removes the retained message from the topic.
    public var payload: [UInt8]
    /// 0, 1 or 2.
    public var qos: Int
    public var retain: Bool
    public var priority: OutboxPriority
    /// From then on it is not worth sending; nil: it always is.
    public var expiresAt: Timestamp?
    public var contentType: String?
    public var userProperties: [UserProperty]

    public init(
        topic: String, payload: [UInt8], qos: Int = 1, retain: Bool = false, priority: OutboxPriority = .low,
        expiresAt: Timestamp? = nil, contentType: String? = nil, userProperties: [UserProperty] = []
    ) {
        self.topic = topic
        self.payload = payload
        self.qos = qos
        self.retain = retain
        self.priority = priority
        self.expiresAt = expiresAt
        self.contentType = contentType
        self.userProperties = userProperties
    }

    /// Why this cannot be sent over MQTT or is beyond `limits`; nil where it can.
    func objection(_ limits: StoreLimits) -> String? {
        if topic.isEmpty { return "its topic is empty" }
        if topic.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") || $0 == 0 }) {
            return "its topic holds +, # or NUL"
        }
        if contentType?.utf8.contains(0) == true { return "its content type holds NUL" }
        if !(0...2).contains(qos) { return "its QoS is \(qos)" }
        if payload.count > limits.payloadBytes {
            return "its payload has \(payload.count) bytes, \(limits.payloadBytes) are allowed"
        }
        if userProperties.count > limits.userProperties {
            return "it has \(userProperties.count) user properties, \(limits.userProperties) are allowed"
        }
        let isLong = { (text: String) in text.utf8.count > limits.stringBytes }
        if isLong(topic) || isLong(contentType ?? "")
            || userProperties.contains(where: { isLong($0.name) || isLong($0.value) })
        {
            return "its topic, content type or a user property has more than \(limits.stringBytes) bytes"
        }
        return nil
    }
}

/// A message in the outbox.
public struct OutboxEntry: Hashable, Sendable, Identifiable {
    /// Given by the store, ascending in the order of the commits, never used twice.
    public var id: Int64
    public var message: OutboxMessage
    /// The time of the batch that brought it.
    public var createdAt: Timestamp

    public init(id: Int64, message: OutboxMessage, createdAt: Timestamp) {
        self.id = id
        self.message = message
        self.createdAt = createdAt
    }
}
