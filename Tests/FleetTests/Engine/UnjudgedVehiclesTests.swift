import FleetTestSupport
import Geo
import Messages
import Testing

@testable import Fleet

struct UnjudgedVehiclesTests {
    private func ids(_ names: String) -> [VehicleID] { names.compactMap { VehicleID(String($0)) } }

    private func change(_ latitude: Double) -> EntryChanges {
        EntryChanges(places: ChangedPlaces([Coordinate(latitude: latitude, longitude: 8)]))
    }

    @Test("Those that have waited come before those of a newer change; each once, and for both")
    func order() {
        var vehicles = UnjudgedVehicles()
        vehicles.add(ids("bacd"), after: change(1))
        #expect(vehicles.next() == ids("b")[0])
        #expect(vehicles.take(ids("b")[0])?.places.text == "1.0,8.0")
        vehicles.add(ids("dabe"), after: change(2))
        var order: [VehicleID] = []
        while let next = vehicles.next() {
            order.append(next)
            #expect(vehicles.changes.places.text == "1.0,8.0 2.0,8.0")
            #expect(vehicles.take(next) != nil)
        }
        #expect(order == ids("acdbe"))
        #expect(vehicles.isEmpty && vehicles.changes.places.isEmpty)
    }

    @Test("Of many changes it is not kept where each made hazards others: all vehicles count as near then")
    func manyChanges() throws {
        let tables = HazardTables(try Drawing.bridge("5").network, EngineSettings(), shared: nil)
        let difference = MapDifference(from: tables, to: tables)
        var vehicles = UnjudgedVehicles()
        for number in 0..<64 {
            vehicles.add(ids("ab"), after: EntryChanges(differences: [difference]))
            #expect(vehicles.changes.differences?.count == number + 1)
        }
        for _ in 0..<3 {
            vehicles.add(ids("ab"), after: EntryChanges(differences: [difference]))
            #expect(vehicles.changes.differences == nil)
        }
    }

    @Test("Where nobody is concerned nothing is kept of a change")
    func nobody() {
        var vehicles = UnjudgedVehicles()
        vehicles.add([], after: change(1))
        #expect(vehicles.isEmpty && vehicles.changes.places.isEmpty)
    }
}
