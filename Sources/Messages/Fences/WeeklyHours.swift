import Foundation
import Geo

/// When in the week something holds: the weekly part of OSM's opening-hours syntax, in a time zone.
///
/// It holds whenever a clock on a wall there shows a time within a span. Where clocks are set forward, a span in the hour that
/// is left out falls away that day, and one that begins in it begins as the clocks are set; where they are set back, a span in
/// the hour that comes twice holds twice.
public struct WeeklyHours: Hashable, Sendable, Codable {
    /// What a value in OSM may have; longer texts are a problem.
    public static let weekCharacters = 255

    /// An IANA name, such as `America/Detroit`.
    public let zone: String
    /// As it was written: `Mo-Fr 06:00-18:00; Sa 08:00-12:00`.
    public let week: String
    private let timeZone: TimeZone
    private let spans: WeekSpans

    /// Throws where the zone is unknown, or where `week` says more than days and times; see `WeekText`.
    public init(zone: String, week: String) throws(WeeklyHoursError) {
        guard let timeZone = TimeZone(identifier: zone) else { throw .unknownZone(zone) }
        guard week.count <= Self.weekCharacters else { throw .tooLong(characters: week.count) }
        self.zone = zone
        self.week = week
        self.timeZone = timeZone
        spans = WeekSpans(try WeekText(week).days)
    }

    /// Whether they hold at a moment; from the first minute on, not in the last.
    public func isOpen(at time: Timestamp) -> Bool { spans.contains(wall(at: time)) }

    /// When they next begin or end after a moment; nil: never.
    public func nextChange(after time: Timestamp) -> Timestamp? {
        let isOpen = isOpen(at: time)
        // From here on to the next shift of the zone, a minute on the wall is a minute.
        var start = time
        while let wait = spans.untilChange(after: wall(at: start)) {
            let change = Timestamp(milliseconds: start.milliseconds + wait)
            guard let shift = nextShift(after: start), shift <= change else { return change }
            if self.isOpen(at: shift) != isOpen { return shift }
            start = shift
        }
        return nil
    }

    /// What the wall's clock and calendar show: milliseconds since Monday, 00:00.
    private func wall(at time: Timestamp) -> Int64 {
        let offset = Int64(timeZone.secondsFromGMT(for: Date(time)))
        // 1970-01-01 was a Thursday.
        let sinceMonday = time.milliseconds + offset * 1000 + 3 * 86_400_000
        let rest = sinceMonday % WeekSpans.milliseconds
        return rest < 0 ? rest + WeekSpans.milliseconds : rest
    }

    /// When the zone's clocks are next set, for daylight saving or for good; nil: never.
    private func nextShift(after time: Timestamp) -> Timestamp? {
        guard let date = timeZone.nextDaylightSavingTimeTransition(after: Date(time)) else { return nil }
        let shift = Timestamp(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded()))
        return shift > time ? shift : nil
    }
}

extension Date {
    fileprivate init(_ time: Timestamp) { self.init(timeIntervalSince1970: Seconds(time.milliseconds) / 1000) }
}

// What they mean follows from zone and text.
extension WeeklyHours {
    private enum CodingKeys: CodingKey { case zone, week }

    public static func == (a: WeeklyHours, b: WeeklyHours) -> Bool { a.zone == b.zone && a.week == b.week }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(zone)
        hasher.combine(week)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            zone: container.decode(String.self, forKey: .zone), week: container.decode(String.self, forKey: .week))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(zone, forKey: .zone)
        try container.encode(week, forKey: .week)
    }
}
