import Geo

extension ClearanceReading {
    /// Reads a height as mappers and sign makers write it: metres or feet and inches, lists and lanes
    /// (the lowest counts), a condition behind `@` (not judged). See the table in the tests.
    public init(_ text: String) {
        self = Self.merged(Self.readings(text)) ?? .unknown
    }

    /// As above, for a person's word that is to hold in place of what is known: nil where any part of it cannot be read or
    /// cannot be true, since that part may be the lowest.
    public init?(statement text: String) {
        let readings = Self.readings(text)
        guard !readings.contains(.unknown), let merged = Self.merged(readings) else { return nil }
        self = merged
    }

    /// What a sign says of a text: of a list or of lanes the lowest height, without its condition. The text itself where no height
    /// can be read.
    package static func sign(_ text: String) -> String {
        let parts = alternatives(text)
        guard let lowest = merged(parts.map(single)), case .limit = lowest,
            let part = parts.first(where: { single($0) == lowest })
        else { return text }
        return part.prefix { $0 != "@" }.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private static func readings(_ text: String) -> [ClearanceReading] { alternatives(text).map(single) }

    private static func merged(_ readings: [ClearanceReading]) -> ClearanceReading? {
        readings.first.map { first in readings.dropFirst().reduce(first) { $0.merged(with: $1) } }
    }

    /// Splits at `;` and `|` outside brackets; empty parts are lanes without a limit of their own.
    private static func alternatives(_ text: String) -> [Substring] {
        var depth = 0
        let parts = text.split { character in
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            return depth == 0 && (character == ";" || character == "|")
        }
        return parts.filter { !$0.allSatisfy(\.isWhitespace) }
    }

    private static func single(_ text: Substring) -> ClearanceReading {
        let unconditional = text.prefix { $0 != "@" }
        var scanner = HeightScanner(unconditional)
        if scanner.isWord(in: ["none", "no_sign", "no_indications", "unsigned", "default"]) { return .legalDefault }
        guard let height = scanner.centimetres(), plausible.contains(height) else { return .unknown }
        return .limit(height)
    }
}

/// A non-negative decimal as it was written: never a binary fraction, so 4.35 stays 4.35.
private struct Decimal {
    /// In thousandths; digits beyond are dropped, which rounds down.
    var thousandths: Int
    var hasFraction: Bool
}

/// Inches in thousandths, as a fraction of two integers.
private struct Inches {
    var thousandths: Int
    var denominator = 1

    /// `numerator` is below `denominator`.
    init(whole: Int, numerator: Int, denominator: Int) {
        (thousandths, self.denominator) = ((whole * denominator + numerator) * 1000, denominator)
    }

    init(_ decimal: Decimal) { thousandths = decimal.thousandths }
}

/// Reads one height, front to back. Every reading ends at the end of the text or fails.
private struct HeightScanner {
    private var rest: Substring

    init(_ text: Substring) {
        rest = VulgarFraction.spelledOut(text.lowercased()).split(whereSeparator: \.isWhitespace).reduce(into: "") {
            joined, word in
            if Self.wouldRunOn(joined, word) { joined += " " }
            joined += word
        }
    }

    /// Spaces mean nothing, but where one parts two numbers: `1 0` is not ten, `3, 4` not three point four.
    private static func wouldRunOn(_ text: Substring, _ word: Substring) -> Bool {
        guard let last = text.last, let first = word.first else { return false }
        return first.isNumber && (last.isNumber || last == "." || last == ",")
    }

    func isWord(in words: Set<String>) -> Bool { words.contains(String(rest)) }

    mutating func centimetres() -> Centimetres? {
        guard let first = decimal() else { return nil }
        if rest.isEmpty || accept(["m", "mt", "mtr", "meter", "meters", "metre", "metres"]) {
            return rest.isEmpty ? first.thousandths / 10 : nil
        }
        if accept(["cm"]) { return rest.isEmpty ? first.thousandths / 1000 : nil }
        if accept(["'", "′", "’", "ft", "feet", "foot"], unlessFollowedBy: "'") { return feet(first) }
        if accept(["-"]) { return first.hasFraction ? nil : feetDashInches(first) }
        return nil
    }

