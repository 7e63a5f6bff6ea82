import Clearances
import Fleet
import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

/// Where no detour is known a truck is told so, and what to keep off or where to turn off.
struct NoDetourTests {
    @Test("Before the only road into an estate a truck is told to keep off it, though a street there leads back")
    func estate() throws {
        let drawing = try Drawing(
            """
            s -4000 0
            j 0 0
            e 3000 0
            a 0 100
            b 0 120
            c 0 400
            u -60 440
            v -60 520
            w 60 520
            x 60 440
            sje secondary name=Main+Road
            ja residential name=Mill+Lane
            ab residential name=Mill+Lane maxheight=3.2
            bc residential name=Mill+Lane
            cuvwxc residential name=Mill+Close
            """)
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
        "Before a loop road that ends low where it begins a truck is told to keep off it, though from elsewhere there is a detour",
        arguments: [1.0, 10])
    func loop(every: Seconds) throws {
        let drawing = try Drawing(
            """
            m -3000 0
            t 0 0
            e 3000 0
            f 0 600
            u 400 800
            v 400 1300
            w -400 1300
            g -400 800
            h -100 640
            r -1500 800
            q -1000 800
            p -900 300
            mte primary name=Main+Road
            tf unclassified name=Stem+Lane
            fuvwg unclassified name=Loop+Road oneway=yes
            gh unclassified name=Loop+Road oneway=yes
            hf unclassified name=Loop+Road oneway=yes maxheight=3.2
            mr unclassified name=West+Road
            rqg unclassified name=West+Road oneway=yes
            qpf unclassified name=Bypass+Road oneway=yes
            """)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("mtfuvwghfte"), speed: 13, every: every, offset: 500))
        #expect(dispatcher.stages == [.ahead, .stop, .passed], "\(dispatcher.log)")
        let ahead = try #require(dispatcher.alerts.first)
        #expect(ahead.time.seconds < 2_500 / 13)
        #expect(ahead.text.hasPrefix("Do not turn onto Stem Lane"))
    }
}
