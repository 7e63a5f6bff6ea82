import Clearances
import Fleet
import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

/// A truck has passed where it has gone under the bridge, in the direction that is limited.
struct HardPassageTests {
    @Test(
        "Wherever its fixes lie, a truck that has gone under has passed, though a way leads round to the other side",
        arguments: [true, false])
    func passedWithSparseFixes(isFluent: Bool) throws {
        let drawing = try Drawing.bridge()
        for offset in stride(from: 0.0, to: 160, by: 4) {
            let dispatcher = Dispatcher(drawing.network)
            dispatcher.drive(
                Journey(line: try drawing.line("az"), every: 8, offset: offset, isFluent: isFluent))
            let ends = dispatcher.livesOnPath.compactMap(\.last)
            #expect(ends == [.passed], "first fix at \(offset) m")
        }
    }

    /// A height over a kilometre, from 4,300 m on; its bridge is at 5,000 m.
    private static let kilometre = """
        a 0 0
        j 4000 0
        e 4300 0
        f 5300 0
        g 5600 0
        z 8000 0
        n 4000 300
        m 5600 300
        p 5000 -50
        q 5000 50
        aj tertiary name=Main+Street
        je tertiary name=Main+Street
        ef tertiary name=Main+Street maxheight=3.2
        fg tertiary name=Main+Street
        gz tertiary name=Main+Street
        jnmg residential name=Bypass+Road
        pq none railway=rail bridge=yes layer=1 name=Branch+Line
        """

    @Test("A height over a kilometre counts from its start; it is passed at its bridge, and named after it")
    func kilometre() throws {
        let drawing = try Drawing(Self.kilometre)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("az"), every: 1))
        #expect(dispatcher.livesOnPath == [[.ahead, .detour, .stop, .passed]])
        let first = try #require(dispatcher.alerts.first)
        #expect(abs(first.distance - (first.detour?.distance ?? 0) - 300) < 1)
        #expect(first.clearance.name == "Branch Line over Main Street")
        // 5,003 m less the 7 m where the first fix is, at 20 m/s.
        #expect((249.0...251).contains(try #require(dispatcher.time(of: .passed))))
    }

    @Test("Who turns round on it before the bridge has not passed")
    func turnsBeforeTheBridge() throws {
        let drawing = try Drawing(Self.kilometre)
        let dispatcher = Dispatcher(drawing.network)
        let line = try drawing.line("a") + [Drawing.place(4_900, 0)] + drawing.line("a")
        dispatcher.drive(Journey(line: line, every: 5))
        #expect(dispatcher.livesOnPath.first == [.ahead, .detour, .stop, .cleared])
        #expect(!dispatcher.stages.contains(.passed))
    }

    @Test("A height in one direction concerns trucks in that direction", arguments: [("az", true), ("za", false)])
    func oneDirection(way: String, isLow: Bool) throws {
        let drawing = try Drawing(Self.kilometre.replacing("maxheight=", with: "maxheight:forward="))
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line(way), every: 5))
        #expect(dispatcher.livesOnPath == (isLow ? [[.ahead, .detour, .stop, .passed]] : []))
    }
}
