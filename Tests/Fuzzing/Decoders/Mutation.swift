import Hashing

/// Changes bytes as a damaged file or a careless program might.
package struct Mutation {
    /// Bytes that mean something in one of the formats.
    private static let telling = Array("{}[],:\"'<>&/\\\n\0-+.e#".utf8) + [0x7F, 0x80, 0xC0, 0xFF]

    private var draw: SplitMix64

    package init(seed: UInt64) { draw = SplitMix64(seed: seed) }

    /// One to four changes.
    package mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...draw.index(below: 4) { change(&bytes) }
        return bytes
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return bytes.append(UInt8(truncatingIfNeeded: draw.next())) }
        let place = draw.index(below: bytes.count)
        switch draw.index(below: 7) {
        case 0: bytes[place] ^= 1 << UInt8(draw.index(below: 8))
        case 1: bytes[place] = UInt8(truncatingIfNeeded: draw.next())
        case 2: bytes[place] = Self.telling[draw.index(below: Self.telling.count)]
        case 3: bytes.insert(Self.telling[draw.index(below: Self.telling.count)], at: place)
        case 4: bytes.removeSubrange(place..<min(place + 1 + draw.index(below: 8), bytes.count))
        case 5: bytes.removeLast(bytes.count - place)
        default:
            let piece = bytes[place..<min(place + 1 + draw.index(below: 32), bytes.count)]
            bytes.insert(contentsOf: Array(piece), at: draw.index(below: bytes.count))
        }
    }
}
