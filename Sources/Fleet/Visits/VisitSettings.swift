public import Geo
import Messages

/// What counts as a visit (`visits`, and `fixes.gap`).
public struct VisitSettings: Hashable, Sendable {
    /// A shorter stay is no visit.
    public var duration: Seconds = 300
    /// A vehicle farther than this from the middle of its stay has left.
    public var radius: Metres = 150
    /// Between two fixes farther apart in time nobody knows when a vehicle came or left.
    public var gap: Seconds = 300

    public init() {}

    /// A vehicle no faster than this when it falls silent is presumed to stay: 2 m/s is what trucks manoeuvre at, and a
    /// receiver at rest seldom states as much.
    static let slowMax: MetresPerSecond = 2
    /// Where fixes state no speed, that over at least so long counts: 30 s of noise of 20 m are less than 1 m/s.
    static let slowOver: Seconds = 30
    /// A vehicle that has not reported for so many of its own intervals is silent, as for `stale-position`.
    static let silentAfterIntervals = 3.0

    /// Half a metre a second unless set otherwise: what goes on faster than this moves on, and does not stay.
    var creepMax: MetresPerSecond { radius / duration }
}
