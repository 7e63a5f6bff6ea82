/// Ids that the same cause gives again after a crash, a replay or a redelivery: 64-bit FNV-1a over the parts, finished
/// with the mixer of SplitMix64 so that near causes give far ids; 16 hexadecimal digits.
enum DerivedID {
    static func of(_ parts: String...) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for part in parts {
            // 0xFF stands in no UTF-8 text, so that parts cannot run into each other.
            for byte in Array(part.utf8) + [0xFF] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
        hash ^= hash >> 31
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
