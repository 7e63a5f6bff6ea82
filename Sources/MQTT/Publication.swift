package import Hashing

/// A message to publish: what it says, where, and how the broker delivers it.
package struct Publication: Hashable, Sendable {
    /// Without wildcards, at most 65,535 bytes of UTF-8 without control characters.
    @BytewiseText package var topic: String
    /// Empty, with `retain`: removes the retained message from the topic.
    package var payload: [UInt8]
    package var qos: QoS
    package var retain: Bool
    /// After how long the broker throws it away undelivered; nil: never. Left out under MQTT 3.1.1.
    package var expirySeconds: UInt32?
    /// MIME type of the payload. Left out under MQTT 3.1.1, and where it is empty.
    package var contentType: String?
    /// Left out under MQTT 3.1.1; one with an empty name or value is left out always.
    package var userProperties: [UserProperty]

    package init(
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
