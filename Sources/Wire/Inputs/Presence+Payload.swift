import Fleet

extension Presence {
    /// `online` or `offline` as plain text, which is what a will most often is, or as a JSON string.
    ///
    /// Throws `missingField` where the payload is empty and `outOfRange` for other words.
    init(payload: [UInt8], parser: JSONParser) throws(Rejection) {
        let trimmed = payload.trimmingWhitespace()
        guard let first = trimmed.first else { throw .missingField }
        let word =
            first == UInt8(ascii: "\"") ? try Self.quoted(trimmed, parser) : String(validating: trimmed, as: UTF8.self)
        guard let word else { throw .invalidUTF8 }
        guard let presence = Presence(rawValue: word) else { throw .outOfRange }
        self = presence
    }

    private static func quoted(_ payload: [UInt8], _ parser: JSONParser) throws(Rejection) -> String? {
        try parser.read(payload) { root throws(Rejection) in try root.text(atMost: WireLimits.nameCharacters) }
    }
}

extension [UInt8] {
    /// `echo online | mosquitto_pub -s` sends the line's end too.
    fileprivate func trimmingWhitespace() -> [UInt8] {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        return Array(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    }
}
