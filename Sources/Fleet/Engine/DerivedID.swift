import Hashing
import Messages

/// Ids that the same cause gives again after a crash, a replay or a redelivery: FNV-1a over the parts, finished with the
/// mixer of SplitMix64 so that similar causes give distant ids; 16 hexadecimal digits.
enum DerivedID {
    static func of(_ parts: String...) -> String { of(parts) }

    static func of(_ parts: [String]) -> String {
        var hash = FNV1a()
        for part in parts {
            hash.combine(part.utf8)
            // 0xFF is part of no UTF-8 text, so that ("ab", "c") and ("a", "bc") differ.
            hash.combine(0xFF)
        }
        return SplitMix64.mix(hash.value).hexadecimal
    }
}
