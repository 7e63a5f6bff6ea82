import Geo
import Messages

/// Where a vehicle may have come to stand: what the noise of a parked truck's fixes says of its road is no news.
struct Standstill: Hashable, Sendable {
    /// Walking pace: a receiver that stands reports less.
    static let speedMax: MetresPerSecond = 2
    /// The distance of two fixes of one place, where their accuracy promises less: buildings reflect.
    static let noiseMin: Metres = 30
    /// Two fixes of one place are farther apart than five times the 68 % radius once in ten thousand times.
    static let noiseFactor = 5.0

    var place: Coordinate

    /// Whether a fix is of a vehicle that is there still.
    func holds(at fix: Fix) -> Bool {
        let noise = Self.noiseFactor * fix.accuracyOrAssumed
        return fix.speed ?? 0 < Self.speedMax && place.distance(to: fix.position) <= max(Self.noiseMin, noise)
    }
}

/// An alert that was cleared where the vehicle stands: it is not raised again, and again, before the vehicle has moved.
struct QuietedAlert: Hashable, Sendable {
    /// Nobody stands in the reach of more; the oldest goes.
    static let countMax = 8

    var subject: OpenAlert.Subject
    var standstill: Standstill
}

extension Vehicle {
    /// Lets go of what does not hold any more.
    mutating func forgetQuieted(at fix: Fix) {
        if !quieted.isEmpty { quieted.removeAll { !$0.standstill.holds(at: fix) } }
    }

    /// Notes which of the alerts that were open a moment ago are over because no rule held.
    mutating func noteQuieted(_ before: [OpenAlert], _ messages: [AlertMessage], at fix: Fix) {
        for message in messages where message.stage == .cleared && message.reason == .leftPath {
            guard let alert = before.first(where: { $0.id == message.id }) else { continue }
            quieted.append(QuietedAlert(subject: alert.subject, standstill: Standstill(place: fix.position)))
        }
        quieted.removeFirst(max(0, quieted.count - QuietedAlert.countMax))
    }
}
