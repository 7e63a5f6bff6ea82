import Fleet
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
        #expect(try StoredVehicle(vehicle).vehicle().kept == vehicle.kept)
    }

    @Test("JSON, as earlier versions kept it, is read too")
    func earlier() throws {
        let text = """
            {"address":{"levels":["north"],"vehicle":"T42"},"alerts":[],"gaps":[],"isClockSkewed":false,\
            "isPositionStale":false,"outliers":0,"requests":[],"roads":[],"speed":0}
            """
        let vehicle = try StoredVehicle(address: Self.address, state: Array(text.utf8)).vehicle()
        #expect(vehicle.address.levels == ["north"])
    }

    @Test("What is neither is an error", arguments: ["", "{", "nonsense"])
    func neither(text: String) {
        #expect(throws: (any Error).self) {
            try StoredVehicle(address: Self.address, state: Array(text.utf8)).vehicle()
        }
    }
}
