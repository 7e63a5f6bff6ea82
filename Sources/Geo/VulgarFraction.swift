/// Fractions that are one character, such as `½`: how signs and typewriters write parts of an inch.
public enum VulgarFraction {
    /// Tape measures go down to 64ths of an inch; a larger number below the bar is a typing error.
    public static let denominatorMax = 64

    private static let spelled: [Unicode.Scalar: String] = [
        "½": "1/2", "¼": "1/4", "¾": "3/4", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8", "⅓": "1/3", "⅔": "2/3",
        "⅙": "1/6", "⅚": "5/6",
    ]

    /// `text` with each of them in digits behind a space, `6½` as `6 1/2`, and the fraction slash as `/`.
    public static func spelledOut(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        return text.unicodeScalars.reduce(into: "") { result, scalar in
            if let digits = spelled[scalar] {
                result += " " + digits
            } else {
                result.unicodeScalars.append(scalar == "\u{2044}" ? "/" : scalar)
            }
        }
    }
}
