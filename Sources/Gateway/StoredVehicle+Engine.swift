import Fleet
import Messages
import Store

extension StoredVehicle {
    init(_ vehicle: Vehicle) { self.init(address: vehicle.address, state: vehicle.kept) }

    func vehicle() throws(KeptProblem) -> Vehicle { try Vehicle(kept: state) }
}
