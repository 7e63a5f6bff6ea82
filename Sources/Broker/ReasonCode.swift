import CMosquitto

/// Why the broker did what it did: MQTT 5 §2.4. From 0x80 on it is a refusal.
package struct ReasonCode: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let success = ReasonCode(rawValue: 0x00)
    package static let noMatchingSubscribers = ReasonCode(rawValue: 0x10)
    package static let unspecified = ReasonCode(rawValue: 0x80)
    package static let unsupportedProtocolVersion = ReasonCode(rawValue: 0x84)
    package static let clientIDNotValid = ReasonCode(rawValue: 0x85)
    package static let badUsernameOrPassword = ReasonCode(rawValue: 0x86)
    package static let notAuthorized = ReasonCode(rawValue: 0x87)
    package static let serverUnavailable = ReasonCode(rawValue: 0x88)
    package static let serverShuttingDown = ReasonCode(rawValue: 0x8B)
    /// A second client has connected with the same id. To connect again would only start a quarrel.
    package static let sessionTakenOver = ReasonCode(rawValue: 0x8E)
    package static let packetTooLarge = ReasonCode(rawValue: 0x95)

    package var isRefusal: Bool { rawValue >= 0x80 }

    package var description: String {
        "0x\(String(rawValue, radix: 16, uppercase: true)) \(String(cString: mosquitto_reason_string(Int32(rawValue))))"
    }

    /// From the return code of a CONNACK; those of MQTT 3.1.1 (§3.2.2.3) become their equals in MQTT 5.
    init(connack code: Int32) {
        let successors: [Int32: ReasonCode] = [
            1: .unsupportedProtocolVersion, 2: .clientIDNotValid, 3: .serverUnavailable, 4: .badUsernameOrPassword,
            5: .notAuthorized,
        ]
        self = successors[code] ?? ReasonCode(rawValue: UInt8(truncatingIfNeeded: code))
    }
}
