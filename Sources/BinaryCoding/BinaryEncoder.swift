/// Writes values as bytes: whole numbers in as few as they need, others as they are in memory, the lowest byte first; before
/// every text and list its length.
public struct BinaryEncoder: Sendable {
    /// The longest number: seven bits a byte.
    @usableFromInline static let numberBytesMax = 10

    /// Longer than what has been written: so a number is stored in place, with one check for all of its bytes.
    @usableFromInline var storage: [UInt8]
    @usableFromInline var count = 0

    /// - Parameter capacity: how many bytes are expected; more are no error.
    public init(capacity: Int = 64) { storage = [UInt8](repeating: 0, count: max(capacity, Self.numberBytesMax)) }

    /// What has been written.
    public var bytes: [UInt8] { Array(storage[..<count]) }

    @inlinable
    public mutating func append(byte: UInt8) {
        reserve(1)
        storage[count] = byte
        count += 1
    }

    /// Seven bits a byte, the lowest first, the eighth where more follow (LEB128).
    @inlinable
    public mutating func append(number: UInt64) {
        reserve(Self.numberBytesMax)
        var rest = number
        while rest >= 0x80 {
            storage[count] = UInt8(truncatingIfNeeded: rest) | 0x80
            count += 1
            rest >>= 7
        }
        storage[count] = UInt8(truncatingIfNeeded: rest)
        count += 1
    }

    /// Zigzag, as in Protocol Buffers: numbers near 0 are short, whatever their sign.
    @inlinable
    public mutating func append(signed: Int64) {
        append(number: UInt64(bitPattern: (signed << 1) ^ (signed >> 63)))
    }

    @inlinable
    public mutating func append(_ double: Double) {
        reserve(8)
        let offset = count
        storage.withUnsafeMutableBytes {
            $0.storeBytes(of: double.bitPattern.littleEndian, toByteOffset: offset, as: UInt64.self)
        }
        count += 8
    }

    @inlinable
    public mutating func append(text: String) {
        var text = text
        text.withUTF8 { utf8 in
            append(number: UInt64(utf8.count))
            reserve(utf8.count)
            let offset = count
            storage.withUnsafeMutableBytes { bytes in
                UnsafeMutableRawBufferPointer(rebasing: bytes[offset...]).copyMemory(from: UnsafeRawBufferPointer(utf8))
            }
            count += utf8.count
        }
    }

    /// Makes room for so many bytes more.
    @inlinable
    mutating func reserve(_ more: Int) { if storage.count - count < more { grow(more) } }

    @usableFromInline
    mutating func grow(_ more: Int) {
        storage.append(contentsOf: repeatElement(0, count: max(more, storage.count)))
    }
}
