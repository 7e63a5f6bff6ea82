import Fleet
import Messages
import Store
import Testing

@testable import Gateway

@Suite("What the store has of a vehicle")
struct StoredVehicleTests {
    private static let address = VehicleAddress(vehicle: VehicleID("T42")!)

    @Test("A vehicle comes back as it was")
    func back() throws {
        let engine = Engine(EngineSettings(), network: nil)
        let profile = HeightProfile(height: 412, source: "driver")
        let time = Timestamp(milliseconds: 1_795_269_600_000)
        _ = engine.handle([.report(.profile(profile), from: Self.address, receivedAt: time)])
        let vehicle = try #require(engine.vehicle(Self.address.vehicle))
        #expect(try StoredVehicle(vehicle, batch: 1).vehicle().encoded() == vehicle.encoded())
    }

    @Test("Other bytes are an error", arguments: ["", "{", "nonsense"])
    func unreadable(text: String) {
        #expect(throws: (any Error).self) {
            try StoredVehicle(address: Self.address, state: Array(text.utf8), batch: 1).vehicle()
        }
    }
}
