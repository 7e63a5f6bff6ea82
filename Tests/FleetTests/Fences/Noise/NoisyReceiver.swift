import Fleet
import FleetTestSupport
import func Foundation.cos
import func Foundation.exp
import func Foundation.sin
import Geo
import Hashing
import Messages

/// A GPS receiver whose errors are correlated in time: a first-order Gauss-Markov process on each axis, the usual model of
/// position errors of a receiver at rest (Brown and Hwang, Introduction to Random Signals and Applied Kalman Filtering).
struct NoisyReceiver: Sendable, CustomStringConvertible {
    enum Accuracy: CaseIterable { case right, halved, missing }

    /// Radius of the circle that 68 % of the fixes lie in.
    var radius: Metres
    /// Correlation time of the errors; 0: white noise.
    var correlation: Seconds
    var accuracy: Accuracy
    /// Between two fixes.
    var interval: Seconds
    var hasSpeed: Bool

    static let radii: [Metres] = [5, 8, 15, 30]
    static let correlations: [Seconds] = [0, 10, 60, 120, 300]
    static let intervals: [Seconds] = [1, 10, 30]

    init(_ random: inout SplitMix64) {
        radius = Self.radii[random.index(below: Self.radii.count)]
        correlation = Self.correlations[random.index(below: Self.correlations.count)]
        accuracy = Accuracy.allCases[random.index(below: Accuracy.allCases.count)]
        interval = Self.intervals[random.index(below: Self.intervals.count)]
        hasSpeed = random.index(below: 2) == 0
    }

    var description: String {
        "68 % within \(radius) m, correlated over \(correlation) s, accuracy \(accuracy), every \(interval) s"
            + (hasSpeed ? ", with speed" : "")
    }

    /// Of the errors on one axis: 68 % of a circular normal distribution lie within √(−2 ln 0.32) deviations.
    private var deviation: Metres { radius / 1.5096 }

    /// Where a truck is at a time: metres east of the border and north, and how fast it moves.
    struct Motion: Sendable {
        var east: Metres
        var north: Metres
        var speed: MetresPerSecond
        var course: Degrees

        static let standing = Motion(east: 0, north: 0, speed: 0, course: 0)
    }

    func with(radius: Metres, correlation: Seconds, interval: Seconds) -> NoisyReceiver {
        var receiver = self
        (receiver.radius, receiver.correlation, receiver.interval) = (radius, correlation, interval)
        return receiver
    }

    /// Fixes of a truck.
    func fixes(
        for duration: Seconds, _ random: inout SplitMix64, of motion: (Seconds) -> Motion
    ) -> [Fix] {
        let kept = correlation > 0 ? exp(-interval / correlation) : 0
        let fresh = (1 - kept * kept).squareRoot() * deviation
        var (east, north) = (random.gaussian() * deviation, random.gaussian() * deviation)
        return stride(from: 0, through: duration, by: interval).map { time in
            let place = motion(time)
            var fix = Fix(position: Drawing.place(place.east + east, place.north + north), time: .at(time))
            fix.accuracy =
                switch accuracy {
                case .right: radius
                case .halved: radius / 2
                case .missing: nil
                }
            if hasSpeed {
                // What Doppler measurements are off by.
                fix.speed = max(0, place.speed + 0.2 * random.gaussian())
                fix.course = place.speed > 1 ? place.course : 360 * random.fraction()
            }
            east = east * kept + random.gaussian() * fresh
            north = north * kept + random.gaussian() * fresh
            return fix
        }
    }
}
