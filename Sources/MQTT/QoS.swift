/// How often a message may arrive: MQTT's quality of service.
package enum QoS: UInt8, Hashable, Sendable {
    case atMostOnce = 0
    case atLeastOnce = 1
    case exactlyOnce = 2
}
