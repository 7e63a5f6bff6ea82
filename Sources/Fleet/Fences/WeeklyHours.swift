/// When in the week something holds: the weekly part of OSM's opening-hours syntax, in a time zone.
public struct WeeklyHours: Hashable, Sendable, Codable {
    /// An IANA name, such as `America/Detroit`.
    public let zone: String
    /// As it was written: `Mo-Fr 06:00-18:00; Sa 08:00-12:00`.
    public let week: String

    public init(zone: String, week: String) {
        self.zone = zone
        self.week = week
    }

    /// Whether they hold at a moment; from the first minute on, not in the last.
    public func isOpen(at time: Timestamp) -> Bool { true }

    /// When they next begin or end after a moment; nil: never.
    public func nextChange(after time: Timestamp) -> Timestamp? { nil }
}
