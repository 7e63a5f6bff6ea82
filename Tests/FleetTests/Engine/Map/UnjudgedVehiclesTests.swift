import Geo
import Messages
import Testing

@testable import Fleet

struct UnjudgedVehiclesTests {
    private func ids(_ names: String) -> [VehicleID] { names.compactMap { VehicleID(String($0)) } }

    private func change(_ latitude: Double) -> MapChange {
        MapChange(places: ChangedPlaces([Coordinate(latitude: latitude, longitude: 8)]))
    }

    @Test(
        "Urgent ones come first, then those that have waited, then those of the newest change; each once, and for all changes"
    )
    func order() {
        var vehicles = UnjudgedVehicles()
        vehicles.add(urgent: ids("b"), others: ids("acd"), after: change(1))
        #expect(vehicles.next() == ids("b")[0])
        #expect(vehicles.take(ids("b")[0])?.places.text == "1.0,8.0")
        vehicles.add(urgent: ids("d"), others: ids("abe"), after: change(2))
        var order: [VehicleID] = []
        while let next = vehicles.next() {
            order.append(next)
            #expect(vehicles.change.places.text == "1.0,8.0 2.0,8.0")
            #expect(vehicles.take(next) != nil)
        }
        #expect(order == ids("dacbe"))
        #expect(vehicles.isEmpty && vehicles.change.places.isEmpty)
    }

    @Test("Where nobody is concerned nothing is kept of a change")
    func nobody() {
        var vehicles = UnjudgedVehicles()
        vehicles.add(urgent: [], others: [], after: change(1))
        #expect(vehicles.isEmpty && vehicles.change.places.isEmpty)
    }
}
