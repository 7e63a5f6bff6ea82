/// Sorts names as people count: T2 before T10.
public struct NaturalKey: Hashable, Comparable, Sendable {
    /// The name with each number as its count of digits and its digits, so that bytes sort by value.
    private let key: [UInt8]
    private let name: String

    public init(_ name: String) {
        self.name = name
        var (key, digits): ([UInt8], [UInt8]) = ([], [])
        func endNumber() {
            // No name has as many digits.
            if let first = digits.first {
                key += [UInt8(ascii: "0"), UInt8(min(255, digits.count)), first] + digits.dropFirst()
            }
            digits = []
        }
        for byte in name.utf8 {
            if UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte {
                // Zeros in front count nothing.
                if digits == [UInt8(ascii: "0")] { digits = [] }
                digits.append(byte)
            } else {
                endNumber()
                key.append(byte)
            }
        }
        endNumber()
        self.key = key
    }

    /// Names of one value, as 7 and 07, go by their bytes.
    public static func < (a: NaturalKey, b: NaturalKey) -> Bool {
        a.key == b.key ? a.name < b.name : a.key.lexicographicallyPrecedes(b.key)
    }
}
