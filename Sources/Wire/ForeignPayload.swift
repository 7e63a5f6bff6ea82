/// What a payload that is no JSON most likely is, by its first bytes and by how far it can be taken apart.
enum ForeignPayload {
    /// Bytes that are looked at: what a payload is shows at its beginning.
    private static let lookedAt = 4096

    /// Completes "expected JSON, got"; nil where it may be JSON with a mistake in it, or nothing that is known.
    static func name(of payload: [UInt8]) -> String? {
        let head = payload.prefix(lookedAt)
        if let name = magicNames.first(where: { head.starts(with: $0.bytes) })?.name { return name }
        guard let first = head.first(where: { $0 > 0x20 }) else {
            return payload.isEmpty ? "nothing at all" : "white space"
        }
        guard head.contains(where: { $0 < 0x09 || (0x0E..<0x20).contains($0) || $0 >= 0x7F }) else {
            return textName(String(decoding: head, as: UTF8.self), first)
        }
        return binaryName(head, isWhole: head.count == payload.count)
    }

    private static let magicNames: [(bytes: [UInt8], name: String)] = [
        ([0x1F, 0x8B], "gzip"), ([0x28, 0xB5, 0x2F, 0xFD], "Zstandard"), ([0x78, 0x01], "zlib"),
        ([0x78, 0x5E], "zlib"),
        ([0x78, 0x9C], "zlib"), ([0x78, 0xDA], "zlib"), ([0x50, 0x4B, 0x03, 0x04], "ZIP"),
        ([0xD9, 0xD9, 0xF7], "CBOR"),
        ([0xEF, 0xBB, 0xBF], "text behind a byte order mark"), ([0xFF, 0xFE], "UTF-16"), ([0xFE, 0xFF], "UTF-16"),
    ]

    // MARK: Text

    private static func textName(_ text: String, _ first: UInt8) -> String? {
        let trimmed = text.drop(while: \.isWhitespace)
        switch first {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""): return nil
        case UInt8(ascii: "<"): return "XML"
        case UInt8(ascii: "$"), UInt8(ascii: "!"):
            let talker = trimmed.dropFirst().prefix { $0 != "," }
            return (3...8).contains(talker.count) && talker.allSatisfy { $0.isASCII && ($0.isUppercase || $0.isNumber) }
                ? "NMEA 0183" : nil
        default: break
        }
        let line = trimmed.prefix { !$0.isNewline }
        if line.wholeMatch(of: /\w+=[^&=\s]*(&\w+=[^&=\s]*)+/) != nil { return "a query string" }
        let fields = line.split(omittingEmptySubsequences: false) { ",;\t".contains($0) }
        let names: Set = ["lat", "lon", "latitude", "longitude"]
        let isTable =
            fields.count { $0.trimmingSpaces.numeral != nil || names.contains($0.trimmingSpaces.lowercased()) } >= 2
        return isTable ? "CSV" : nil
    }

    // MARK: Binary

    private static func binaryName(_ bytes: ArraySlice<UInt8>, isWhole: Bool) -> String? {
        if beginsCBOR(bytes) { return "CBOR" }
        if beginsMessagePack(bytes) { return "MessagePack" }
        if isWhole && isProtobuf(bytes) { return "protobuf" }
        let isText = String(validating: bytes, as: UTF8.self) != nil && !bytes.contains(0)
        return isText ? nil : bytes.prefix(8).count { $0 == 0 } >= 3 ? "binary data, or UTF-16" : "binary data"
    }

    /// A map with a text for its first key, or a list of such maps (RFC 8949 §3).
    private static func beginsCBOR(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first else { return false }
        let rest = bytes.dropFirst()
        switch first {
        case 0x81...0x97, 0x9F:
            return rest.first.map { (0xA1...0xB7).contains($0) || $0 == 0xBF } == true && beginsCBOR(rest)
        case 0xA1...0xB7, 0xBF:
            guard let key = rest.first, (0x61...0x77).contains(key) else { return false }
            return isName(rest.dropFirst().prefix(Int(key) - 0x60), of: Int(key) - 0x60)
        default: return false
        }
    }

    /// A map with a text for its first key, or a list of such maps.
    private static func beginsMessagePack(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first else { return false }
        switch first {
        case 0x91...0x9F: return beginsMessagePack(bytes.dropFirst())
        case 0xDC: return beginsMessagePack(bytes.dropFirst(3))
        case 0x81...0x8F, 0xDE:
            let rest = bytes.dropFirst(first == 0xDE ? 3 : 1)
            guard let key = rest.first, (0xA1...0xBF).contains(key) else { return false }
            return isName(rest.dropFirst().prefix(Int(key) - 0xA0), of: Int(key) - 0xA0)
        default: return false
        }
    }

    private static func isName(_ bytes: ArraySlice<UInt8>, of length: Int) -> Bool {
        bytes.count == length && bytes.allSatisfy { (0x20...0x7E).contains($0) }
    }

    /// Whether it is fields from the first byte to the last: https://protobuf.dev/programming-guides/encoding/.
    private static func isProtobuf(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            guard let tag = varint(&rest), tag >> 3 > 0, tag >> 3 < 1 << 29 else { return false }
            let length: Int
            switch tag & 7 {
            case 0:
                guard varint(&rest) != nil else { return false }
                length = 0
            case 1: length = 8
            case 2:
                guard let count = varint(&rest), count <= UInt64(rest.count) else { return false }
                length = Int(count)
            case 5: length = 4
            default: return false
            }
            guard rest.count >= length else { return false }
            rest = rest.dropFirst(length)
        }
        return true
    }

    private static func varint(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 7) {
            guard let byte = bytes.popFirst() else { return nil }
            value |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte < 0x80 { return value }
        }
        return nil
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        drop { $0 == " " }.prefix { $0 != " " && $0 != "\r" }
    }
}

extension ReadingProblem {
    /// The problem of a payload that cannot be taken apart at all.
    ///
    /// - Parameter words: the parser's; nil where it has none.
    init(noJSON payload: [UInt8], _ words: String?) {
        if let name = ForeignPayload.name(of: payload) {
            self.init("expected JSON, got \(name)")
        } else {
            self.init("expected JSON, got a syntax error" + (words.map { ": \($0)" } ?? ""))
        }
    }
}
