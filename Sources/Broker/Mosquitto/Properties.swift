import CMosquitto
import MQTT

/// Owns a list of MQTT 5 properties.
struct Properties: ~Copyable {
    private(set) var list: OpaquePointer?

    init() {}

    deinit {
        var list = list
        mosquitto_property_free_all(&list)
    }

    mutating func addSessionExpiry(seconds: UInt32) throws(BrokerError) {
        let code = mosquitto_property_add_int32(&list, CInt(MQTT_PROP_SESSION_EXPIRY_INTERVAL.rawValue), seconds)
        try BrokerError.check(code, "Session expiry")
    }

    /// Those of a publication, as a PUBLISH or as a will.
    mutating func add(_ publication: Publication) throws(BrokerError) {
        if let seconds = publication.expirySeconds {
            let code = mosquitto_property_add_int32(&list, CInt(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue), seconds)
            try BrokerError.check(code, "Message expiry of \(publication.topic)")
        }
        // libmosquitto 2.0.11 crashes when it copies an empty string property.
        if let type = publication.contentType, !type.isEmpty {
            try Self.validate(type, of: publication)
            let code = mosquitto_property_add_string(&list, CInt(MQTT_PROP_CONTENT_TYPE.rawValue), type)
            try BrokerError.check(code, "Content type of \(publication.topic)")
        }
        for property in publication.userProperties where !property.name.isEmpty && !property.value.isEmpty {
            try Self.validate(property.name, of: publication)
            try Self.validate(property.value, of: publication)
            let code = mosquitto_property_add_string_pair(
                &list, CInt(MQTT_PROP_USER_PROPERTY.rawValue), property.name, property.value)
            try BrokerError.check(code, "User property \(property.name) of \(publication.topic)")
        }
    }

    /// Gives the list away to libmosquitto, which frees it.
    consuming func release() -> OpaquePointer? {
        let list = list
        discard self
        return list
    }

    /// libmosquitto 2.0.11 does not look at a pair's value, and the broker ends the connection over a bad one.
    private static func validate(_ text: String, of publication: Publication) throws(BrokerError) {
        let length = CInt(clamping: text.utf8.count)
        guard length <= Limits.stringBytes, mosquitto_validate_utf8(text, length) == MOSQ_ERR_SUCCESS.rawValue else {
            throw BrokerError(
                .malformedUTF8,
                "A property of \(publication.topic) is too long or has control characters: \(text.prefix(40))")
        }
    }
}
