package import Fleet
package import Messages
package import Store

/// One vehicle as it stood when it last changed.
package final class LiveVehicle: Sendable {
    package let snapshot: VehicleSnapshot
    /// The snapshot in which it first looked so.
    package let revision: UInt64

    init(_ snapshot: VehicleSnapshot, revision: UInt64) {
        self.snapshot = snapshot
        self.revision = revision
    }
}

/// All there is to see at one moment, put together by the gateway thread.
package struct LiveSnapshot: Sendable {
    /// Counts up with each snapshot of this run; 0: there is none yet.
    package internal(set) var revision: UInt64 = 0
    package internal(set) var time = Timestamp(milliseconds: 0)
    /// When it was shown first.
    var shownAt = ContinuousClock.now
    /// Whether there is none of the time when the store began to fail, so that this one says nothing of what holds.
    package internal(set) var isOutdated = false
    package internal(set) var vehicles: [VehicleID: LiveVehicle] = [:]
    /// The ids of all vehicles, T2 before T10.
    package internal(set) var order: [VehicleID] = []
    package internal(set) var places = VehiclePlaces()
    /// The snapshot in which a vehicle last went: was forgotten, or withdrew its consent.
    package internal(set) var goneRevision: UInt64 = 0
    package internal(set) var map = MapSnapshot()
    /// False where nothing is known of what holds of the map: to a gateway of a cluster that has no queue no fences and clearances
    /// come.
    package internal(set) var isMapKnown = true
    package internal(set) var isConnected = false
    /// Alerts that dispatch has to take, the oldest first.
    package internal(set) var untaken: [UntakenAlert] = []
    /// Who of dispatch sees to which alert, by alert.
    package internal(set) var handlings: [String: Handling] = [:]

    package init() {}

    /// The time of an answer: while the store fails, what was shown last is shown on, and grows older.
    package var now: Timestamp { time.adding(((ContinuousClock.now - shownAt) / .seconds(1)).rounded(.down)) }
}
