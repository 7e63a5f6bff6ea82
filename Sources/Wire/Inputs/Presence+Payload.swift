import Messages

extension Presence {
    /// `online` or `offline` as plain text, which is what a will most often is, as a JSON string, or as the `status` of an
    /// object, as the gateway says it of itself; in capitals too.
    ///
    /// Throws `missingField` where there is no word and `outOfRange` for other words.
    init(payload: [UInt8], parser: JSONParser) throws(InputError) {
        let trimmed = payload.trimmingWhitespace()
        let word: String?
        switch trimmed.first {
        case nil: throw .missingField
        case UInt8(ascii: "\""): word = try Self.quoted(trimmed, parser)
        case UInt8(ascii: "{"): word = try Self.status(trimmed, parser)
        default: word = String(validating: trimmed, as: UTF8.self)
        }
        guard let word else { throw .invalidUTF8 }
        guard let presence = Presence(rawValue: word.lowercased()) else {
            throw parser.note.note(
                .outOfRange, ReadingProblem("expected online or offline", got: JSONValue.shown(word)))
        }
        self = presence
    }

    private static func quoted(_ payload: [UInt8], _ parser: JSONParser) throws(InputError) -> String? {
        try parser.read(payload) { root throws(InputError) in try root.text(atMost: WireLimits.nameCharacters) }
    }

    private static func status(_ payload: [UInt8], _ parser: JSONParser) throws(InputError) -> String {
        let text = try parser.read(payload) { root throws(InputError) in
            try root.text("status", atMost: WireLimits.nameCharacters)
        }
        guard let text else { throw .missingField }
        return text
    }
}

extension [UInt8] {
    /// `echo online | mosquitto_pub -s` sends the line's end too.
    fileprivate func trimmingWhitespace() -> [UInt8] {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        return Array(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    }
}
