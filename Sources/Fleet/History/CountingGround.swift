import Clearances
import Geo
import Roads

/// Where it is worth counting what a vehicle does, and whom.
struct CountingGround {
    let network: RoadNetwork
    /// Of the reference height: what they lie behind is counted.
    let reference: Hazards
    /// What is too low for the vehicle; nil: nothing is.
    let own: Hazards?

    /// Whether a hazard of the reference height lies ahead.
    func isNear(_ edge: EdgeID) -> Bool { reference.ways?.prospects(on: edge).isEmpty == false }

    /// Whether nothing lies ahead that the vehicle might be told of.
    func isFree(_ edge: EdgeID) -> Bool { own?.ways?.prospects(on: edge).isEmpty ?? true }

    func isTooLow(_ clearance: ClearanceID) -> Bool {
        guard let own, case .limit(let limit) = network.reading(clearance) else { return false }
        return limit < own.table.height
    }
}
