/// A message ready for the broker.
public struct OutboundMessage: Hashable, Sendable {
    /// By which a consumer can filter without parsing (MQTT 5).
    public struct UserProperty: Hashable, Sendable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Of every payload here.
    public static let contentType = "application/json"

    public var topic: String
    public var payload: [UInt8]
    public var retain: Bool
    /// After how many seconds the broker throws it away undelivered; nil: never.
    public var expirySeconds: UInt32?
    public var userProperties: [UserProperty]

    public init(
        topic: String, payload: [UInt8], retain: Bool = false, expirySeconds: UInt32? = nil,
        userProperties: [UserProperty]
    ) {
        self.topic = topic
        self.payload = payload
        self.retain = retain
        self.expirySeconds = expirySeconds
        self.userProperties = userProperties
    }

    /// Removes what is retained on a topic.
    public static func withdrawal(_ topic: String) -> OutboundMessage {
        OutboundMessage(topic: topic, payload: [], retain: true, userProperties: [])
    }
}
