import Messages

/// A vehicle where it is kept, with what finds it again. It is changed in place: to copy all that is known of a vehicle
/// costs more than most of its fixes do.
final class KeptVehicle {
    let id: VehicleID
    var vehicle: Vehicle
    /// Where `VehicleIndex` has it; nil: nowhere.
    var place: VehicleIndex.Place?
    /// As `Deadlines` has it; nil: nothing falls due without a fix.
    var deadline: Timestamp?
    /// The time of the entry of `Deadlines` that counts, which is no later than `deadline`; nil: there is none.
    var queuedDeadline: Timestamp?

    init(_ vehicle: Vehicle) {
        id = vehicle.id
        self.vehicle = vehicle
    }
}
