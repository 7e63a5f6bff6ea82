public import Fleet

/// Fixes that one line of a recording holds.
public struct RecordedFixes: Hashable, Sendable {
    /// Nil where the line does not say whose they are.
    public var vehicle: VehicleID?
    public var fixes: [Fix]
    /// Of those in an array that could not be read.
    public var rejections: [Rejection]
}

/// Reads the lines of recordings in JSON. Keeps a parser and its buffers: one thread at a time.
public final class RecordingDecoder {
    /// As the longest payload with every byte of it escaped, and all else that a line says of it.
    private static let lineBytes = 7 * WireLimits.payloadBytes

    private let parser = JSONParser(capacity: RecordingDecoder.lineBytes)

    public init() {}

    /// Whether a line is one that `mosquitto_sub -F %j` writes.
    public func isMessage(_ line: [UInt8]) -> Bool {
        (try? parser.read(line) { root in RecordedMessage.isWritten(in: root) }) ?? false
    }

    /// A line that `mosquitto_sub -F %j` or `-F %J` has written.
    ///
    /// Throws `malformedJSON`, `invalidUTF8` (a payload that is no text), `tooLarge`, `missingField`, `wrongType`,
    /// `unreadableTime`.
    public func message(_ line: [UInt8]) throws(Rejection) -> RecordedMessage {
        try parser.read(line) { root throws(Rejection) in try RecordedMessage(json: root) }
    }

    /// A fix as a truck publishes it, or an array of them, with a `vehicle` member; each with its time.
    ///
    /// Throws `invalidVehicleID`, and what makes a fix unusable.
    public func fixes(_ line: [UInt8]) throws(Rejection) -> RecordedFixes {
        try parser.read(line) { root throws(Rejection) in
            // A line says nothing about when a fix without a time was taken, as a retained message does not.
            let read = try HeadroomFixes(root, retained: true, receivedAt: Timestamp(milliseconds: 0))
            return RecordedFixes(vehicle: try Self.vehicle(root), fixes: read.fixes, rejections: read.rejections)
        }
    }

    private static func vehicle(_ root: JSONValue) throws(Rejection) -> VehicleID? {
        guard let member = root["vehicle"] else { return nil }
        guard let vehicle = member.string.flatMap({ VehicleID($0) }) else { throw .invalidVehicleID }
        return vehicle
    }
}
