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

    /// Where the vehicle is bound. A reported course counts where the speed says that it moves, or, without a speed, the way
    /// since the fix before; else the course is that of this way. Nil where the vehicle hardly moved: then a course says more
    /// about the receiver than about the vehicle.
    ///
    /// - Parameter rest: where the vehicle stood that has left: steps too short to tell anything add up from there.
    func course(since previous: Fix?, from rest: Coordinate?) -> Degrees? {
        if let course, let speed { return speed >= RoadTracker.courseSpeedMin ? course : nil }
        guard let previous else { return nil }
        let noise = previous.accuracyOrAssumed + accuracyOrAssumed
        var start = previous.position
        // A place farther away is an old one: none was noted while no alerts were judged.
        if start.distance(to: position) <= noise, let rest,
            rest.distance(to: position) <= Standstill.radius(self) + noise
        {
            start = rest
        }
        guard start.distance(to: position) > noise else { return nil }
        return course ?? start.bearing(to: position)
    }
}
