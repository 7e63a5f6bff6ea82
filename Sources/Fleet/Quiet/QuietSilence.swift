import Geo
import Messages

/// A time in which a vehicle was in a quiet circle and said nothing, up to the fix that ended it.
struct QuietSilence: Hashable, Sendable {
    var circle: Circle
    var end: Timestamp

    /// Where and when the vehicle left the circle, as far as is known: on its border towards the fix that ended the silence,
    /// and as late as its speed allows. Within the circle no border lies, so that what it crossed it crossed after that.
    func exit(from last: Fix, to fix: Fix) -> Fix {
        let distance = circle.center.distance(to: fix.position)
        guard distance > circle.radius else { return fix }
        let speed = max(fix.speed ?? QuietRule.speedMax, RoadTracker.courseSpeedMin)
        let beyond = max(QuietRule.noticed, (distance - circle.radius) / speed)
        var exit = fix
        exit.position = circle.center.interpolated(to: fix.position, fraction: circle.radius / distance)
        exit.time = max(last.time, fix.time.adding(-beyond))
        return exit
    }
}

extension Vehicle {
    /// The circle that allowed the device to be silent between its last fix and this one; nil where none did.
    @inline(__always)
    func circleOfSilence(until fix: Fix, _ settings: EngineSettings) -> Circle? {
        wasAllowedSilence(until: fix, settings) ? quiet.published?.quiet : nil
    }
}
