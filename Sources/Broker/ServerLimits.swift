import CMosquitto

/// What a broker says of itself in its CONNACK (MQTT 5 §3.2.2.3); nil: it says nothing, and the standard's own value holds. A
/// broker of MQTT 3.1.1 says nothing at all.
package struct ServerLimits: Equatable, Sendable {
    /// Bytes of the largest packet that it takes; else 268,435,455.
    package internal(set) var packetBytesMax: Int?
    /// How many publications of QoS 1 and 2 it takes before it has answered for the first; else 65,535.
    package internal(set) var receiveMaximum: Int?
    /// The highest quality of service that it takes; else 2.
    package internal(set) var qosMax: Int?
    /// Whether it retains messages; else it does.
    package internal(set) var retains: Bool?
    /// Whether filters may have wildcards; else they may.
    package internal(set) var takesWildcards: Bool?

    package init() {}

    /// - Parameter properties: of a CONNACK; nil: it has none.
    init(_ properties: OpaquePointer?) {
        packetBytesMax = Self.int32(properties, MQTT_PROP_MAXIMUM_PACKET_SIZE)
        receiveMaximum = Self.int16(properties, MQTT_PROP_RECEIVE_MAXIMUM)
        qosMax = Self.byte(properties, MQTT_PROP_MAXIMUM_QOS)
        retains = Self.byte(properties, MQTT_PROP_RETAIN_AVAILABLE).map { $0 != 0 }
        takesWildcards = Self.byte(properties, MQTT_PROP_WILDCARD_SUB_AVAILABLE).map { $0 != 0 }
    }

    private static func byte(_ properties: OpaquePointer?, _ property: mqtt5_property) -> Int? {
        var value: UInt8 = 0
        return mosquitto_property_read_byte(properties, CInt(property.rawValue), &value, false).map { _ in Int(value) }
    }

    private static func int16(_ properties: OpaquePointer?, _ property: mqtt5_property) -> Int? {
        var value: UInt16 = 0
        return mosquitto_property_read_int16(properties, CInt(property.rawValue), &value, false).map { _ in Int(value) }
    }

    private static func int32(_ properties: OpaquePointer?, _ property: mqtt5_property) -> Int? {
        var value: UInt32 = 0
        return mosquitto_property_read_int32(properties, CInt(property.rawValue), &value, false).map { _ in Int(value) }
    }
}
