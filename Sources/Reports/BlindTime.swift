package import Geo
package import Messages

/// For how long a vehicle was not warned as others are, in seconds.
package struct BlindTime: Hashable, Sendable {
    package private(set) var total: Seconds = 0
    private var bySpot: [StateMessage.BlindSpot: Seconds] = [:]

    /// Because of what, the longest first; several may hold at once.
    package var spots: [(spot: StateMessage.BlindSpot, seconds: Seconds)] {
        bySpot.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }.map { ($0.key, $0.value) }
    }

    fileprivate mutating func add(_ spots: [StateMessage.BlindSpot], for duration: Seconds) {
        guard duration > 0, !spots.isEmpty else { return }
        total += duration
        for spot in spots { bySpot[spot, default: 0] += duration }
    }

    /// Of each vehicle that had any.
    ///
    /// - Parameter changes: by time; of each vehicle the last one before the span, if it was not warned as it began.
    static func times(_ changes: [BlindSpotChange], in span: Range<Timestamp>) -> [VehicleID: BlindTime] {
        var last: [VehicleID: BlindSpotChange] = [:]
        var times: [VehicleID: BlindTime] = [:]
        for change in changes {
            // Before the first change in the span held what that says.
            let spots = last[change.vehicle]?.after ?? change.before
            let start = max(last[change.vehicle]?.time ?? span.lowerBound, span.lowerBound)
            times[change.vehicle, default: BlindTime()].add(spots, for: change.time.since(start))
            last[change.vehicle] = change
        }
        for (vehicle, change) in last {
            let start = max(change.time, span.lowerBound)
            times[vehicle, default: BlindTime()].add(change.after, for: span.upperBound.since(start))
        }
        return times.filter { $0.value.total > 0 }
    }
}
