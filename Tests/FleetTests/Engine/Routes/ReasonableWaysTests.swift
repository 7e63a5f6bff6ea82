import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

@testable import Fleet

/// Rule 2 where a destination is known: a last decision off all reasonable ways there is worth a notice.
struct ReasonableWaysTests {
    /// - Parameters:
    ///   - destination: the node where the truck is bound.
    ///   - driven: the nodes by which it drives.
    private func drive(
        _ drawing: Drawing, to destination: String, along driven: String, speed: MetresPerSecond = 20,
        every: Seconds = 5, settings: EngineSettings = EngineSettings()
    ) throws -> Dispatcher {
        let dispatcher = Dispatcher(drawing.network, settings: settings)
        dispatcher.tell(.route(.waypoints(try drawing.line(destination))), at: -30)
        dispatcher.drive(Journey(line: try drawing.line(driven), speed: speed, every: every))
        return dispatcher
    }

    @Test(
        "Past a side street that leads away from the destination there is a notice, and no alarm",
        arguments: [1.0, 5, 10, 30])
    func past(every: Seconds) throws {
        let dispatcher = try drive(try .sideStreet(), to: "z", along: "aswz", every: every)
        #expect(dispatcher.alerts.isEmpty)
        #expect(dispatcher.notices.first?.stage == .ahead)
    }

    @Test("Who turns in all the same has had the notice before, is told to stop, and has passed under")
    func turnsIn() throws {
        let dispatcher = try drive(try .sideStreet(), to: "z", along: "asbcd", speed: 10)
        #expect(Set(dispatcher.alertsAndNotices.map(\.id)).count == 1)
        let told = dispatcher.alertsAndNotices.map { "\($0.attention) \($0.stage)" }
        #expect(told == ["notice ahead", "alarm stop", "alarm passed"])
        #expect(try #require(dispatcher.notices.first?.detour).distance > 0)
    }

    @Test("Where no notice is open there is an alarm: nobody goes on untold")
    func untold() throws {
        var settings = EngineSettings()
        settings.alerts.noticeProbability = 1
        let dispatcher = try drive(try .sideStreet(), to: "z", along: "aswz", settings: settings)
        #expect(dispatcher.stages == [.ahead, .cleared])
    }

    /// Two ways from `j` to `z`, the southern one under a bridge and somewhat longer.
    ///
    ///                      k
    ///                   ／   ＼
    ///     a───────────j        z────────x
    ///                   ＼   ／
    ///                     l=m
    private static let fork = """
        a 0 0
        j 3000 0
        k 3500 300
        l 3480 -320
        m 3520 -320
        z 4000 0
        x 6000 0
        aj tertiary name=Main+Street
        jkz tertiary name=North+Road
        jl tertiary name=South+Road
        lm tertiary name=South+Road maxheight=3
        mz tertiary name=South+Road
        zx tertiary name=Main+Street
        """

    @Test(
        "A last decision on a way that is hardly longer than the fastest calls for an alarm, one on a way round does not",
        arguments: [("x", true), ("k", false)])
    func alternative(destination: String, isAlarm: Bool) throws {
        let dispatcher = try drive(try Drawing(Self.fork), to: destination, along: "ajk")
        #expect(dispatcher.alerts.isEmpty == !isAlarm)
        #expect(dispatcher.alerts.allSatisfy { $0.sideRoad })
        #expect(dispatcher.notices.first?.stage == .ahead)
    }

    @Test("Who has just left the way may be bound elsewhere: then the last decision calls for an alarm")
    func justLeft() throws {
        let drawing = try Drawing(
            """
            a 0 0
            u 1600 0
            t 1700 250
            r 1800 0
            s 2000 0
            w 2500 0
            z 5000 0
            b 2000 -200
            c 2000 -230
            d 2000 -1500
            v 2500 -1500
            aursw primary name=Main+Street
            wz primary name=Main+Street
            utr residential name=Old+Road
            sb residential name=Mill+Lane
            bc residential name=Mill+Lane maxheight=3.2
            cdv residential name=Mill+Lane
            vw residential oneway=yes name=Bypass+Road
            """)
        #expect(try drive(drawing, to: "z", along: "aurswz").alerts.isEmpty)
        #expect(try drive(drawing, to: "z", along: "autrswz").stages.first == .ahead)
    }

    @Test("An explanation says why there is no alarm")
    func explained() throws {
        let drawing = try Drawing.sideStreet()
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.tell(.route(.waypoints(try drawing.line("z"))), at: -30)
        dispatcher.drive(Journey(line: [try drawing.line("a")[0], Drawing.place(1_850, 0)], every: 5))
        let explanation = try #require(dispatcher.engine.explanation(of: Dispatcher.truck.vehicle, at: .at(91)))
        let hazard = try #require(explanation.clearances.first?.hazards.first)
        #expect(hazard.reason == .offReasonableWays)
        #expect(explanation.words.contains("no reasonable way to the destination leads there"))
    }
}
