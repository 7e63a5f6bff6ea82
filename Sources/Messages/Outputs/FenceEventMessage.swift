public import Geo
public import Hashing

/// What a vehicle did at a fence.
public struct FenceEventMessage: Hashable, Sendable, Codable {
    public enum Event: String, Sendable, Codable, CaseIterable {
        /// Where the vehicle is, told once when it or the fence becomes known, or comes into force; and again where fixes that
        /// came late show that it was on the other side.
        case determined
        case enter, exit, dwell
    }

    public enum Side: String, Sendable, Codable {
        case inside, outside
    }

    public var id: String
    public var event: Event
    /// Where the vehicle is after it.
    public var state: Side
    @BytewiseText public var fence: String
    public var fenceName: String?
    /// The time of the fix or deadline that caused it.
    public var time: Timestamp
    /// Where the border was crossed; where none was, the fix, or where the vehicle was as the fence came into force.
    public var position: Coordinate
    /// When the border was crossed; where none was, the time of the fix or deadline, or when the fence came into force.
    public var crossedAt: Timestamp
    /// Whether place and time lie between two fixes.
    public var isInterpolated: Bool
    /// Whether the fence was passed between two fixes: the enter and the exit of it both say so.
    public var isThrough: Bool
    /// With `exit`, or `determined` as outside: the stay, if there was one, was shorter than a `dwell` that was told of it while the
    /// device was silent.
    public var isDwellRetracted = false

    public init(
        id: String, event: Event, state: Side, fence: String, fenceName: String?, time: Timestamp,
        position: Coordinate, crossedAt: Timestamp, isInterpolated: Bool = false, isThrough: Bool = false
    ) {
        self.id = id
        self.event = event
        self.state = state
        self.fence = fence
        self.fenceName = fenceName
        self.time = time
        self.position = position
        self.crossedAt = crossedAt
        self.isInterpolated = isInterpolated
        self.isThrough = isThrough
    }
}
