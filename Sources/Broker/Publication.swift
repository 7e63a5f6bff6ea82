/// A message on its way to the broker.
public struct Publication: Hashable, Sendable {
    /// A name and value that a consumer can filter by without parsing the payload (MQTT 5 only).
    public struct UserProperty: Hashable, Sendable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Without wildcards, at most 65,535 bytes of UTF-8 without control characters.
    public var topic: String
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

    /// No encoding of it as a PUBLISH packet is longer: MQTT 5 §3.3, each length field at its widest.
    var packetBytesMax: Int {
        let fixed = 16 + topic.utf8.count + payload.count
        let named = userProperties.reduce(0) { $0 + 5 + $1.name.utf8.count + $1.value.utf8.count }
        return fixed + named + 5 + 3 + (contentType?.utf8.count ?? 0)
    }
}
