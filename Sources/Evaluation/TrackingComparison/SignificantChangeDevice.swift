import Fleet
import Geo
import Messages

/// Reports a fix on launch, and each time that it has moved 500 m since the last one.
struct SignificantChangeDevice: TrackingDevice {
    /// Which the system notices by the cells, with the receiver off.
    static let distance: Metres = 500

    private var last: Coordinate?

    mutating func advance(to second: DeviceSecond) -> DeviceAct {
        if let last, last.distance(to: second.place) < Self.distance { return .none }
        guard let fix = second.fix else { return .looking }
        last = second.place
        return .reporting(fix)
    }
}
