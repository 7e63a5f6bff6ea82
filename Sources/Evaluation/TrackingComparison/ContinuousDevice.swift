import Fleet
import Geo
import Messages

/// Reports a fix each interval; where none is to be had then, the next.
struct ContinuousDevice: TrackingDevice {
    let interval: Seconds
    private var due: Timestamp?

    init(interval: Seconds) { self.interval = interval }

    mutating func advance(to second: DeviceSecond) -> DeviceAct {
        if let due, second.time < due { return .none }
        guard let fix = second.fix else { return .looking }
        due = second.time.adding(interval)
        return .reporting(fix)
    }
}
