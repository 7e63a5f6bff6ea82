import BinaryCoding
import Fleet
import Messages
import Store

extension StoredVehicle {
    init(_ vehicle: Vehicle) { self.init(address: vehicle.address, state: vehicle.encoded()) }

    func vehicle() throws(BinaryCodingError) -> Vehicle { try Vehicle(encoded: state) }
}
