package import Messages

/// Fixes of one vehicle in a line of a recording.
package struct RecordedFixes: Hashable, Sendable {
    package var vehicle: VehicleID
    package var fixes: [Fix]

    package init(vehicle: VehicleID, fixes: [Fix]) {
        self.vehicle = vehicle
        self.fixes = fixes
    }
}

/// Reads the lines of recordings in JSON. Keeps a parser and its buffers: one thread at a time.
package final class RecordingDecoder {
    /// As the longest payload with every byte of it escaped, and all else that a line says of it.
    private static let lineBytes = 7 * WireLimits.payloadBytes

    private let parser = JSONParser(capacity: RecordingDecoder.lineBytes)

    package init() {}

    /// Whether a line is one that `mosquitto_sub -F %j` writes.
    package func isMessage(_ line: [UInt8]) -> Bool {
        (try? parser.read(line) { root in RecordedMessage.isWritten(in: root) }) ?? false
    }

    /// A line that `mosquitto_sub -F %j` or `-F %J` has written.
    ///
    /// Throws `malformedJSON`, `invalidUTF8` (a payload that is no text), `tooLarge`, `missingField`, `wrongType`,
    /// `unreadableTime`.
    package func message(_ line: [UInt8]) throws(RejectedPart) -> RecordedMessage {
        try read(line) { root throws(InputError) in try RecordedMessage(json: root) }
    }

    /// Fixes as trucks publish them, one or an array, with a `vehicle` member; each with its time.
    ///
    /// - Parameter standard: whose they are where the line does not say.
    /// - Returns: fixes, and what is wrong with those of an array that cannot be used.
    /// - Throws: what is wrong with a line that holds nothing else.
    package func fixes(
        _ line: [UInt8], of standard: VehicleID
    ) throws(RejectedPart) -> (found: [RecordedFixes], rejected: [RejectedPart]) {
        let reading = try read(line) { root throws(InputError) in
            // A line says nothing about when a fix without a time was taken, as a retained message does not.
            try PayloadReading(
                headroom: root,
                PayloadContext(
                    vehicle: Self.namesVehicle(root) ? nil : standard, isRetained: true,
                    receivedAt: Timestamp(milliseconds: 0)))
        }
        let found = reading.parts.compactMap { part in
            part.fixes.isEmpty ? nil : part.vehicle.map { RecordedFixes(vehicle: $0, fixes: part.fixes) }
        }
        return (found, reading.parts.flatMap(\.rejections))
    }

    private func read<Result>(
        _ line: [UInt8], _ body: (JSONValue) throws(InputError) -> Result
    ) throws(RejectedPart) -> Result {
        do throws(InputError) {
            return try parser.read(line, body)
        } catch {
            throw parser.rejected(error, line)
        }
    }

    private static func namesVehicle(_ root: JSONValue) -> Bool {
        root["vehicle"] != nil || root.elements?.contains { $0["vehicle"] != nil } ?? false
    }
}
