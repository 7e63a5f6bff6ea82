import Clearances
import FleetTestSupport
import Messages
import Testing

@testable import Fleet

/// A tick that ends within one moment, as thousands of profiles may run out at once.
struct TickDivisionTests {
    private static let vehicles = 2_000
    private static let now = Timestamp.at(700)

    /// Its vehicles' profiles all run out at 600 s, and a clearance of dispatch ends at 650 s.
    private func engine() -> Engine {
        let engine = Engine(EngineSettings(), network: nil)
        var clearance = PointClearance(id: "c", position: Drawing.place(0, 0), posted: "3.0")
        clearance.expiry = .at(650)
        let profile = HeightProfile(height: 400, measuredAt: .at(0), validFor: 600)
        let reports = (0..<Self.vehicles).map { number in
            let address = VehicleAddress(vehicle: VehicleID("T\(number)")!)
            return Input.report(.profile(profile), from: address, receivedAt: .at(0))
        }
        _ = engine.handle([.clearances([ClearanceChange(id: "c", clearance: clearance)], at: .at(0))] + reports)
        return engine
    }

    private func byVehicle(_ envelopes: [Envelope]) -> [Envelope] {
        envelopes.sorted { $0.address.vehicle < $1.address.vehicle }
    }

    @Test(
        "What falls due for many vehicles at one moment is divided, and the journal's record of a piece leads to the same"
    )
    func divided() throws {
        let whole = engine().handle([.tick(Self.now)]).envelopes
        #expect(whole.count == Self.vehicles)
        let (live, restored) = (engine(), engine())
        var (found, pieces, isDone): ([Envelope], Int, Bool) = ([], 0, false)
        while !isDone {
            var batch = live.begin()
            let tick = live.tick(Self.now, in: &batch) { $0.envelopes.count < 100 }
            let effects = live.end(batch)
            #expect(effects.envelopes.count < 150)
            let record = JournalRecord([tick], effects, of: { _ in true })
            let repeated = restored.replay(
                try JournalRecord(encoded: record.encoded()), published: [], at: Self.now, besides: { _ in false })
            #expect(byVehicle(repeated.envelopes) == byVehicle(effects.envelopes))
            #expect(restored.map.entries.nextExpiry == live.map.entries.nextExpiry)
            found += effects.envelopes
            pieces += 1
            isDone = tick == .tick(Self.now)
        }
        #expect(pieces > Self.vehicles / 150)
        #expect(byVehicle(found) == byVehicle(whole))
    }

    @Test("A vehicle's part of the moment is the same for ever, and the parts are of one size about")
    func parts() {
        let parts = (0..<25_600).map { DueTime(.at(0), of: VehicleID("truck-\($0)")!).part }
        let counts = Dictionary(grouping: parts, by: \.self).mapValues(\.count)
        #expect(counts.count == 256 && counts.values.allSatisfy { (50...150).contains($0) }, "\(counts)")
        #expect(parts.prefix(3) == [221, 155, 86])
    }
}
