/// Reads what `CompactWriter` has written; damaged bytes are an error, whatever they say.
struct CompactReader {
    /// The bytes end early, or say what cannot be.
    struct Damage: Error {}

    private let bytes: Table<UInt8>
    private var offset = 0
    private var texts: [String] = []

    init(_ bytes: Table<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    mutating func byte() throws(Damage) -> UInt8 {
        guard offset < bytes.count else { throw Damage() }
        defer { offset += 1 }
        return bytes[offset]
    }

    mutating func number() throws(Damage) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 7) {
            let byte = try byte()
            value |= UInt64(byte & 0x7F) << UInt64(shift)
            if byte < 0x80 { return value }
        }
        throw Damage()
    }

    mutating func signed() throws(Damage) -> Int64 {
        let value = try number()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    mutating func double() throws(Damage) -> Double {
        var bits: UInt64 = 0
        for shift in 0..<8 { bits |= UInt64(try byte()) << UInt64(shift * 8) }
        return Double(bitPattern: bits)
    }

    /// How many elements follow, each of at least a byte.
    mutating func count() throws(Damage) -> Int {
        let count = try number()
        guard count <= UInt64(bytes.count - offset) else { throw Damage() }
        return Int(count)
    }

    mutating func text() throws(Damage) -> String {
        let number = try number()
        if number < UInt64(texts.count) { return texts[Int(number)] }
        guard number == UInt64(texts.count) else { throw Damage() }
        let count = try count()
        guard let text = String(validating: (offset..<(offset + count)).map { bytes[$0] }, as: UTF8.self) else {
            throw Damage()
        }
        offset += count
        texts.append(text)
        return text
    }

    mutating func tags() throws(Damage) -> [String: String] {
        var tags: [String: String] = [:]
        for _ in 0..<(try count()) {
            let key = try text()
            tags[key] = try text()
        }
        return tags
    }
}
