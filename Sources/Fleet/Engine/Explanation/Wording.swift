import Geo
import Messages

/// Numbers as a dispatcher reads them: exact enough to compare two of them, in the vehicle's units.
struct Wording {
    let units: UnitSystem

    /// `2,450 m`, or `1.52 mi` and, where shorter, `480 ft`.
    func length(_ metres: Metres) -> String {
        switch units {
        case .metric: "\(Self.whole(metres).grouped) m"
        case .imperial:
            metres >= 0.2 * Unit.mile
                ? "\(Self.decimals(metres / Unit.mile, 2)) mi" : "\(Self.whole(metres / Unit.foot).grouped) ft"
        }
    }

    /// `4.12 m`, or `13'6" (4.12 m)`.
    func height(_ metres: Metres) -> String {
        let metric = "\(Self.decimals(metres, 2)) m"
        guard units == .imperial else { return metric }
        let inches = Self.whole(metres / Unit.inch)
        return "\(inches / 12)'\(inches % 12)\" (\(metric))"
    }

    /// `8 cm`, or `3 in`.
    func margin(_ metres: Metres) -> String {
        units == .metric
            ? "\(Self.decimals(metres * 100, 1)) cm" : "\(Self.decimals(metres / Unit.inch, 1)) in"
    }

    func speed(_ speed: MetresPerSecond) -> String {
        units == .metric ? "\(Self.whole(speed * 3.6)) km/h" : "\(Self.whole(speed * 3600 / Unit.mile)) mph"
    }

    func seconds(_ seconds: Seconds) -> String { "\(Self.whole(seconds)) s" }

    func degrees(_ degrees: Degrees) -> String { "\(Self.whole(degrees))°" }

    /// `25 %`; below one to a tenth.
    func percent(_ share: Double) -> String {
        "\(share < 0.01 ? Self.decimals(100 * share, 1) : "\(Self.whole(100 * share))") %"
    }

    func road(_ title: String?, way: Int64) -> String { title ?? "a road without a name (way \(way))" }

    /// The nearest whole number; of what is larger than anything on Earth the largest.
    private static func whole(_ value: Double) -> Int {
        value.isFinite ? Int(min(max(value.rounded(), -1e15), 1e15)) : 0
    }

    /// At most so many; a whole number bears none.
    private static func decimals(_ value: Double, _ count: Int) -> String {
        let power = count == 2 ? 100 : 10
        let scaled = whole(value * Double(power))
        let rest = String(scaled % power)
        let fraction = String(repeating: "0", count: count - rest.count) + rest
        return count == 1 && scaled % power == 0 ? "\(scaled / power)" : "\(scaled / power).\(fraction)"
    }
}
