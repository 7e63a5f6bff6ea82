import Fleet
import Foundation
import Store

extension StoredVehicle {
    init(_ vehicle: Vehicle) { self.init(address: vehicle.address, state: vehicle.kept) }

    /// As the engine has it; earlier versions kept JSON.
    func vehicle() throws -> Vehicle {
        guard state.first != UInt8(ascii: "{") else {
            return try JSONDecoder().decode(Vehicle.self, from: Data(state))
        }
        return try Vehicle(kept: state)
    }
}
