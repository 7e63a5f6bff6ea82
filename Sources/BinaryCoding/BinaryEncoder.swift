/// Writes values as bytes: whole numbers in as few as they need, others as they are in memory, the lowest byte first; before
/// every text and list its length.
public struct BinaryEncoder: Sendable {
    @usableFromInline var storage: [UInt8] = []

    /// - Parameter capacity: how many bytes are expected; more are no error.
    @inlinable
    public init(capacity: Int = 0) { storage.reserveCapacity(capacity) }

    /// What has been written.
    @inlinable public var bytes: [UInt8] { storage }

    @inlinable
    public mutating func append(byte: UInt8) { storage.append(byte) }

    /// Seven bits a byte, the lowest first, the eighth where more follow (LEB128).
    @inlinable
    public mutating func append(number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            storage.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        storage.append(UInt8(rest))
    }

    /// Zigzag, as in Protocol Buffers: numbers near 0 are short, whatever their sign.
    @inlinable
    public mutating func append(signed: Int64) {
        append(number: UInt64(bitPattern: (signed << 1) ^ (signed >> 63)))
    }

    @inlinable
    public mutating func append(_ double: Double) {
        withUnsafeBytes(of: double.bitPattern.littleEndian) { storage.append(contentsOf: $0) }
    }

    @inlinable
    public mutating func append(text: String) {
        var text = text
        text.withUTF8 { utf8 in
            append(number: UInt64(utf8.count))
            storage.append(contentsOf: utf8)
        }
    }
}
