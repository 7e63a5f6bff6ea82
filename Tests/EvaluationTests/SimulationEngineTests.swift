import Evaluation
import Fleet
import Geo
import Messages
import Roads
import Testing

/// Trips by chance through the engine itself: who passes a last turn-off was told before it.
struct SimulationEngineTests {
    @Test(
        "Every pass with two fixes before its detour point is told before it", .timeLimit(.minutes(5)),
        arguments: SimulationRoads.allCases.filter(\.isThere))
    func toldBefore(_ roads: SimulationRoads) throws {
        let network = try roads.open()
        let table = HazardTable(network, height: roads.height)
        var draw = TripSampler(network, seed: 20_261_121)
        let engine = Engine(EngineSettings(), network: network)
        var judged = 0
        for number in 0..<30 {
            let trip = try #require({ draw.passing(table, approach: roads.approach) }())
            for interval in [1.0, 10.0] {
                let drive = Drive(
                    trip, .init(interval: interval, noise: 5), from: Timestamp(milliseconds: 1_800_000_000_000),
                    seed: UInt64(number))
                let alerts = alerts(of: drive, "trip-\(number)-\(Int(interval))", height: roads.height, engine)
                for pass in trip.passes(network, table) {
                    guard let detour = pass.detourDistance, network.isOpenToAll(table.hazards[pass.hazard]) else {
                        continue
                    }
                    let time = drive.time(at: detour)
                    // With less than two fixes before it nobody could have known.
                    guard time.since(drive.start) >= 2 * interval else { continue }
                    judged += 1
                    let own = alerts.filter {
                        pass.isSubject(ofAlertWith: $0.chain, network, table)
                    }
                    let told = own.map { "\($0.stage) \($0.time.since(time)) s" }
                    #expect(isOpen(own, at: time), "\(roads), trip \(number), every \(interval) s: \(told)")
                }
            }
        }
        #expect(judged >= 40)
    }

    /// Whether one of the alerts had begun by then and had not ended.
    private func isOpen(_ alerts: [AlertMessage], at time: Timestamp) -> Bool {
        Set(alerts.filter { $0.time <= time }.map(\.id)).contains { id in
            !alerts.contains { $0.id == id && $0.stage.isEnd && $0.time < time }
        }
    }

    private func alerts(
        of drive: Drive, _ name: String, height: Centimetres, _ engine: Engine
    ) -> [AlertMessage] {
        guard let id = VehicleID(name) else { preconditionFailure("\(name) can be a vehicle's id") }
        let address = VehicleAddress(vehicle: id)
        let profile = HeightProfile(height: height, margin: 0)
        var effects = engine.handle([.report(.profile(profile), from: address, receivedAt: drive.start)])
        var envelopes = effects.envelopes
        for fix in drive {
            effects = engine.handle([.tick(fix.time), .report(.location([fix]), from: address, receivedAt: fix.time)])
            envelopes += effects.envelopes
        }
        return envelopes.compactMap { if case .alert(let alert) = $0.message { alert } else { nil } }
    }
}
