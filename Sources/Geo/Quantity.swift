/// A decimal number and the unit written after it, read digit by digit so that 4.35 stays 4.35.
struct Quantity {
    /// The number is `digits / 10^decimals`.
    var digits: Int
    var decimals: Int
    /// In lower case; feet as `'` and inches as `"` where they were written as marks; empty where there was none.
    var unit: String

    /// The quantities that make up `text`, such as 13 `ft` and 6 `in`, and the sign before the first.
    ///
    /// Nil where anything else stands in the text. Its length is limited: what people write is short.
    static func sequence(in text: String) -> (isNegative: Bool, quantities: [Quantity])? {
        guard text.utf8.count <= 64 else { return nil }
        var rest = normalised(text)[...]
        skipSpace(&rest)
        let isNegative = rest.first == "-"
        if isNegative { rest.removeFirst() }
        var quantities: [Quantity] = []
        while !rest.isEmpty {
            guard let quantity = next(&rest) else { return nil }
            quantities.append(quantity)
        }
        return quantities.isEmpty ? nil : (isNegative, quantities)
    }

    /// The value in units of `unit` as a fraction of two integers; nil beyond what an `Int` holds.
    func fraction(ofUnit unit: Int) -> (numerator: Int, denominator: Int)? {
        let (numerator, overflow) = digits.multipliedReportingOverflow(by: unit)
        guard !overflow else { return nil }
        return (numerator, (0..<decimals).reduce(1) { power, _ in power * 10 })
    }

    private static func next(_ rest: inout ArraySlice<Unicode.Scalar>) -> Quantity? {
        let whole = takeDigits(&rest)
        guard !whole.isEmpty else { return nil }
        var decimals: [Int] = []
        if let mark = rest.first, mark == "." || mark == "," {
            rest.removeFirst()
            decimals = takeDigits(&rest)
            // `13,500 mm` and `1,609 m` are thirteen and one and a half thousand to half of their readers.
            guard !decimals.isEmpty, mark == "." || decimals.count != 3 else { return nil }
        }
        // An Int holds any 18 digits.
        guard whole.count + decimals.count <= 18 else { return nil }
        skipSpace(&rest)
        let unit = takeUnit(&rest)
        skipSpace(&rest)
        let digits = (whole + decimals).reduce(0) { $0 * 10 + $1 }
        return Quantity(digits: digits, decimals: decimals.count, unit: unit)
    }

    private static func takeDigits(_ rest: inout ArraySlice<Unicode.Scalar>) -> [Int] {
        let digits = rest.prefix { ("0"..."9").contains($0) }
        rest.removeFirst(digits.count)
        return digits.map { Int($0.value - 0x30) }
    }

    private static func takeUnit(_ rest: inout ArraySlice<Unicode.Scalar>) -> String {
        let isMark = rest.first == "'" || rest.first == "\""
        let length = isMark ? markLength(rest) : rest.prefix { ("a"..."z").contains($0) }.count
        defer { rest.removeFirst(length) }
        return isMark && length == 2 ? "\"" : String(String.UnicodeScalarView(rest.prefix(length)))
    }

    /// Two single marks stand for one double mark.
    private static func markLength(_ rest: ArraySlice<Unicode.Scalar>) -> Int {
        rest.prefix(2).elementsEqual(["'", "'"]) ? 2 : 1
    }

    private static func skipSpace(_ rest: inout ArraySlice<Unicode.Scalar>) {
        rest = rest.drop { $0 == " " }
    }

    private static func normalised(_ text: String) -> [Unicode.Scalar] {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "A"..."Z": Unicode.Scalar(UInt8(scalar.value) + 0x20)
            case "'", "\u{2032}", "\u{2019}", "\u{2018}", "\u{02B9}", "\u{00B4}": "'"
            case "\"", "\u{2033}", "\u{201D}", "\u{201C}", "\u{02BA}": "\""
            case "\u{2212}": "-"
            default: scalar.properties.isWhitespace ? " " : scalar
            }
        }
    }
}
