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

/// An alert that is over, and not raised again for now.
struct QuietedAlert: Hashable, Sendable {
    /// Nobody stands in the reach of more; the oldest goes.
    static let countMax = 8
    /// Who comes so much nearer to what he passed than he was comes again, whatever the noise of his fixes.
    private static let nearerMin: Metres = 50
    /// Who is farther away has left what he passed.
    private static let leftAt: Metres = 750

    var subject: OpenAlert.Subject
    /// Where the vehicle was.
    var standstill: Standstill
    /// How far from there it has been since it passed the structure; nil where it was cleared, which holds while it stands.
    var farthest: Metres?

    /// Takes a fix into account.
    ///
    /// - Returns: whether it still is not to be told.
    mutating func holds(at fix: Fix) -> Bool {
        guard let farthest else { return standstill.holds(at: fix) }
        let distance = standstill.place.distance(to: fix.position)
        self.farthest = max(farthest, distance)
        return distance <= Self.leftAt && farthest - distance < max(Self.nearerMin, 2 * fix.accuracyOrAssumed)
    }
}

extension Vehicle {
    /// Lets go of what does not hold any more.
    mutating func forgetQuieted(at fix: Fix) {
        guard !quieted.isEmpty else { return }
        quieted = quieted.compactMap { alert in
            var alert = alert
            return alert.holds(at: fix) ? alert : nil
        }
    }

    /// Notes which of the alerts that were open a moment ago are over because the vehicle stands or went through, or because
    /// no rule held.
    mutating func noteQuieted(_ before: [OpenAlert], _ messages: [AlertMessage], at fix: Fix) {
        for message in messages where message.isFinal || message.stage == .cleared && message.reason == .leftPath {
            guard let alert = before.first(where: { $0.id == message.id }) else { continue }
            quieted.append(
                QuietedAlert(
                    subject: alert.subject, standstill: Standstill(place: fix.position),
                    farthest: message.stage == .passed ? 0 : nil))
        }
        quieted.removeFirst(max(0, quieted.count - QuietedAlert.countMax))
    }
}
