import Evaluation
import Fleet
import Geo
import Messages
import Roads
import Testing

/// Many vehicles at once, and trips one after another.
struct SimulationTrafficTests {
    private static let start = Timestamp(milliseconds: 1_700_000_000_000)

    private func drive(_ vehicle: Int) -> Drive {
        Drive(
            SimulationDriveTests.corner, .init(interval: 7, noise: 5, gaps: 0.02),
            from: Self.start.adding(Double(vehicle) * 0.7), seed: UInt64(vehicle))
    }

    @Test("All fixes of all vehicles come, each once, in the order of time")
    func order() {
        var traffic = Traffic(vehicleCount: 20)
        for vehicle in 0..<20 { traffic.setOff(vehicle, on: drive(vehicle)) }
        #expect(traffic.underWay == 20)
        var reports: [Traffic.Report] = []
        var ended = 0
        while let next = traffic.next {
            reports.append(next)
            if traffic.advance() != nil { ended += 1 }
        }
        #expect(ended == 20)
        #expect(traffic.underWay == 0)
        #expect(reports.map(\.fix.time) == reports.map(\.fix.time).sorted())
        for vehicle in 0..<20 {
            #expect(reports.filter { $0.vehicle == vehicle }.map(\.fix) == Array(drive(vehicle)))
        }
    }

    @Test("A report that nobody passes over stays the next")
    func peek() {
        var traffic = Traffic(vehicleCount: 1)
        traffic.setOff(0, on: drive(0))
        let first = traffic.next
        #expect(traffic.next == first)
        traffic.advance()
        #expect(traffic.next != first)
    }

    @Test("What is due is counted, and stays due")
    func due() {
        var traffic = Traffic(vehicleCount: 3)
        for vehicle in 0..<3 { traffic.setOff(vehicle, on: drive(vehicle)) }
        let end = Self.start.adding(60)
        let expected = (0..<3).flatMap { drive($0).filter { $0.time <= end } }.count
        #expect(traffic.count(dueBy: end) == expected)
        #expect(traffic.count(dueBy: end) == expected)
        #expect(traffic.count(dueBy: Self.start.adding(-1)) == 0)
    }

    @Test("A drive's end is that of its last fix, and silence brings it no nearer")
    func end() {
        let loud = Drive(SimulationDriveTests.corner, .init(interval: 7), from: Self.start, seed: 1)
        #expect(Array(loud).last?.time == loud.end)
        let silent = Drive(SimulationDriveTests.corner, .init(interval: 7, gaps: 1), from: Self.start, seed: 1)
        #expect(silent.end == loud.end)
    }

    @Test("A vehicle that has arrived can set off again")
    func again() {
        var traffic = Traffic(vehicleCount: 1)
        traffic.setOff(0, on: drive(0))
        while traffic.advance() == nil {}
        #expect(traffic.next == nil)
        traffic.setOff(0, on: drive(3))
        #expect(traffic.next?.fix.time == drive(3).start)
    }

    @Test("Trip follows trip without a leap, for fifty trips, and equal seeds give equal trips")
    func onward() throws {
        let network = try SimulationRoads.demo.open()
        var draw = TripSampler(network, seed: 9)
        var again = TripSampler(network, seed: 9)
        let first = draw.anywhere(lengthMin: 200)
        var last = try #require(first)
        _ = again.anywhere(lengthMin: 200)
        for _ in 0..<50 {
            let edge = try #require(last.edges.last)
            let (onward, same) = (draw.onward(from: edge, lengthMin: 200), again.onward(from: edge, lengthMin: 200))
            let trip = try #require(onward)
            #expect(same?.edges == trip.edges)
            #expect(trip.place(at: 0).position.distance(to: last.place(at: last.duration).position) < 0.5)
            last = trip
        }
    }

    @Test("A trip that goes on under a low bridge begins where the last one ended")
    func onwardPassing() throws {
        let network = try SimulationRoads.demo.open()
        let table = HazardTable(network, height: SimulationRoads.demo.height)
        var draw = TripSampler(network, seed: 4)
        let drawn = draw.anywhere(lengthMin: 200)
        let first = try #require(drawn)
        let edge = try #require(first.edges.last)
        let onward = draw.onward(from: edge, passing: table)
        let trip = try #require(onward)
        #expect(!trip.passes(network, table).isEmpty)
        #expect(trip.place(at: 0).position.distance(to: first.place(at: first.duration).position) < 0.5)
    }
}
