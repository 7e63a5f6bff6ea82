/// A number and the unit written after it, read digit by digit so that 4.35 stays 4.35.
struct Quantity {
    /// How a number was written: `6`, `6.5`, or `6 1/2`, `6-1/2`, `6½` and `1/2`.
    enum Form {
        case whole, decimal, fraction
    }

    private typealias Number = (numerator: Int, denominator: Int, form: Form)

    /// The number is `numerator / denominator`.
    var numerator: Int
    var denominator: Int
    var form: Form
    /// In lower case; feet as `'` and inches as `"` where they were written as marks; empty where there was none.
    var unit: String
    /// Whether a dash stands between it and the one before.
    var followsDash = false

    /// The quantities that make up `text`, such as 13 `ft` and 6 `in`, and the sign before the first.
    ///
    /// Nil where anything else stands in the text. Its length is limited: what people write is short.
    ///
    /// - Parameter symbols: by other names of units, what stands for them in `unit`.
    static func sequence(
        in text: String, symbols: [String: String] = [:]
    ) -> (isNegative: Bool, quantities: [Quantity])? {
        guard text.utf8.count <= 64 else { return nil }
        var rest = normalised(text)[...]
        skipSpace(&rest)
        let isNegative = rest.first == "-"
        if isNegative { rest.removeFirst() }
        var quantities: [Quantity] = []
        while !rest.isEmpty {
            let followsDash = !quantities.isEmpty && rest.first == "-"
            if followsDash {
                rest.removeFirst()
                skipSpace(&rest)
            }
            guard var quantity = next(&rest) else { return nil }
            quantity.followsDash = followsDash
            quantity.unit = symbols[quantity.unit] ?? quantity.unit
            quantities.append(quantity)
        }
        return quantities.isEmpty ? nil : (isNegative, quantities)
    }

    /// The value in units of `unit` as a fraction of two integers; nil beyond what an `Int` holds.
    func fraction(ofUnit unit: Int) -> (numerator: Int, denominator: Int)? {
        let (product, overflow) = numerator.multipliedReportingOverflow(by: unit)
        return overflow ? nil : (product, denominator)
    }

    private static func next(_ rest: inout ArraySlice<Unicode.Scalar>) -> Quantity? {
        let whole = takeDigits(&rest)
        guard !whole.isEmpty, let number = takeFraction(whole, &rest) ?? takeDecimals(whole, &rest) else { return nil }
        skipSpace(&rest)
        let unit = takeUnit(&rest)
        skipSpace(&rest)
        return Quantity(numerator: number.numerator, denominator: number.denominator, form: number.form, unit: unit)
    }

    private static func takeDecimals(_ whole: [Int], _ rest: inout ArraySlice<Unicode.Scalar>) -> Number? {
        var decimals: [Int] = []
        if let mark = rest.first, mark == "." || mark == "," {
            rest.removeFirst()
            decimals = takeDigits(&rest)
            // `13,500 mm` and `1,609 m` are thirteen and one and a half thousand to half of their readers.
            guard !decimals.isEmpty, mark == "." || decimals.count != 3 else { return nil }
        }
        // An Int holds any 18 digits.
        guard whole.count + decimals.count <= 18 else { return nil }
        let denominator = decimals.reduce(1) { power, _ in power * 10 }
        return (number(whole + decimals), denominator, decimals.isEmpty ? .whole : .decimal)
    }

    /// Nil, with nothing taken, where no proper fraction stands here.
    ///
    /// - Parameter whole: the digits before: the whole number, or the fraction's upper one where its bar follows.
    private static func takeFraction(_ whole: [Int], _ rest: inout ArraySlice<Unicode.Scalar>) -> Number? {
        var ahead = rest
        var (integer, upper) = ([Int](), whole)
        if ahead.first == " " || ahead.first == "-" {
            skipSpace(&ahead)
            if ahead.first == "-" { ahead.removeFirst() }
            (integer, upper) = (whole, takeDigits(&ahead))
        }
        guard ahead.first == "/" else { return nil }
        ahead.removeFirst()
        let lower = takeDigits(&ahead)
        // An Int holds any product of these.
        guard integer.count <= 9, (1...2).contains(upper.count), (1...2).contains(lower.count) else { return nil }
        let (numerator, denominator) = (number(upper), number(lower))
        guard numerator > 0, numerator < denominator, denominator <= VulgarFraction.denominatorMax else { return nil }
        rest = ahead
        return (number(integer) * denominator + numerator, denominator, .fraction)
    }

    private static func number(_ digits: [Int]) -> Int { digits.reduce(0) { $0 * 10 + $1 } }

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
        VulgarFraction.spelledOut(text).unicodeScalars.map { scalar in
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
