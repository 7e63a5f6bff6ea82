import Geo
import Messages

/// What two fixes say of how a vehicle moves, where the device does not.
extension Fix {
    /// As reported, else from the fix before; 0 where there is none.
    func speed(since previous: Fix?) -> MetresPerSecond {
        if let speed { return speed }
        guard let previous else { return 0 }
        return previous.position.distance(to: position) / time.since(previous.time)
    }

    /// Nil where the vehicle hardly moved: then a course says more about the receiver than about the vehicle.
    func course(since previous: Fix?) -> Degrees? {
        if let course { return speed ?? 0 >= RoadTracker.courseSpeedMin ? course : nil }
        guard let previous else { return nil }
        let noise = previous.accuracyOrAssumed + accuracyOrAssumed
        return previous.position.distance(to: position) > noise ? previous.position.bearing(to: position) : nil
    }
}
