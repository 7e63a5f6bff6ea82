import Geo

extension ClearanceReading {
    /// Reads a height as mappers and sign makers write it: metres or feet and inches, lists and lanes
    /// (the lowest counts), a condition behind `@` (not judged). See the table in the tests.
    public init(_ text: String) {
        let parts = Self.alternatives(text)
        guard let first = parts.first else {
            self = .unknown
            return
        }
        self = parts.dropFirst().reduce(Self.single(first)) { $0.merged(with: Self.single($1)) }
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

/// Reads one height, front to back. Every reading ends at the end of the text or fails.
private struct HeightScanner {
    private var rest: Substring

    init(_ text: Substring) {
        rest = text.lowercased().split(whereSeparator: \.isWhitespace).reduce(into: "") { joined, word in
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
        if rest.isEmpty { return Self.centimetres(feet: feet, inches: Decimal(thousandths: 0, hasFraction: false)) }
        guard !feet.hasFraction, let inches = decimal() else { return nil }
        _ = accept(["\"", "″", "”", "''", "′′", "inches", "inch", "in"])
        return rest.isEmpty ? Self.centimetres(feet: feet, inches: inches) : nil
    }

    /// `13-6`: only from 7 feet on, since `3-4` may as well be a range in metres.
    private mutating func feetDashInches(_ feet: Decimal) -> Centimetres? {
        guard feet.thousandths >= 7000, let inches = decimal(), rest.isEmpty else { return nil }
        return Self.centimetres(feet: feet, inches: inches)
    }

    /// 1 in = 2.54 cm exactly; rounded down.
    private static func centimetres(feet: Decimal, inches: Decimal) -> Centimetres? {
        guard inches.thousandths < 12_000 else { return nil }
        return (feet.thousandths * 12 + inches.thousandths) * 254 / 100_000
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
