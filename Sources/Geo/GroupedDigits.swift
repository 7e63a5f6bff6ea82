extension Int {
    /// Thousands apart: `1,234`.
    public var grouped: String {
        let digits = "\(magnitude)"
        let groups = digits.enumerated().reduce(into: "") { text, digit in
            if digit.offset > 0, (digits.count - digit.offset).isMultiple(of: 3) { text.append(",") }
            text.append(digit.element)
        }
        return self < 0 ? "-" + groups : groups
    }
}
