import Messages

/// Writes what is to be kept: whole numbers in as few bytes as they need, others as they are in memory, little end first; before
/// every text and list how long it is.
struct KeptWriter {
    /// The first byte of what is kept: which members follow, and in which order.
    static let format: UInt8 = 1

    private(set) var bytes: [UInt8]

    init() {
        bytes = [Self.format]
        // Of a truck that drives; one at rest has fewer.
        bytes.reserveCapacity(1024)
    }

    mutating func put(_ value: some Kept) { value.keep(in: &self) }

    mutating func put(byte: UInt8) { bytes.append(byte) }

    /// Seven bits a byte, the lowest first, the eighth where more follow (LEB128).
    mutating func put(count: UInt64) {
        var rest = count
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func put(bits: UInt64) {
        withUnsafeBytes(of: bits.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func put(text: String) {
        var text = text
        text.withUTF8 { utf8 in
            put(count: UInt64(utf8.count))
            bytes.append(contentsOf: utf8)
        }
    }
}