    /// After the feet: nothing, or inches with or without their mark.
    private mutating func feet(_ feet: Decimal) -> Centimetres? {
        _ = accept(["-"])
        if rest.isEmpty { return Self.centimetres(feet: feet, Inches(whole: 0, numerator: 0, denominator: 1)) }
        guard !feet.hasFraction, let inches = inches() else { return nil }
        _ = accept(["\"", "″", "”", "''", "′′", "inches", "inch", "in"])
        return rest.isEmpty ? Self.centimetres(feet: feet, inches) : nil
    }

    /// `13-6`: only from 7 feet on, since `3-4` may as well be a range in metres; not `13-1/2`, which may be 13½ feet.
    private mutating func feetDashInches(_ feet: Decimal) -> Centimetres? {
        guard feet.thousandths >= 7000, let inches = inches(), rest.isEmpty,
            inches.denominator == 1 || inches.thousandths >= 1000 * inches.denominator
        else { return nil }
        return Self.centimetres(feet: feet, inches)
    }

    /// 1 in = 2.54 cm exactly; rounded down.
    private static func centimetres(feet: Decimal, _ inches: Inches) -> Centimetres? {
        guard inches.thousandths < 12_000 * inches.denominator else { return nil }
        return (feet.thousandths * 12 * inches.denominator + inches.thousandths) * 254 / (100_000 * inches.denominator)
    }

    /// `6`, `6.5`, `6 1/2`, `6-1/2` or `1/2`.
    private mutating func inches() -> Inches? {
        guard let first = decimal() else { return nil }
        guard !first.hasFraction else { return Inches(first) }
        let whole = first.thousandths / 1000
        if let fraction = fraction(of: whole, behind: 0) { return fraction }
        var ahead = self
        if ahead.accept([" ", "-"]), let numerator = ahead.decimal(), !numerator.hasFraction,
            let fraction = ahead.fraction(of: numerator.thousandths / 1000, behind: whole)
        {
            self = ahead
            return fraction
        }
        return Inches(first)
    }

    /// The bar and what is below it; nil, with nothing taken, where no proper fraction stands here.
    private mutating func fraction(of numerator: Int, behind whole: Int) -> Inches? {
        var ahead = self
        guard ahead.accept(["/"]), let denominator = Int(ahead.digits()),
            numerator > 0, numerator < denominator, denominator <= VulgarFraction.denominatorMax
        else { return nil }
        self = ahead
        return Inches(whole: whole, numerator: numerator, denominator: denominator)
    }

    private mutating func decimal() -> Decimal? {
        let whole = digits()
        guard !whole.isEmpty, whole.count <= 6, var thousandths = Int(whole) else { return nil }
        thousandths *= 1000
        guard let mark = rest.first, mark == "." || mark == "," else {
            return Decimal(thousandths: thousandths, hasFraction: false)
        }
        rest.removeFirst()
        let fraction = digits()
        guard !fraction.isEmpty else { return nil }
        for (digit, weight) in zip(fraction, [100, 10, 1]) {
            thousandths += (digit.wholeNumberValue ?? 0) * weight
        }
        return Decimal(thousandths: thousandths, hasFraction: true)
    }

    private mutating func digits() -> Substring {
        let found = rest.prefix { $0.isASCII && $0.isNumber }
        rest.removeFirst(found.count)
        return found
    }

    /// Takes the longest of `tokens` that stands here.
    private mutating func accept(_ tokens: [String], unlessFollowedBy next: String? = nil) -> Bool {
        guard let token = tokens.filter({ rest.hasPrefix($0) }).max(by: { $0.count < $1.count }) else { return false }
        if let next, rest.dropFirst(token.count).hasPrefix(next) { return false }
        rest.removeFirst(token.count)
        return true
    }
}
