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
}
