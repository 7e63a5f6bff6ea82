import Geo
import Messages

/// Since when a vehicle has been where it stands, as far as the noise of its fixes tells.
struct Rest: Hashable, Sendable {
    /// Where traffic moves at walking pace, a vehicle leaves the place within so long.
    static let atRestAfter: Seconds = 20
    /// A device that says so has its vehicle at rest.
    static let speedMax: MetresPerSecond = 0.5

    var standstill: Standstill
    var since: Timestamp
}

extension Vehicle {
    /// Notes where its newest fix has it stand.
    mutating func noteRest(at fix: Fix) {
        if rest?.standstill.holds(at: fix) != true {
            rest = Rest(standstill: Standstill(place: fix.position), since: fix.time)
        }
    }

    /// How long it has been at rest; nil while it may be moving.
    func restDuration(at time: Timestamp) -> Seconds? {
        guard let rest else { return nil }
        let duration = time.since(rest.since)
        let isReported = lastFix?.speed.map { $0 < Rest.speedMax } ?? false
        return duration >= Rest.atRestAfter || isReported ? duration : nil
    }

    /// Its newest fix as alerts are judged by it: with the speed since the fix before, where the device tells none and the vehicle
    /// is on its way from where it stood. Fixes of poor accuracy lie that far apart at rest, too; what they all say together is
    /// evidence.
    @inline(__always)
    func judged(_ fix: Fix) -> Fix {
        guard fix.speed == nil, hasLeft(by: fix) else { return fix }
        var fix = fix
        fix.speed = speed
        return fix
    }

    /// A fix that says that the vehicle stands, as the one before did, is without speed and course where the vehicle has left the
    /// place that it was at then: some devices always say 0. One that has ever told another speed is believed, as single fixes of a
    /// truck that stands are reflected.
    @inline(__always)
    func believed(_ fix: Fix, after previous: Fix?) -> Fix {
        guard !device.contains(.tellsSpeed), let previous, let speed = fix.speed, speed < Rest.speedMax, let rest,
            rest.standstill.holds(at: previous), hasLeft(by: fix)
        else { return fix }
        var fix = fix
        (fix.speed, fix.course) = (nil, nil)
        return fix
    }

    /// Whether it is not where it has been taken to stand any more, by its newest fix.
    @inline(__always)
    func hasLeft(by fix: Fix) -> Bool {
        guard let distance = rest?.standstill.place.distance(to: fix.position), distance > Standstill.noiseMin else {
            return false
        }
        return distance > Standstill.radius(fix) || fences.motion.isMoving(at: fix, ordered)
    }
}
