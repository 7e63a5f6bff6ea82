import FleetTestSupport
import Geo
import Hashing
import Messages
import Roads
import RoadsTestSupport
import Testing

@testable import Fleet

/// Where a vehicle is taken to be while it stands, and its fixes wander.
struct StandingVehicleTests {
    /// Before a crossing, a bridge behind it that is too low, and a street round both.
    private static let crossing = """
        s -1000 0
        j 0 0
        e 400 0
        f 700 0
        g 1700 0
        u 0 300
        v 700 300
        d 0 -300
        sj residential
        je residential maxheight=3.2
        efg residential
        jd residential
        juvf residential
        """

    private let drawn: DrawnNetwork
    /// The crossing.
    private let origin: Coordinate

    init() throws {
        drawn = try DrawnNetwork(Self.crossing)
        origin = try #require(try drawn.network.line(drawn.edge("sj")).last)
    }

    private func place(_ east: Metres, _ north: Metres) -> Coordinate {
        LocalPlane(latitude: origin.latitude).coordinate(Vector(east: east, north: north), from: origin)
    }

    private func fix(
        _ east: Metres, _ north: Metres, at seconds: Seconds, speed: MetresPerSecond, course: Degrees
    ) -> Fix {
        Fix(
            position: place(east, north), time: .at(seconds), accuracy: 7.5, speed: speed, course: course)
    }

    /// A truck that stops 5 m before the crossing, for two minutes.
    private func standing(seed: UInt64, speed: MetresPerSecond) throws -> (dispatcher: Dispatcher, keys: [EdgeKey]) {
        let dispatcher = Dispatcher(drawn.network)
        dispatcher.drive(Journey(line: [place(-600, 0), place(-5, 0)], speed: 10, every: 1, offset: 5))
        var random = SplitMix64(seed: seed)
        let keys = try (60..<180).map { second in
            dispatcher.fix(
                fix(-5 + 5 * random.gaussian(), 5 * random.gaussian(), at: Seconds(second), speed: speed, course: 0))
            return try #require(dispatcher.kept?.roads.first?.key)
        }
        return (dispatcher, keys)
    }

    @Test(
        "A truck that says that it stands is on the road on which it stopped, wherever its fixes wander",
        arguments: 0..<20)
    func noise(seed: UInt64) throws {
        let (dispatcher, keys) = try standing(seed: seed, speed: 0)
        #expect(Set(keys).count == 1)
        dispatcher.fix(fix(0, 60, at: 190, speed: 8, course: 0))
        dispatcher.fix(fix(0, 100, at: 195, speed: 8, course: 0))
        let key = try #require(dispatcher.kept?.roads.first?.key)
        #expect(key != keys.last)
    }

    @Test("A device that always says that it stands is followed all the same")
    func alwaysZero() throws {
        let dispatcher = Dispatcher(drawn.network)
        for second in 0..<50 {
            dispatcher.fix(fix(-600 + 18 * Double(second), 0, at: Seconds(second), speed: 0, course: 90))
            let road = try #require(dispatcher.kept?.roads.first)
            guard let candidate = road.candidate, second < 30 else { continue }
            #expect((candidate.position.offset - (400 + 18 * Double(second))).magnitude <= 40)
        }
        #expect(dispatcher.alerts.contains { $0.stage == .ahead })
    }
}
