/// An operator's wish that nothing be known of a vehicle any more.
public struct ForgetRequest: Hashable, Sendable {
    public var vehicle: VehicleID
    /// By which the one who asked knows the answer; nil where none was given.
    public var id: String?

    public init(vehicle: VehicleID, id: String?) {
        self.vehicle = vehicle
        self.id = id
    }
}

/// What the engine made of such a wish.
public struct VehicleErasure: Hashable, Sendable {
    public var request: ForgetRequest
    /// Where the vehicle was last heard; without levels where it was not known.
    public var address: VehicleAddress
    /// Whether the engine knew it.
    public var wasKnown: Bool

    package init(request: ForgetRequest, address: VehicleAddress, wasKnown: Bool) {
        self.request = request
        self.address = address
        self.wasKnown = wasKnown
    }
}
