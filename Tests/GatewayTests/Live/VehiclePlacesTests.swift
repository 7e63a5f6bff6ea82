import Fleet
import Geo
import Messages
import Testing

@testable import Gateway

@Suite("Vehicles by where they are")
struct VehiclePlacesTests {
    private func live(_ id: String, _ latitude: Degrees, _ longitude: Degrees, _ engine: Engine) -> LiveVehicle? {
        let position = Coordinate(latitude: latitude, longitude: longitude)
        let fix = Fix(position: position, time: Timestamp(milliseconds: 1_795_000_000_000), accuracy: 5)
        let address = VehicleAddress(vehicle: VehicleID(id)!)
        _ = engine.handle([.report(.location([fix]), from: address, receivedAt: fix.time)])
        return engine.snapshot(of: address.vehicle, at: fix.time).map { LiveVehicle($0, revision: 1) }
    }

    @Test(
        "A view has those within it and no other, also across the antimeridian, as a look at all of them has",
        arguments: [
            (-90.0, -180.0, 90.0, 180.0), (10, 10, 10.05, 10.05), (9.95, 9.95, 10.2, 10.2), (-1, 170, 1, -170),
            (-0.05, -0.05, 0.05, 0.05), (-90, 179.5, 90, -179.5), (50, 50, 51, 51),
        ])
    func bounds(south: Degrees, west: Degrees, north: Degrees, east: Degrees) {
        let engine = Engine(EngineSettings(), network: nil)
        let positions: [(Degrees, Degrees)] = [
            (10.01, 10.01), (10.04, 10.06), (10.1, 10.1), (-0.01, -0.01), (0.01, 0.01), (0, 179.9), (0.5, -179.9),
            (89.9, 0), (-89.9, 180), (60, -60),
        ]
        let vehicles = positions.enumerated().compactMap { live("T\($0)", $1.0, $1.1, engine) }
        var places = VehiclePlaces()
        for vehicle in vehicles { places.replace(nil, with: vehicle) }
        let box = Bounds(south: south, west: west, north: north, east: east)
        let expected = vehicles.filter { $0.snapshot.fix.map { box.contains($0.position) } ?? false }
        let found = places.vehicles(in: box)
        #expect(Set(found.map(\.snapshot.vehicle)) == Set(expected.map(\.snapshot.vehicle)))
        #expect(places.vehicles(in: nil).count == positions.count && found.count == expected.count)
    }

    @Test("One that moves is found where it is, and one that goes nowhere")
    func moving() throws {
        let engine = Engine(EngineSettings(), network: nil)
        let first = try #require(live("T1", 10, 10, engine))
        let second = try #require(live("T1", 20, 20, Engine(EngineSettings(), network: nil)))
        var places = VehiclePlaces()
        places.replace(nil, with: first)
        places.replace(first, with: second)
        let near = { (degrees: Degrees) in
            Bounds(south: degrees - 1, west: degrees - 1, north: degrees + 1, east: degrees + 1)
        }
        #expect(places.vehicles(in: near(10)).isEmpty && places.vehicles(in: near(20)).count == 1)
        places.replace(second, with: nil)
        #expect(places.vehicles(in: nil).isEmpty)
    }

    @Test("Names go as people count")
    func order() {
        let names = ["T10", "T2", "T1", "t1", "A", "T02", "T 7", "10", "9", "T1b20", "T1b3", "T1b"]
        let sorted = names.sorted { NaturalKey($0) < NaturalKey($1) }
        #expect(sorted == ["9", "10", "A", "T 7", "T1", "T1b", "T1b3", "T1b20", "T02", "T2", "T10", "t1"])
    }
}
