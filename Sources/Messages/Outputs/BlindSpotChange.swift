/// What keeps a vehicle from being warned is no longer what it was.
public struct BlindSpotChange: Hashable, Sendable {
    public var vehicle: VehicleID
    /// Of the state message that says so.
    public var time: Timestamp
    /// What it was until then, as published.
    public var before: [StateMessage.BlindSpot]
    /// What it is from then on.
    public var after: [StateMessage.BlindSpot]

    public init(
        vehicle: VehicleID, time: Timestamp, before: [StateMessage.BlindSpot], after: [StateMessage.BlindSpot]
    ) {
        self.vehicle = vehicle
        self.time = time
        self.before = before
        self.after = after
    }
}
