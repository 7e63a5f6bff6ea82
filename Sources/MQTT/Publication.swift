/// A message to publish: what it says, where, and how the broker delivers it.
public struct Publication: Hashable, Sendable {
    /// Without wildcards, at most 65,535 bytes of UTF-8 without control characters.
    public var topic: String
    /// Empty, with `retain`: removes the retained message from the topic.
    public var payload: [UInt8]
    public var qos: QoS
    public var retain: Bool
    /// After how long the broker throws it away undelivered; nil: never. Left out under MQTT 3.1.1.
    public var expirySeconds: UInt32?
    /// MIME type of the payload. Left out under MQTT 3.1.1, and where it is empty.
    public var contentType: String?
    /// Left out under MQTT 3.1.1; one with an empty name or value is left out always.
    public var userProperties: [UserProperty]

    public init(
        topic: String, payload: [UInt8], qos: QoS = .atLeastOnce, retain: Bool = false, expirySeconds: UInt32? = nil,
        contentType: String? = nil, userProperties: [UserProperty] = []
    ) {
        self.topic = topic
        self.payload = payload
        self.qos = qos
        self.retain = retain
        self.expirySeconds = expirySeconds
        self.contentType = contentType
        self.userProperties = userProperties
    }
}
