/// The parts of a week in which something holds, by the minutes since Monday, 00:00.
struct WeekSpans: Sendable {
    static let minutes = 7 * 1440
    static let milliseconds: Int64 = 7 * 86_400_000

    /// Ascending, with gaps between them.
    private let spans: [Range<Int>]
    /// At which minutes a span begins or ends, ascending.
    private let changes: [Int]

    /// - Parameter days: as `WeekText` reads them.
    init(_ days: [[Range<Int>]]) {
        spans = Self.merged(days.indices.flatMap { day in days[day].flatMap { Self.placed($0, on: day) } })
        let borders = spans.flatMap { [$0.lowerBound, $0.upperBound % Self.minutes] }
        // A span that ends with the week where another begins goes on.
        changes = borders.filter { border in borders.count { $0 == border } == 1 }.sorted()
    }

    /// - Parameter time: milliseconds since Monday, 00:00.
    func contains(_ time: Int64) -> Bool {
        let minute = Int(time / 60_000)
        return spans.contains { $0.contains(minute) }
    }

    /// How many milliseconds after a time, not at it, a span next begins or ends; nil: never.
    func untilChange(after time: Int64) -> Int64? {
        guard let first = changes.first else { return nil }
        let next = changes.first { Int64($0) * 60_000 > time } ?? first + Self.minutes
        return Int64(next) * 60_000 - time
    }

    /// What goes on beyond Sunday comes round to Monday.
    private static func placed(_ span: Range<Int>, on day: Int) -> [Range<Int>] {
        let (begin, end) = (span.lowerBound + day * 1440, span.upperBound + day * 1440)
        return begin >= minutes
            ? [begin - minutes..<end - minutes]
            : end > minutes ? [begin..<minutes, 0..<end - minutes] : [begin..<end]
    }

    private static func merged(_ spans: [Range<Int>]) -> [Range<Int>] {
        spans.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { merged, span in
            if let last = merged.last, span.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, span.upperBound)
            } else {
                merged.append(span)
            }
        }
    }
}
