public import Fleet
public import Messages

/// One vehicle as it stood when it last changed.
public final class LiveVehicle: Sendable {
    public let picture: VehicleSnapshot
    /// The snapshot in which it first looked so.
    public let revision: UInt64

    init(_ picture: VehicleSnapshot, revision: UInt64) {
        self.picture = picture
        self.revision = revision
    }
}

/// All there is to see at one moment, put together by the gateway thread.
public struct LiveSnapshot: Sendable {
    /// Counts up with each snapshot of this run; 0: there is none yet.
    public internal(set) var revision: UInt64 = 0
    public internal(set) var time = Timestamp(milliseconds: 0)
    public internal(set) var vehicles: [VehicleID: LiveVehicle] = [:]
    /// The snapshot in which a vehicle last went: was forgotten, or withdrew its consent.
    public internal(set) var goneRevision: UInt64 = 0
    public internal(set) var map = MapSnapshot()
    public internal(set) var isConnected = false

    public init() {}
}
