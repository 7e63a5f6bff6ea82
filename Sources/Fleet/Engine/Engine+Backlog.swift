import Geo
import Messages

/// What has waited, at the broker or before it, while nothing could arrive: it leads to what it would have led to in time.
extension Engine {
    /// What fell due for a vehicle before fixes that come now, and what no tick has found: there is none before all that has
    /// waited is here.
    ///
    /// - Parameter fixes: of one message; the oldest counts.
    func findDue(_ kept: KeptVehicle, before fixes: [Fix], receivedAt: Timestamp, _ effects: inout Effects) {
        guard let oldest = fixes.lazy.map(\.time).min() else { return }
        let time = oldest.adding(kept.awake.vehicle.clock?.offset ?? 0)
        while let due = due(&kept.awake.vehicle, before: time, receivedAt: receivedAt) {
            if due.isOfTimeline {
                update(kept, after: .timelineDeadline, at: due.time, &effects)
            } else {
                check(kept, at: due.time, now: receivedAt, &effects)
            }
        }
    }

    /// By the time of the fix what depends on the times of fixes, and by when it would have come what depends on arrival.
    ///
    /// - Parameter vehicle: is not changed, and `inout` so that it is not copied to be looked at.
    private func due(
        _ vehicle: inout Vehicle, before time: Timestamp, receivedAt: Timestamp
    ) -> (time: Timestamp, isOfTimeline: Bool)? {
        if let due = vehicle.nextDeadline(settings), due <= min(time, receivedAt) { return (due, false) }
        guard let arrival = vehicle.ordered.arrival(of: time), let due = timeline().moment(&vehicle),
            due <= min(arrival, receivedAt)
        else { return nil }
        return (due, true)
    }
}
