import Hashing

/// A vehicle's name: 1 to 64 characters, of at most 256 bytes in UTF-8, that can stand as one MQTT topic level.
///
/// Compared byte by byte: see `BytewiseText`.
public struct VehicleID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// One character may have any number of combining marks.
    private static let bytesMax = 256

    public let text: String

    /// Nil where `text` is empty, longer than 64 characters or 256 bytes, or holds `+ # /` or a control character.
    public init?(_ text: some StringProtocol) {
        var text = String(text)
        let isForbidden = text.withUTF8(Self.hasForbidden)
        // No text has more characters than bytes: to count characters takes longer than all else.
        guard !isForbidden, !text.isEmpty,
            text.utf8.count <= 64 || text.utf8.count <= Self.bytesMax && text.count <= 64
        else { return nil }
        self.text = text
    }

    /// Bytes of UTF-8, because every message names a vehicle.
    private static func hasForbidden(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var previous: UInt8 = 0
        for byte in text {
            switch byte {
            case UInt8(ascii: "+"), UInt8(ascii: "#"), UInt8(ascii: "/"): return true
            // The control characters of Unicode, of which there will never be others. Those from 0x80 to 0x9F are two bytes.
            case ..<0x20, 0x7F: return true
            case 0x80...0x9F where previous == 0xC2: return true
            default: previous = byte
            }
        }
        return false
    }

    public var description: String { text }

    public static func == (a: VehicleID, b: VehicleID) -> Bool { BytewiseText(a.text) == BytewiseText(b.text) }

    public func hash(into hasher: inout Hasher) { BytewiseText(text).hash(into: &hasher) }

    public static func < (a: VehicleID, b: VehicleID) -> Bool { BytewiseText(a.text) < BytewiseText(b.text) }

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

    /// As topics are compared, level by level.
    public static func == (a: VehicleAddress, b: VehicleAddress) -> Bool {
        a.vehicle == b.vehicle && a.isReached(as: b)
    }

    /// Whether both are the same for one vehicle.
    package func isReached(as other: VehicleAddress) -> Bool {
        hasLevels(of: other) && device.map(BytewiseText.init(_:)) == other.device.map(BytewiseText.init(_:))
    }

    /// Whether output goes to the levels of the other one.
    package func hasLevels(of other: VehicleAddress) -> Bool {
        levels.count == other.levels.count
            && levels.indices.allSatisfy { BytewiseText(levels[$0]) == BytewiseText(other.levels[$0]) }
    }

    /// The same, with a device that was heard before where this names none.
    package func keeping(device earlier: String?) -> VehicleAddress {
        VehicleAddress(vehicle: vehicle, levels: levels, device: device ?? earlier)
    }
}
