import Clearances
import Fleet
import FleetTestSupport
import Geo
import Messages
import Roads
import RoadsTestSupport
import Testing

/// Where no detour is known a truck is told so, and what to keep off or where to turn off.
struct NoDetourTests {
    @Test("Before the only road into an estate a truck is told to keep off it, though a street there leads back")
    func estate() throws {
        let drawing = try Drawing(DrawnNetwork.estate)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("sjabc"), speed: 12, every: 1))
        #expect(dispatcher.stages == [.ahead, .stop, .passed], "\(dispatcher.log)")
        let ahead = try #require(dispatcher.alerts.first)
        #expect(ahead.time.seconds < 4_000 / 12)
        #expect(ahead.text.hasPrefix("Do not turn onto Mill Lane"))
    }

    @Test("Where the only detour leaves the map no detour is known: the alert says so, and names the turn-off")
    func border() throws {
        let drawing = try Drawing(
            """
            a 0 0
            j 4000 0
            e 4300 0
            f 4340 0
            z 6500 0
            n 4000 3000
            aj tertiary name=Main+Street
            je tertiary name=Main+Street
            ef tertiary name=Main+Street maxheight=3.2
            fz tertiary name=Main+Street
            jn residential name=Border+Road
            """)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("az"), every: 5))
        #expect(dispatcher.stages == [.ahead, .detour, .stop, .passed])
        #expect(dispatcher.alerts.allSatisfy { $0.detour == nil })
        let first = try #require(dispatcher.alerts.first)
        #expect(first.text.contains("No detour: turn off at Border Road"))
        #expect(first.distance > Unit.mile + 300)
    }

    @Test(
        "Who has gone by a turn-off with a detour, and comes to the bridge by a way without one, is given none",
        arguments: [1.0, 5, 10])
    func wayWithoutDetour(every: Seconds) throws {
        // From `j` one comes to both ends of the bridge `ef`; behind `j` East Road is the last turn-off, a dead end.
        let drawing = try Drawing(
            """
            s -4000 0
            j 0 0
            k 2500 0
            f 2500 -600
            e 2460 -600
            i 0 -600
            z 5000 0
            b 0 -3000
            sjk tertiary name=Main+Street
            kf tertiary name=Main+Street
            fe tertiary name=Main+Street maxheight=3.2
            ei tertiary name=Main+Street
            ij residential name=Mill+Lane
            ib tertiary name=South+Road
            kz residential name=East+Road
            """)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("sjkfeib"), every: every))
        #expect(dispatcher.stages == [.ahead, .detour, .stop, .passed], "\(dispatcher.log)")
        #expect(dispatcher.alertsAndNotices.first?.detour?.turnOnto == "Mill Lane")
        #expect(dispatcher.alerts.first?.detour?.turnOnto == "Main Street")
        let later = dispatcher.alerts.dropFirst()
        #expect(later.first?.text.hasPrefix("No detour: turn off at East Road in ") == true, "\(later.map(\.text))")
        #expect(later.allSatisfy { $0.detour == nil })
    }

    @Test(
        "Before a loop road that ends low where it begins a truck is told to keep off it, though from elsewhere there is a detour",
        arguments: [1.0, 10])
    func loop(every: Seconds) throws {
        let drawing = try Drawing(DrawnNetwork.loopRoad + DrawnNetwork.loopRoadEntrance)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("mtfuvwghfte"), speed: 13, every: every, offset: 500))
        #expect(dispatcher.stages == [.ahead, .stop, .passed], "\(dispatcher.log)")
        let ahead = try #require(dispatcher.alerts.first)
        #expect(ahead.time.seconds < 2_500 / 13)
        #expect(ahead.text.hasPrefix("Do not turn onto Stem Lane"))
    }

    private static let deadEnd = """
        o 0 0
        c 900 0
        m 900 900
        n 900 -900
        mcn secondary name=Main+Street

        """
    private static let beginnings: [(text: String, way: String, log: [String])] = [
        (
            deadEnd + "l 500 0 maxheight=3.2\nolc residential name=Mill+Lane", "ocm", ["0 stop", "50 passed"]
        ),
        // Its structure is in the middle.
        (deadEnd + "oc residential name=Mill+Lane maxheight=3.2", "ocm", ["0 stop", "45 passed"]),
        // The extract ends at b.
        (
            "b 0 0\nl 1000 0 maxheight=3.2\ng 2500 0\nxblg primary name=Main+Street", "bg",
            ["0 stop", "100 passed"]
        ),
    ]

    @Test(
        "Who sets off on a low road at its end, or comes over the map's border on one, is told at once, and has passed it",
        arguments: beginnings)
    func beginning(text: String, way: String, log: [String]) throws {
        let drawing = try Drawing(text)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line(way), speed: 10, every: 5, offset: 20))
        #expect(dispatcher.log == log)
    }

    @Test("Who comes over the map's border on a low way is told to turn off while he can before its structure")
    func turnOffBeforeStructure() throws {
        // The structure is in the middle, at -200 m; the extract ends at b.
        let drawing = try Drawing(
            """
            b -1000 0
            j -500 0
            k 600 0
            e 1500 0
            u -500 500
            v 600 500
            xbjk primary name=Main+Street maxheight=3.2
            ke primary name=Main+Street
            ju residential name=Bypass+Road
            uvk residential name=North+Road
            """)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("be"), speed: 15, every: 5, offset: 20))
        #expect(dispatcher.stages == [.ahead, .detour, .stop, .passed], "\(dispatcher.log)")
        #expect(try #require(dispatcher.alerts.first).text.contains("Bypass Road"))
    }
}
