import Messages

/// Reads what `KeptWriter` has written; bytes that are damaged are an error, whatever they say.
struct KeptReader {
    private let bytes: [UInt8]
    private var offset: Int

    init(_ bytes: [UInt8]) throws(KeptProblem) {
        guard bytes.first == KeptWriter.format else { throw .unknownFormat(bytes.first) }
        (self.bytes, offset) = (bytes, 1)
    }

    mutating func get<Value: Kept>(_: Value.Type = Value.self) throws(KeptProblem) -> Value {
        try Value(kept: &self)
    }

    mutating func byte() throws(KeptProblem) -> UInt8 {
        guard offset < bytes.count else { throw .cutOff(offset: offset) }
        defer { offset += 1 }
        return bytes[offset]
    }

    mutating func count() throws(KeptProblem) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 7) {
            let byte = try byte()
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        throw problem("a number")
    }

    mutating func bits() throws(KeptProblem) -> UInt64 {
        let end = offset + 8
        guard end <= bytes.count else { throw .cutOff(offset: offset) }
        defer { offset = end }
        return bytes.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) }
    }

    /// How many elements follow, each of at least a byte.
    mutating func length() throws(KeptProblem) -> Int {
        let count = try count()
        guard count <= UInt64(bytes.count - offset) else { throw .cutOff(offset: offset) }
        return Int(count)
    }

    mutating func text() throws(KeptProblem) -> String {
        let end = try length() + offset
        guard let text = String(validating: bytes[offset..<end], as: UTF8.self) else { throw problem("a text") }
        offset = end
        return text
    }

    /// Nothing is left.
    func end() throws(KeptProblem) {
        guard offset == bytes.count else { throw .tooLong(offset: offset) }
    }

    func problem(_ what: String) -> KeptProblem { .unreadable(what, offset: offset) }
}
