/// Reads what `BinaryEncoder` has written; bytes that are damaged are an error, whatever they say.
public struct BinaryDecoder {
    @usableFromInline let bytes: UnsafeRawBufferPointer
    @usableFromInline var offset = 0

    /// - Parameter bytes: valid for as long as this decoder reads.
    @inlinable
    public init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    @inlinable public var isAtEnd: Bool { offset == bytes.count }

    @inlinable
    public mutating func byte() throws(BinaryCodingError) -> UInt8 {
        guard offset < bytes.count else { throw .cutOff(offset: offset) }
        defer { offset += 1 }
        return bytes[offset]
    }

    @inlinable
    public mutating func number() throws(BinaryCodingError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while shift < 64 {
            let byte = try byte()
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        throw unreadable("a number of at most 64 bits")
    }

    @inlinable
    public mutating func signed() throws(BinaryCodingError) -> Int64 {
        let number = try number()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    @inlinable
    public mutating func double() throws(BinaryCodingError) -> Double {
        guard bytes.count - offset >= 8 else { throw .cutOff(offset: offset) }
        defer { offset += 8 }
        let bits = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        return Double(bitPattern: UInt64(littleEndian: bits))
    }

    /// How many elements follow, each of at least a byte.
    @inlinable
    public mutating func length() throws(BinaryCodingError) -> Int {
        let count = try number()
        guard count <= UInt64(bytes.count - offset) else { throw .cutOff(offset: offset) }
        return Int(count)
    }

    @inlinable
    public mutating func text() throws(BinaryCodingError) -> String {
        let end = try length() + offset
        let utf8 = UnsafeRawBufferPointer(rebasing: bytes[offset..<end]).assumingMemoryBound(to: UInt8.self)
        guard let text = String(validating: utf8, as: UTF8.self) else { throw unreadable("UTF-8") }
        offset = end
        return text
    }

    /// Nothing is left.
    @inlinable
    public func finish() throws(BinaryCodingError) {
        guard isAtEnd else { throw .tooLong(offset: offset) }
    }

    /// - Parameter expected: what should stand here, as a noun.
    public func unreadable(_ expected: String) -> BinaryCodingError { .unreadable(expected: expected, offset: offset) }
}
