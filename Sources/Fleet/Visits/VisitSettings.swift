public import Geo

/// What counts as a visit (contract §5, `visits`, and `fixes.gap`).
public struct VisitSettings: Hashable, Sendable {
    /// A shorter stay is no visit.
    public var duration: Seconds = 300
    /// A vehicle farther than this from the middle of its stay has left.
    public var radius: Metres = 150
    /// Between two fixes farther apart in time nobody knows when a vehicle came or left.
    public var gap: Seconds = 300

    public init() {}

    /// Half a metre a second unless set otherwise: what goes on faster than this moves on, and does not stay.
    var creepMax: MetresPerSecond { radius / duration }
}
