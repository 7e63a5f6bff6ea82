import FleetTestSupport
import Geo
import Messages
import Testing

@Suite("Of two streets that lead to one bridge a driver is told not to turn onto either")
struct NextTurnOffTests {
    /// A main road past two streets, one way each, that come together before a low bridge; the detour leaves the main road behind
    /// both.
    ///
    ///     a────────s──t────w────────z
    ///              └──b    │        │
    ///                 ║    │        │     bc is low
    ///                 c    │        │
    ///                 d────v────────y
    private func streets(_ second: String = "Back+Lane") throws -> Drawing {
        try Drawing(
            """
            a 0 0
            s 2000 0
            t 2150 0
            w 2500 0
            z 5000 0
            b 2150 -200
            c 2150 -230
            d 2150 -1500
            v 2500 -1500
            y 5000 -1500
            astwz primary name=Main+Street
            sb residential name=Mill+Lane oneway=yes
            tb residential name=\(second) oneway=yes
            bc residential name=Low+Road maxheight=3.2
            cd residential name=Low+Road
            dvyz residential name=South+Road
            wv residential name=Bypass+Road
            """)
    }

    private func drive(_ second: String, every: Seconds) throws -> Dispatcher {
        let drawing = try streets(second)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("az"), speed: 15, every: every))
        return dispatcher
    }

    @Test("Each is named before its corner, under an alert of its own", arguments: [1.0, 5])
    func both(every: Seconds) throws {
        let dispatcher = try drive("Back+Lane", every: every)
        #expect(dispatcher.lives == [[.ahead, .cleared], [.ahead, .cleared]], "\(dispatcher.log)")
        let told = dispatcher.alerts.filter { $0.stage == .ahead }
        #expect(told.map { $0.text.prefix(26) } == ["Do not turn onto Mill Lane", "Do not turn onto Back Lane"])
        // The second corner comes after 2,143 m.
        let second = try #require(told.last)
        #expect(second.time.seconds < 2_143 / 15 && second.time == dispatcher.alerts[1].time)
    }

    @Test("A name that was told holds at its second corner, too", arguments: [1.0, 5])
    func sameName(every: Seconds) throws {
        #expect(try drive("Mill+Lane", every: every).lives == [[.ahead, .cleared]])
    }
}
