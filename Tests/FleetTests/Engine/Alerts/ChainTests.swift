import Fleet
import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

/// Low bridges one behind the other.
struct ChainTests {
    /// Two bridges, `ef` at 4,300 m and `gh` at 4,700 m; `between` may add roads that meet at `x`, between them.
    ///
    ///     a────────────j───e=f──x──g=h──k────────────z
    ///                  n────────────────m
    private func bridges(_ between: String = "") throws -> Drawing {
        try Drawing(
            """
            a 0 0
            j 4000 0
            e 4300 0
            f 4340 0
            x 4500 0
            g 4700 0
            h 4740 0
            k 5000 0
            z 6500 0
            n 4000 500
            m 5000 500
            y 6500 500
            w 4500 -500
            v 5000 -500
            aj tertiary name=Main+Street
            je tertiary name=Main+Street
            ef tertiary name=Main+Street maxheight=3.8
            fxg tertiary name=Main+Street
            gh tertiary name=Main+Street maxheight=3.2
            hkz tertiary name=Main+Street
            jn residential name=Bypass+Road
            nmy residential name=North+Road
            mk residential name=Mill+Lane
            yz residential name=East+Road
            \(between)
            """)
    }

    @Test("Two bridges without a turn-off between them are one alert, which names both and has a detour of both")
    func chain() throws {
        let drawing = try bridges()
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("az"), every: 5))
        #expect(dispatcher.stages == [.ahead, .detour, .stop, .passed])
        #expect(dispatcher.alertCount == 1)
        #expect(dispatcher.alerts.allSatisfy { $0.chain == ["osm:way:1003", "osm:way:1005"] })
        // jn, nm, mk against je to k.
        #expect(abs(try #require(dispatcher.alerts.first?.detour?.length) - 2_000) < 1)
    }

    @Test("It is passed behind the last of them")
    func passedBehindTheLast() throws {
        let drawing = try bridges()
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("az"), every: 1))
        let passed = try #require(dispatcher.alerts.last)
        // The last stands at 4,720 m, the first fix at 7 m.
        #expect((236.0...238).contains(passed.time.seconds))
    }

    @Test("Who is first seen on the low road of the first, and leaves between the two, has passed it")
    func leavesBetween() throws {
        let drawing = try bridges("xw residential name=Yard+Lane")
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("exw"), every: 1))
        #expect(dispatcher.alerts.last { $0.clearance.id == "osm:way:1003" }?.stage == .passed)
    }

    /// Two bridges, `ef` and `gh`, between which Yard Lane leads in, and a loop behind them by which one comes back.
    ///
    ///          n──────────────────q
    ///          │                  m──────p
    ///     a────j────e=f──x──g=h───k──────l────z
    ///                    w
    @Test(
        "The alert about the way back stays open when the vehicle passes by the entry of the chain's alert",
        arguments: [1.0, 5, 10], [true, false])
    func comesBack(every: Seconds, isRouteKnown: Bool) throws {
        let drawing = try Drawing(
            """
            a 0 0
            j 2000 0
            e 2300 0
            f 2340 0
            x 2500 0
            g 2700 0
            h 2740 0
            k 2900 0
            l 3200 0
            z 5000 0
            n 2000 500
            q 2900 500
            m 2900 200
            p 3200 200
            w 2500 -400
            aje tertiary name=Main+Street
            ef tertiary name=Main+Street maxheight=3.5
            fxg tertiary name=Main+Street
            gh tertiary name=Main+Street maxheight=3.2
            hklz tertiary name=Main+Street
            jnqmk residential name=Bypass+Road
            lpm residential name=Loop+Road
            wx residential name=Yard+Lane oneway=yes
            """)
        let dispatcher = Dispatcher(drawing.network)
        let line = try drawing.line("ajefxghklpmkhgxfeja")
        if isRouteKnown { dispatcher.tell(.route(.line(line)), at: -30) }
        dispatcher.drive(Journey(line: line, speed: 12, every: every))
        let back = dispatcher.alerts.filter { $0.clearance.id == "osm:way:1004" }
        #expect(back.map(\.stage).suffix(3) == [.detour, .stop, .passed], "\(dispatcher.log)")
        #expect(Set(back.map(\.id)).count == 1, "\(dispatcher.log)")
        #expect(back.allSatisfy { $0.chain == ["osm:way:1004", "osm:way:1002"] })
        // By the alert of the chain, and by that of the chain in the other direction.
        #expect(dispatcher.stages.filter { $0 == .passed }.count == 2, "\(dispatcher.log)")
    }

    @Test("A road that only leads in between them is no turn-off: still one alert")
    func leadsIn() throws {
        let drawing = try bridges("wx residential name=Yard+Lane oneway=yes")
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("az"), every: 5))
        #expect(dispatcher.stages == [.ahead, .detour, .stop, .passed])
        #expect(dispatcher.alerts.allSatisfy { $0.chain == ["osm:way:1003", "osm:way:1005"] })
    }

    @Test("With a turn-off between them they are two alerts, each with its own last turn-off")
    func turnOffBetween() throws {
        let drawing = try bridges("xwvk residential name=South+Road")
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("az"), every: 5))
        // Round the corners lie the same bridges from the other side: those alerts are of the side roads.
        let byID = Dictionary(grouping: dispatcher.alerts, by: \.id).filter { !$0.value[0].sideRoad }
        #expect(byID.count == 2)
        #expect(Set(byID.values.map { $0[0].chain }) == [["osm:way:1003"], ["osm:way:1005"]])
        #expect(byID.values.allSatisfy { $0.map(\.sequence) == Array(1...$0.count) && $0.last?.stage == .passed })
    }

    @Test("Who sets off between two bridges without a turn-off is told to stop, and has passed behind the last of them")
    func setsOffBetween() throws {
        let drawing = try bridges()
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("fz"), every: 5))
        #expect(dispatcher.stages == [.stop, .passed], "\(dispatcher.log)")
        #expect(dispatcher.alerts.allSatisfy { $0.chain == ["osm:way:1003", "osm:way:1005"] })
    }

    /// Two bridges, `ef` and `gh`, on the far side of a loop: by `p` or by `q` one comes to either end. At `q` nobody can turn off.
    ///
    ///     x───▷──q──h=g────f=e──c──v       300 m north
    ///     │      │             ╱
    ///     │  a───j───────────p             0 m
    ///     y──────z
    @Test(
        "Where the detour round a chain is the last turn-off before its other end, that is told of too",
        arguments: [1.0, 5])
    func detourToTheOtherEnd(every: Seconds) throws {
        let drawing = try Drawing(
            """
            a -2000 0
            j 0 0
            p 500 0
            c 600 300
            v 900 300
            e 450 300
            f 420 300
            g 200 300
            h 170 300
            q 0 300
            z 0 -400
            y -800 -400
            x -800 300
            ajp tertiary name=Main+Street
            pc tertiary name=Main+Street
            ce tertiary name=Main+Street
            ef tertiary name=Main+Street maxheight=3.5
            fg tertiary name=Main+Street
            gh tertiary name=Main+Street maxheight=3.2
            hq tertiary name=Main+Street
            cv residential name=Yard+Lane
            qj tertiary name=West+Street
            jzyx residential name=South+Street
            xq residential name=South+Street oneway=yes
            """)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("ajqhgfec"), every: every))
        let first = try #require(dispatcher.alerts.first { $0.clearance.id == "osm:way:1006" })
        // The first fix is at 7 m, `j` at 2,000 m; 10 s are the notice.
        #expect(first.stage == .ahead && first.time.seconds <= 1_993 / 20 - 10, "\(dispatcher.log)")
    }

    @Test("A truck that fits under the first hears of the second alone")
    func fitsUnderTheFirst() throws {
        let drawing = try bridges()
        let dispatcher = Dispatcher(drawing.network, height: 370)
        dispatcher.drive(Journey(line: try drawing.line("az"), every: 5))
        #expect(dispatcher.stages == [.ahead, .detour, .stop, .passed])
        #expect(dispatcher.alerts.allSatisfy { $0.chain == ["osm:way:1005"] })
    }
}
