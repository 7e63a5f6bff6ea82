import Geo

// Lengths, heights and durations: with a unit, or a number alone in metres or seconds.

extension SettingKind where Value == Metres {
    static func length(_ range: ClosedRange<Metres>) -> Self {
        let bounds = "from \(decimal(range.lowerBound)) m to \(decimal(range.upperBound)) m"
        return Self("a length \(bounds), such as 1.5 m, 3 in or 1 mi") { text, _ in
            LengthText.metres(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    static func duration(_ range: ClosedRange<Seconds>) -> Self {
        let bounds = "from \(decimal(range.lowerBound)) s to \(decimal(range.upperBound)) s"
        return Self("a duration \(bounds), such as 30 s, 5 min or 24 h") { text, _ in
            DurationText.seconds(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}

extension SettingKind where Value == Centimetres {
    /// A vehicle's height, which is rounded up to a centimetre: 13'6" is 4.12 m.
    static func vehicleHeight(_ range: ClosedRange<Metres>) -> Self {
        height(range, rounding: .up)
    }

    /// A clearance, which is rounded down: 13'6" is 4.11 m.
    static func clearance(_ range: ClosedRange<Metres>) -> Self {
        height(range, rounding: .down)
    }

    private static func height(_ range: ClosedRange<Metres>, rounding: LengthText.Rounding) -> Self {
        let bounds = "from \(decimal(range.lowerBound)) m to \(decimal(range.upperBound)) m"
        return Self("a height \(bounds), such as 4.11 m or 13'6\"") { text, _ in
            guard let length = LengthText.metres(text), range.contains(length) else { return nil }
            return LengthText.tenthMillimetres(text, rounding: rounding).map { centimetres($0, rounding) }
        }
    }

    private static func centimetres(_ tenthMillimetres: Int, _ rounding: LengthText.Rounding) -> Centimetres {
        tenthMillimetres / 100 + (rounding == .up && tenthMillimetres % 100 > 0 ? 1 : 0)
    }
}
