import BinaryCoding
import Fleet
import Messages
import Store

extension StoredVehicle {
    /// - Parameter batch: the number of the last batch that its state includes.
    init(_ vehicle: Vehicle, batch: Int64) {
        self.init(address: vehicle.address, state: vehicle.state(), batch: batch)
    }

    func vehicle() throws(BinaryCodingError) -> Vehicle { try Vehicle(state: state) }
}
