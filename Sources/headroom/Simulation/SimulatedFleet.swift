import Evaluation
import Fleet
import Foundation
import Geo
import Hashing
import Messages
import Roads

/// Draws trucks with trips by chance.
struct SimulatedFleet: Sendable {
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

    /// The trucks numbered from 1, drawn on all cores; each the same whatever the others are.
    ///
    /// - Parameter progress: called once for each truck that is drawn.
    func trucks(_ count: Int, progress: @escaping @Sendable () -> Void) async throws -> [SimulatedTruck] {
        let jobs = min(count, ProcessInfo.processInfo.activeProcessorCount)
        let drawn = try await withThrowingTaskGroup(of: [(Int, SimulatedTruck)].self) { group in
            for job in 1...jobs {
                group.addTask {
                    var draw = TripSampler(network, seed: seed)
                    return try stride(from: job, through: count, by: jobs).map { number in
                        defer { progress() }
                        return (number, try truck(number, &draw))
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        return drawn.sorted { $0.0 < $1.0 }.map(\.1)
    }

    private func truck(_ number: Int, _ draw: inout TripSampler) throws -> SimulatedTruck {
        guard let id = VehicleID("sim-\(seed)-\(number)") else {
            preconditionFailure("digits and dashes can stand in a vehicle's id")
        }
        draw.restart(SplitMix64(seed: seed, stream: number))
        var phases = SplitMix64(seed: ~seed, stream: number)
        return SimulatedTruck(
            address: VehicleAddress(vehicle: id, levels: levels), name: id.text, height: height, units: units,
            trip: try trip(&draw), phase: phases.fraction(), expectation: nil)
    }

    private func trip(_ draw: inout TripSampler) throws -> Trip {
        if let hazards {
            // A network of a few streets has no place three kilometres away.
            let trip = draw.passing(hazards, speed: speed) ?? draw.passing(hazards, approach: 200...8_000, speed: speed)
            guard let trip else {
                throw CommandError.failed("no trip leads under an edge that is too low for this height")
            }
            return trip
        }
        guard let trip = draw.anywhere(speed: speed) ?? draw.anywhere(lengthMin: 200, speed: speed) else {
            throw CommandError.failed("the road file has no two places with a way between them")
        }
        return trip
    }

    /// The trip that a truck goes on with: from where it has come to, or else, at a road's end beyond which the map knows
    /// nothing, from anywhere.
    func trip(after last: EdgeID, _ draw: inout TripSampler) throws -> Trip {
        let onward =
            hazards.map { draw.onward(from: last, passing: $0, speed: speed) }
            ?? draw.onward(from: last, speed: speed) ?? draw.onward(from: last, lengthMin: 200, speed: speed)
        return try onward ?? trip(&draw)
    }
}
