/// Lengths as people write them in settings and payloads: `4.11 m`, `411 cm`, `13'6"`, `13 ft 6 1/2 in`, `1 mi`.
///
/// Units are `m`, `cm`, `mm`, `km`, `mi`, `yd`, `ft`, `in` in either case, words for metres, feet and inches, and typewriter
/// or typographic marks for feet and inches; a number alone is metres. A decimal comma is read, but not one before three
/// digits, which may have been meant for thousands. Feet and inches together are whole feet and less than twelve inches,
/// perhaps with a dash between: `13'-6"`, and from 7 feet on `13-6`, since `3-4` may be a range in metres. Inches alone
/// may have a fraction: `6 1/2`, `6-1/2`, `6½`.
public enum LengthText {
    /// What becomes of a length finer than a tenth of a millimetre.
    public enum Rounding: Sendable {
        case down, nearest, up
    }

    /// The length in tenths of a millimetre, negative where a minus stands before it; nil where `text` is no length.
    ///
    /// The arithmetic is in integers: an inch is exactly 254, and 13'6" exactly 41,148.
    public static func tenthMillimetres(_ text: String, rounding: Rounding = .nearest) -> Int? {
        guard let (isNegative, quantities) = Quantity.sequence(in: text, symbols: symbols) else { return nil }
        let direction = isNegative ? rounding.mirrored : rounding
        guard let length = magnitude(of: quantities, rounding: direction) else { return nil }
        return isNegative ? -length : length
    }

    /// The length in metres, to a tenth of a millimetre; nil where `text` is no length.
    public static func metres(_ text: String) -> Metres? {
        tenthMillimetres(text).map { Metres($0) / 10_000 }
    }

    /// What a unit is also called.
    private static let symbols = [
        "mt": "m", "mtr": "m", "meter": "m", "meters": "m", "metre": "m", "metres": "m", "foot": "ft", "feet": "ft",
        "inch": "in", "inches": "in",
    ]

    private static func magnitude(of quantities: [Quantity], rounding: Rounding) -> Int? {
        switch quantities.count {
        case 1:
            guard quantities[0].form != .fraction || quantities[0].isInches else { return nil }
            return tenthMillimetres(in: quantities[0].unit).flatMap {
                quantities[0].value(unit: $0, rounding: rounding)
            }
        case 2:
            return feetAndInches(quantities[0], quantities[1], rounding: rounding)
        default:
            return nil
        }
    }

    private static func feetAndInches(_ feet: Quantity, _ inches: Quantity, rounding: Rounding) -> Int? {
        let isInches =
            switch feet.unit {
            case "'": inches.isInches || inches.unit.isEmpty
            case "ft": inches.isInches
            // Not `13-½`, which may be 13½ feet.
            case "":
                inches.followsDash && inches.unit.isEmpty && !feet.isLess(than: 7)
                    && !(inches.form == .fraction && inches.isLess(than: 1))
            default: false
            }
        guard isInches, feet.form == .whole, let whole = feet.value(unit: 3048, rounding: rounding),
            let rest = inches.value(unit: 254, rounding: rounding), inches.isLess(than: 12)
        else { return nil }
        let (sum, overflow) = whole.addingReportingOverflow(rest)
        return overflow ? nil : sum
    }

    private static func tenthMillimetres(in unit: String) -> Int? {
        switch unit {
        case "", "m": 10_000
        case "cm": 100
        case "mm": 10
        case "km": 10_000_000
        case "mi": 16_093_440
        case "yd": 9144
        case "ft", "'": 3048
        case "in", "\"": 254
        default: nil
        }
    }
}

extension LengthText.Rounding {
    fileprivate var mirrored: Self {
        switch self {
        case .down: .up
        case .nearest: .nearest
        case .up: .down
        }
    }
}

extension Quantity {
    fileprivate var isInches: Bool { unit == "\"" || unit == "in" }

    fileprivate func value(unit: Int, rounding: LengthText.Rounding) -> Int? {
        guard let (numerator, denominator) = fraction(ofUnit: unit) else { return nil }
        let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
        return switch rounding {
        case .down: quotient
        case .nearest: quotient + (remainder >= denominator - remainder ? 1 : 0)
        case .up: quotient + (remainder > 0 ? 1 : 0)
        }
    }

    fileprivate func isLess(than limit: Int) -> Bool {
        guard let (numerator, denominator) = fraction(ofUnit: 1) else { return false }
        return numerator / denominator < limit
    }
}
