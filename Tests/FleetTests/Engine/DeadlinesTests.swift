import FleetTestSupport
import Geo
import Hashing
import Messages
import Testing

@testable import Fleet

struct DeadlinesTests {
    private func vehicles(_ count: Int) -> [KeptVehicle] {
        (0..<count).compactMap { VehicleID("T\($0)") }.map {
            KeptVehicle(Vehicle(address: VehicleAddress(vehicle: $0)))
        }
    }

    @Test(
        "A deadline that goes back and forth for hours leaves a few entries a vehicle, and each falls due once, in time"
    )
    func bounded() {
        let vehicles = vehicles(20)
        var deadlines = Deadlines()
        var random = SplitMix64(seed: 1)
        var countMax = 0
        for second in 0..<20_000 {
            let now = Timestamp.at(Seconds(second))
            for deadline in deadlines.due(upTo: DueTime(now)) {
                #expect(deadline.due.time == now && deadline.vehicle.deadline == nil)
            }
            for vehicle in vehicles where random.index(below: 3) > 0 {
                let expected = Seconds([5, 10, 120, 3_600][random.index(below: 4)])
                deadlines.set(now.adding(expected), for: vehicle)
            }
            countMax = max(countMax, deadlines.count)
        }
        #expect(countMax <= 4 * vehicles.count + 64, "\(countMax)")
    }

    @Test("The latest deadline that was set is the one that falls due, whether it is earlier or later")
    func latest() throws {
        let vehicle = try #require(vehicles(1).first)
        var deadlines = Deadlines()
        for seconds in [100.0, 50, 200, 80, 300, 60] { deadlines.set(.at(seconds), for: vehicle) }
        #expect(deadlines.due(upTo: DueTime(.at(59))).isEmpty)
        #expect(deadlines.due(upTo: DueTime(.at(60))).map(\.due.time) == [.at(60)])
        #expect(deadlines.due(upTo: DueTime(.at(1_000))).isEmpty)
        deadlines.set(.at(1_100), for: vehicle)
        deadlines.remove(vehicle)
        #expect(deadlines.due(upTo: DueTime(.at(2_000))).isEmpty)
        deadlines.set(.at(2_100), for: vehicle)
        #expect(deadlines.due(upTo: DueTime(.at(2_100))).count == 1)
    }
}
