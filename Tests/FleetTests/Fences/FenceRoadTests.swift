import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

@testable import Fleet

/// Between sparse fixes a truck is where the road leads.
struct FenceRoadTests {
    /// A road that goes east for 600 m and then north for 600 m, round the corner `b`; a street of its own 25 m beside it.
    ///
    ///               c
    ///               │
    ///               │
    ///     a─────────b
    private static func corner() throws -> Drawing {
        try Drawing(
            """
            a 0 0
            b 600 0
            c 600 600
            ab tertiary name=First+Street
            bc tertiary name=Second+Street
            """)
    }

    /// Along the road at 20 m/s; a fix at 100 m, and one every so often.
    private func drive(_ network: RoadNetwork?, _ fences: [Fence], every: Seconds = 50, aside: Metres = 0) throws
        -> Dispatcher
    {
        let line = [(0.0 - aside, aside), (600 - aside, aside), (600 - aside, 600 + aside)].map {
            Drawing.place($0.0, $0.1)
        }
        let dispatcher = Dispatcher(network, fences: fences)
        dispatcher.drive(Journey(line: line, every: every, offset: 100))
        dispatcher.tick(300)
        return dispatcher
    }

    /// On the straight line from (100, 0) to (600, 500).
    private static let inside = Yard.circle("inside", 350, 250, radius: 100)
    /// Round the corner.
    private static let outside = Yard.circle("outside", 600, 0, radius: 100)

    @Test("The straight line cuts a fence, the road does not: nothing")
    func notPassed() throws {
        let dispatcher = try drive(Self.corner().network, [Self.inside])
        #expect(dispatcher.fenceLog == [])
    }

    @Test(
        "The road goes through a fence, the straight line does not: in and out, timed along the road",
        arguments: [0.0, 6, -6])
    func passed(aside: Metres) throws {
        let dispatcher = try drive(Self.corner().network, [Self.outside], aside: aside)
        #expect(dispatcher.events.map(\.event) == [.enter, .exit])
        let (enter, exit) = (dispatcher.events[0], dispatcher.events[1])
        // 400 m and 600 m after the first fix.
        #expect((enter.crossedAt.seconds - 20).magnitude <= 1, "\(enter.crossedAt.seconds)")
        #expect((exit.crossedAt.seconds - 30).magnitude <= 1, "\(exit.crossedAt.seconds)")
        #expect(enter.position.distance(to: Drawing.place(500, 0)) < 10)
        #expect(enter.isThrough && enter.isInterpolated && exit.isThrough && exit.isInterpolated)
    }

    @Test("Without a road file straight lines hold")
    func straight() throws {
        let dispatcher = try drive(nil, [Self.inside, Self.outside])
        #expect(
            dispatcher.events.map { "\($0.event.rawValue) \($0.fence)" } == [
                "enter inside", "exit inside",
            ])
    }

    @Test("A bend as wide as a way of 1.6 times the straight line has it is still looked along")
    func wide() throws {
        let drawing = try Drawing(
            """
            a 0 0
            b 1000 1100
            c 2000 0
            abc tertiary name=Hill+Road
            """)
        let line = try drawing.line("abc")
        let top = Yard.circle("top", 1000, 1060, radius: 50)
        let dispatcher = Dispatcher(drawing.network, fences: [top])
        let journey = Journey(line: line, speed: 20, every: 144, offset: 10)
        dispatcher.drive(journey)
        dispatcher.tick(400)
        #expect(dispatcher.events.map(\.event) == [.enter, .exit])
        #expect(dispatcher.events.allSatisfy { ($0.crossedAt.seconds - 74).magnitude < 5 })
    }

    @Test("Who drives beside a road that is fenced does not come onto it between two fixes")
    func beside() throws {
        let road = Fence(
            id: "road", shape: .corridor(Corridor(line: [Drawing.place(-50, 0), Drawing.place(650, 0)], width: 20)))
        let dispatcher = Dispatcher(try Self.corner().network, fences: [road])
        for time in stride(from: 0.0, through: 40, by: 10) { dispatcher.fix(Yard.fix(100 + 10 * time, 25, at: time)) }
        dispatcher.tick(100)
        #expect(dispatcher.fenceLog == [])
    }
}
