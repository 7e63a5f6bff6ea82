import Geo
import Messages

/// A track in parts of which none crosses the antimeridian (RFC 7946 §3.1.9).
///
/// A part that ends on the antimeridian, and the one that begins there, have a position that no fix has: its time and
/// altitude are interpolated, and its accuracy, speed and course are nil.
struct TrackLines {
    /// Each of two positions or more, but for a track of one fix, which is one part; empty where there are no fixes.
    private(set) var parts: [[Fix]] = []

    /// - Parameter fixes: by time.
    init(_ fixes: [Fix]) {
        let isOnAntimeridian = { (fix: Fix) in fix.position.longitude.magnitude == 180 }
        // A fix on the antimeridian belongs to the part before it; the first ones, to the part behind them.
        guard var last = fixes.first(where: { !isOnAntimeridian($0) }) ?? fixes.first else { return }
        for (index, fix) in fixes.enumerated() {
            var fix = fix
            if isOnAntimeridian(fix) {
                fix.position.longitude = Self.antimeridian(beside: last)
            }
            if index == 0 { parts.append([]) } else { cut(from: last, to: fix) }
            parts[parts.count - 1].append(fix)
            last = fix
        }
    }

    /// Begins another part where the antimeridian lies between two fixes.
    private mutating func cut(from start: Fix, to end: Fix) {
        let crossed = (end.position.longitude - start.position.longitude).magnitude
        guard crossed > 180 else { return }
        let rest = 180 - start.position.longitude.magnitude
        var border = Self.fix(between: start, and: end, fraction: rest / (360 - crossed))
        border.position.longitude = Self.antimeridian(beside: start)
        if rest > 0 { parts[parts.count - 1].append(border) }
        border.position.longitude = Self.antimeridian(beside: end)
        parts.append([border])
    }

    private static func antimeridian(beside fix: Fix) -> Degrees { fix.position.longitude < 0 ? -180 : 180 }

    private static func fix(between start: Fix, and end: Fix, fraction: Double) -> Fix {
        var altitude: Metres?
        if let first = start.altitude, let last = end.altitude { altitude = first + (last - first) * fraction }
        return Fix(
            position: start.position.interpolated(to: end.position, fraction: fraction),
            time: start.time.adding(end.time.since(start.time) * fraction), altitude: altitude)
    }
}
