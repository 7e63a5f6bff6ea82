import Fleet
import Geo
import Roads

/// Draws trucks with trips by chance.
struct SimulatedFleet {
    let network: RoadNetwork
    let levels: [String]
    let units: UnitSystem
    /// As it is published; nil: no truck says how high it is.
    var height: String?
    /// Nil: what is usual on each road.
    var speed: MetresPerSecond?
    var seed: UInt64
    /// Where every trip is to lead under an edge that is too low; nil: anywhere.
    var hazards: HazardTable?

    /// - Parameter progress: called with the share done, `0 ... 1`.
    func trucks(_ count: Int, progress: (Double) -> Void) throws -> [SimulatedTruck] {
        var draw = TripDraw(network, seed: seed)
        var phases = SplitMix64(seed: ~seed)
        return try (1...count).map { number in
            guard let id = VehicleID("sim-\(seed)-\(number)") else {
                preconditionFailure("digits and dashes can stand in a vehicle's id")
            }
            progress(Double(number) / Double(count))
            return SimulatedTruck(
                address: VehicleAddress(vehicle: id, levels: levels), name: id.text, height: height, units: units,
                trip: try trip(&draw), phase: phases.fraction(), expectation: nil)
        }
    }

    private func trip(_ draw: inout TripDraw) throws -> Trip {
        if let hazards {
            // A network of a few streets has no place three kilometres away.
            let trip = draw.passing(hazards, speed: speed) ?? draw.passing(hazards, approach: 200...8_000, speed: speed)
            guard let trip else {
                throw CommandFailure.failed("no trip leads under an edge that is too low for this height")
            }
            return trip
        }
        guard let trip = draw.anywhere(speed: speed) ?? draw.anywhere(lengthMin: 200, speed: speed) else {
            throw CommandFailure.failed("the road file has no two places with a way between them")
        }
        return trip
    }
}
