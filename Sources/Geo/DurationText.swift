/// Durations as people write them in settings and payloads: `10 s`, `90 min`, `24 h`, `7 d`, `250 ms`.
///
/// Units in either case; a number alone is seconds. A duration is never negative.
public enum DurationText {
    /// Nil where `text` is no duration.
    public static func seconds(_ text: String) -> Seconds? {
        guard let (isNegative, quantities) = Quantity.sequence(in: text), !isNegative, quantities.count == 1,
            quantities[0].form != .fraction, let unit = milliseconds(in: quantities[0].unit),
            let (numerator, denominator) = quantities[0].fraction(ofUnit: unit)
        else { return nil }
        // One division of two integers, so that 0.1 s is the Double nearest to 0.1.
        return Seconds(numerator) / (Seconds(denominator) * 1000)
    }

    private static func milliseconds(in unit: String) -> Int? {
        switch unit {
        case "ms": 1
        case "", "s": 1000
        case "min": 60_000
        case "h": 3_600_000
        case "d": 86_400_000
        default: nil
        }
    }
}
