package import Messages

/// A message as `mosquitto_sub -F %j` or `-F %J` writes it down, one JSON object a line.
package struct RecordedMessage: Hashable, Sendable {
    /// When `mosquitto_sub` had it.
    package var arrival: Timestamp
    package var topic: String
    package var payload: [UInt8]
    /// Whether the broker had kept it and sent it because of the subscription.
    package var retained: Bool

    package init(arrival: Timestamp, topic: String, payload: [UInt8], retained: Bool) {
        self.arrival = arrival
        self.topic = topic
        self.payload = payload
        self.retained = retained
    }
}

extension RecordedMessage {
    /// Throws `missingField`, `wrongType`, `unreadableTime`.
    init(json line: JSONValue) throws(InputError) {
        guard line.isObject else { throw line.notAnObject() }
        guard let topic = try line.text("topic", atMost: WireLimits.topicBytes) else {
            throw line.missing("topic", expected: "a topic")
        }
        self.init(
            arrival: try Self.arrival(line), topic: topic, payload: Self.payload(line),
            retained: line["retain"]?.integer == 1)
    }

    /// Whether the line has the members that only such a recording has together.
    static func isWritten(in line: JSONValue) -> Bool { line["tst"] != nil && line["topic"]?.utf8 != nil }

    /// Versions before 2 write epoch seconds. Later ones write local time, a `Z` that means nothing, and the offset
    /// without a colon: `2026-11-21T08:44:37.855783Z-0500`.
    private static func arrival(_ line: JSONValue) throws(InputError) -> Timestamp {
        guard let member = line["tst"] else { throw line.missing("tst", expected: JSONValue.expectedTime) }
        guard let text = member.string else { return try member.time(at: "tst") }
        let offset = text.suffix(5)
        let isBasic = offset.first.map { "+-".contains($0) } == true && offset.dropFirst().allSatisfy(\.isNumber)
        guard isBasic else { return try member.time(at: "tst") }
        let local = text.dropLast(5)
        let clock = local.last == "Z" ? local.dropLast() : local
        guard let time = RFC3339.timestamp("\(clock)\(offset.prefix(3)):\(offset.suffix(2))") else {
            throw member.refused(.unreadableTime, at: "tst", expected: JSONValue.expectedTime)
        }
        return time
    }

    /// `%j` writes the payload as a string, `%J` the JSON value that it is, both null for an empty one. A JSON string comes
    /// without its quotes from `%J`: the only one that means something, `"online"`, means the same without them.
    private static func payload(_ line: JSONValue) -> [UInt8] {
        guard let payload = line["payload"] else {
            return line["payloadlen"]?.integer ?? 0 > 0 ? Array("null".utf8) : []
        }
        if let text = payload.utf8 { return Array(text) }
        var writer = JSONWriter()
        writer.value(payload)
        return writer.bytes
    }
}

extension JSONWriter {
    /// A value that was read, as it was; numbers keep their value and not their spelling.
    fileprivate mutating func value(_ value: JSONValue) {
        if let members = value.members {
            object { writer in
                for (name, value) in members {
                    writer.name(name)
                    writer.value(value)
                }
            }
        } else if let elements = value.elements {
            array(elements) { writer, element in writer.value(element) }
        } else if let text = value.string {
            string(text)
        } else if let bool = value.bool {
            self.bool(bool)
        } else if let integer = value.integer {
            self.integer(integer)
        } else if let double = value.double {
            number(double)
        } else {
            null()
        }
    }
}
