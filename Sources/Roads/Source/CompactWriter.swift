/// Writes whole numbers in as few bytes as they need (LEB128, signed ones zigzag), and every text once.
struct CompactWriter {
    private(set) var bytes: [UInt8] = []
    private var known: [String: UInt64] = [:]

    mutating func put(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func put(signed value: Int64) { put(UInt64(bitPattern: (value << 1) ^ (value >> 63))) }

    mutating func put(_ value: Double) {
        for shift in 0..<8 { bytes.append(UInt8(value.bitPattern >> (shift * 8) & 0xFF)) }
    }

    /// Its number; a number that is new is followed by the text.
    mutating func put(_ text: String) {
        if let number = known[text] { return put(number) }
        let number = UInt64(known.count)
        known[text] = number
        put(number)
        put(UInt64(text.utf8.count))
        bytes += text.utf8
    }

    /// In an order that does not depend on the run.
    mutating func put(_ tags: [String: String]) {
        put(UInt64(tags.count))
        for (key, value) in tags.sorted(by: { $0.key < $1.key }) {
            put(key)
            put(value)
        }
    }
}
