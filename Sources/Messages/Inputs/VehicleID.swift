/// A vehicle's name: 1 to 64 characters that can stand as one MQTT topic level.
public struct VehicleID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    public let text: String

    /// Nil where `text` is empty, longer than 64 characters, or holds `+ # /` or a control character.
    public init?(_ text: some StringProtocol) {
        let forbidden = text.unicodeScalars.contains { scalar in
            // The control characters of Unicode, of which there will never be others.
            scalar == "+" || scalar == "#" || scalar == "/" || scalar.value < 0x20
                || (0x7F...0x9F).contains(scalar.value)
        }
        // No character has more bytes than it has: to count characters takes longer than all else.
        guard !forbidden, !text.isEmpty, text.utf8.count <= 64 || text.count <= 64 else { return nil }
        self.text = String(text)
    }

    public var description: String { text }

    public static func < (a: VehicleID, b: VehicleID) -> Bool { a.text < b.text }

    public init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// A vehicle and the other named levels of the topic it last spoke on, in the pattern's order:
/// with `acme/{region}/{v}` the levels are `["north"]`. Output takes them over.
public struct VehicleAddress: Hashable, Sendable, Codable {
    public var vehicle: VehicleID
    public var levels: [String]
    /// The topic on which its device, an OwnTracks app, last spoke; it listens for commands below it. Nil: no such device.
    public var device: String?

    public init(vehicle: VehicleID, levels: [String] = [], device: String? = nil) {
        self.vehicle = vehicle
        self.levels = levels
        self.device = device
    }

    /// The same, with a device that was heard before where this names none.
    package func keeping(device earlier: String?) -> VehicleAddress {
        VehicleAddress(vehicle: vehicle, levels: levels, device: device ?? earlier)
    }
}
