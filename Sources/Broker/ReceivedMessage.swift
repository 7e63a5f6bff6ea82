public import MQTT

/// A message as the broker delivered it.
public struct ReceivedMessage: Hashable, Sendable {
    public var topic: String
    public var payload: [UInt8]
    /// The lower of the publisher's and the subscription's.
    public var qos: QoS
    /// Whether it was kept by the broker and sent because of a new subscription, not because it was just published.
    public var retained: Bool

    public init(topic: String, payload: [UInt8], qos: QoS, retained: Bool) {
        self.topic = topic
        self.payload = payload
        self.qos = qos
        self.retained = retained
    }
}
