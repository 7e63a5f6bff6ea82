package import MQTT

extension Publication {
    /// One line of JSON for programs: the payload's members behind a `topic`; of a message that takes a retained one
    /// back, whose payload is empty, `"payload": null` stands behind it.
    package var line: [UInt8] {
        let head = JSONWriter.object { writer in
            writer.member("topic", topic)
            if payload.isEmpty { writer.member("payload", nil as String?) }
        }
        return payload.isEmpty ? head : head.dropLast() + [UInt8(ascii: ",")] + payload.dropFirst()
    }
}
