/// Writes fields of the Protocol Buffers' wire format (protobuf.dev/programming-guides/encoding), as far as tiles need them.
struct ProtobufWriter {
    private(set) var bytes: [UInt8] = []

    mutating func field(_ number: UInt64, _ value: UInt64) {
        varint(number << 3)
        varint(value)
    }

    mutating func field(_ number: UInt64, _ value: Double) {
        varint(number << 3 | 1)
        withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func field(_ number: UInt64, _ content: [UInt8]) {
        varint(number << 3 | 2)
        varint(UInt64(content.count))
        bytes += content
    }

    mutating func field(_ number: UInt64, packed values: [UInt32]) {
        var content = ProtobufWriter()
        for value in values { content.varint(UInt64(value)) }
        field(number, content.bytes)
    }

    /// Seven bits a byte, the lowest first; all but the last have the eighth set.
    private mutating func varint(_ value: UInt64) {
        var rest = value
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}

extension Int32 {
    /// Small numbers of either sign as small numbers: 0, -1, 1, -2, …
    var zigzag: UInt32 { UInt32(bitPattern: (self << 1) ^ (self >> 31)) }
}
