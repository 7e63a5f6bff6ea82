import CMosquitto

/// Why the broker did what it did: MQTT 5 §2.4. From 0x80 on it is a refusal.
public struct ReasonCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let success = ReasonCode(rawValue: 0x00)
    public static let noMatchingSubscribers = ReasonCode(rawValue: 0x10)
    public static let unspecified = ReasonCode(rawValue: 0x80)
    public static let unsupportedProtocolVersion = ReasonCode(rawValue: 0x84)
    public static let clientIDNotValid = ReasonCode(rawValue: 0x85)
    public static let badUsernameOrPassword = ReasonCode(rawValue: 0x86)
    public static let notAuthorized = ReasonCode(rawValue: 0x87)
    public static let serverUnavailable = ReasonCode(rawValue: 0x88)
    public static let serverShuttingDown = ReasonCode(rawValue: 0x8B)
    /// A second client has connected with the same id. To connect again would only start a quarrel.
    public static let sessionTakenOver = ReasonCode(rawValue: 0x8E)
    public static let packetTooLarge = ReasonCode(rawValue: 0x95)

    public var isRefusal: Bool { rawValue >= 0x80 }

    public var description: String {
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
