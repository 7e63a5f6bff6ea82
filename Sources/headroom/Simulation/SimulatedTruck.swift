import Evaluation
import Fleet
import Foundation
import Geo
import Messages
import Wire

/// A vehicle that `headroom simulate` drives.
struct SimulatedTruck {
    /// What a vehicle must be told on its trip, no more and no less.
    struct Expectation: Equatable {
        var stages: [AlertMessage.Stage]
        var request: RequestMessage.Kind?
    }

    var address: VehicleAddress
    /// For people.
    var name: String
    /// As it is published; nil: the vehicle never says how high it is.
    var height: String?
    var units: UnitSystem
    var trip: Trip
    /// The share of an interval by which its first fix comes after the start.
    var phase = 0.0
    /// Nil: nothing in particular is expected.
    var expectation: Expectation?

    /// The payload of its height profile; nil where it has none.
    var profile: [UInt8]? { height.map { json(Profile(height: $0, units: units.rawValue)) } }
}

/// As it is published: member names are the contract's.
private struct Profile: Encodable {
    var height: String
    var units: String
    var source = "simulation"
}

private func json(_ value: some Encodable) -> [UInt8] {
    guard let data = try? JSONEncoder().encode(value) else {
        preconditionFailure("finite numbers and texts can always be encoded")
    }
    return [UInt8](data)
}
