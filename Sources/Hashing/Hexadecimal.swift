extension UInt64 {
    /// As texts bear hashes: 16 hexadecimal digits, whatever the value.
    public var hexadecimal: String {
        String(unsafeUninitializedCapacity: 16) { digits in
            for index in 0..<16 {
                let digit = UInt8(truncatingIfNeeded: self >> (60 - 4 * index)) & 0xF
                digits[index] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
            }
            return 16
        }
    }
}
