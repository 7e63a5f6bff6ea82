extension UInt64 {
    /// As texts bear hashes: 16 hexadecimal digits, whatever the value.
    public var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
