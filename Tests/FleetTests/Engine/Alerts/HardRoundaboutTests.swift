import Clearances
import Fleet
import FleetTestSupport
import Geo
import Messages
import Roads
import RoadsTestSupport
import Testing

/// At a roundabout the last decision is the exit towards the bridge; before one that is low, the street round it.
struct HardRoundaboutTests {
    /// Driven counterclockwise; the bridge is 300 m behind the eastern exit, the northern one has the detour.
    private static let roundabout = """
        a 20 0
        b 0 20
        c -20 0
        d 0 -20
        s -4000 0
        g 320 0
        h 360 0
        k 1000 0
        e 4000 0
        n 0 500
        m 1000 500
        N 0 4000
        abcda tertiary junction=roundabout
        sc tertiary name=Main+Street
        ag tertiary name=Main+Street
        gh tertiary name=Main+Street maxheight=3.2
        hke tertiary name=Main+Street
        bn residential name=North+Road
        nN residential name=North+Road
        nmk residential name=Mill+Lane
        """

    @Test("The exit towards the bridge is the last decision: ahead before the roundabout, stop behind that exit")
    func roundabout() throws {
        let drawing = try Drawing(Self.roundabout)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("scdage"), speed: 10, every: 5))
        let lives = dispatcher.lives.map { $0.filter { $0 != .detour } }.filter { $0.contains(.stop) }
        #expect(lives == [[.ahead, .stop, .passed]], "\(dispatcher.log)")
        let first = try #require(dispatcher.alerts.first)
        #expect(try #require(first.detour).position.distance(to: Drawing.place(20, 0)) < 1)
        let stop = try #require(dispatcher.alerts.first { $0.stage == .stop })
        // 3,980 m to the ring and half of it.
        #expect((403.0...411).contains(stop.time.seconds), "\(dispatcher.log)")
    }

    @Test("Going round the ring twice is one alert, and leaving by another exit ends it", arguments: [1.0, 2, 5])
    func twice(every: Seconds) throws {
        let drawing = try Drawing(Self.roundabout)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("scdabcdabcdabN"), speed: 8, every: every))
        #expect(dispatcher.livesOnPath == [[.ahead, .detour, .cleared]], "\(dispatcher.log)")
    }

    @Test("Before a roundabout that is low all round a truck is told of the street round it")
    func lowRoundabout() throws {
        let drawing = try Drawing(DrawnNetwork.lowRoundabout)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("sjfghiake"), speed: 12, every: 5))
        #expect(dispatcher.stages.prefix(3) == [.ahead, .detour, .stop], "\(dispatcher.log)")
        let first = try #require(dispatcher.alerts.first)
        #expect(try #require(first.detour).position.distance(to: Drawing.place(-520, 0)) < 1)
    }
}
