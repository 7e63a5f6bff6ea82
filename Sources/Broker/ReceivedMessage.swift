package import Hashing
package import MQTT

/// A message as the broker delivered it.
package struct ReceivedMessage: Hashable, Sendable {
    @BytewiseText package var topic: String
    package var payload: [UInt8]
    /// The lower of the publisher's and the subscription's.
    package var qos: QoS
    /// Whether it was kept by the broker and sent because of a new subscription, not because it was just published.
    package var retained: Bool
    /// Of a message about several vehicles, the one whose part is meant; nil: all of it is.
    package var vehicle: String?

    package init(topic: String, payload: [UInt8], qos: QoS, retained: Bool, vehicle: String? = nil) {
        self.topic = topic
        self.payload = payload
        self.qos = qos
        self.retained = retained
        self.vehicle = vehicle
    }
}
