import Clearances
import Fleet
import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

@Suite("A clearance of unknown height on the path is told of once")
struct UnknownHeightTests {
    /// Drives the main road of `Drawing.bridge` eastwards, all the way.
    private func drive(
        _ posted: String, height: Centimetres = 412, to names: String = "az",
        _ configure: (inout EngineSettings) -> Void = { _ in }
    ) throws -> Dispatcher {
        let drawing = try Drawing.bridge(posted)
        var settings = EngineSettings()
        settings.heights.margin = 0
        configure(&settings)
        let dispatcher = Dispatcher(drawing.network, height: height, settings: settings)
        dispatcher.drive(Journey(line: try drawing.line(names)))
        return dispatcher
    }

    @Test("One `ahead` a mile before the last turn-off, then `passed`: no `detour`, no `stop`")
    func once() throws {
        let dispatcher = try drive("below_default")
        #expect(dispatcher.stages == [.ahead, .passed])
        let ahead = dispatcher.alerts[0]
        #expect(ahead.clearance.verdict == .unknown)
        #expect(ahead.clearance.height == nil)
        #expect(ahead.clearance.posted == "below_default")
        #expect(dispatcher.alerts.allSatisfy { $0.certainty == .possible })
        #expect((1_609...1_810).contains(try #require(ahead.detour).distance))
        #expect(
            ahead.text
                == "Bridge of unknown height on Main Street in 1.3 mi. In doubt: leave at Bypass Road in 1.1 mi.")
        #expect(dispatcher.alertCount == 1)
        #expect(dispatcher.states.last?.alerts.isEmpty == true)
    }

    @Test("A truck that leaves before it is told `cleared`")
    func left() throws {
        let dispatcher = try drive("below_default", to: "ajnmy")
        #expect(dispatcher.stages == [.ahead, .cleared])
        #expect(dispatcher.alerts.last?.certainty == .possible)
    }

    @Test(
        "The setting says which clearances count",
        arguments: [
            (EngineSettings.Alerts.Unknown.none, "below_default", 412, 0),
            (.belowDefault, "BELOW_DEFAULT", 412, 1), (.belowDefault, "abc", 412, 0),
            (.belowDefault, "default", 412, 0),
            (.all, "below_default", 412, 1), (.all, "abc", 412, 1), (.all, "30", 412, 1),
            // `default` is no limit up to the legal default, and unknown above it.
            (.all, "default", 401, 1), (.all, "none", 401, 1), (.all, "default", 400, 0), (.all, "4.2", 412, 0),
        ])
    func which(
        setting: EngineSettings.Alerts.Unknown, posted: String, height: Centimetres, alerts: Int
    ) throws {
        let dispatcher = try drive(posted, height: height) { $0.alerts.unknown = setting }
        #expect(dispatcher.stages.count { $0 == .ahead } == alerts)
    }

    @Test("The legal default is a setting")
    func legalDefault() throws {
        let dispatcher = try drive("default") {
            $0.alerts.unknown = .all
            $0.heights.legalDefault = 412
        }
        #expect(dispatcher.alerts.isEmpty)
    }

    @Test("Off the path nobody is told: the height may well be enough")
    func offThePath() throws {
        let drawing = try Drawing.sideStreet(maxheight: "below_default")
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("az")))
        #expect(dispatcher.alerts.isEmpty)
    }

    @Test("The detour round an unknown one leads under nothing too low")
    func detourOfUnknown() throws {
        // The nearer detour, over Bypass Road, is low itself.
        let drawing = try Drawing(
            """
            a 0 0
            i 3000 0
            j 4000 0
            e 4300 0
            f 4340 0
            z 6500 0
            n 4000 300
            m 5000 300
            g 5000 0
            k 3000 900
            l 5000 900
            aij tertiary name=Main+Street
            je tertiary name=Main+Street
            ef tertiary name=Main+Street maxheight=below_default
            fgz tertiary name=Main+Street
            jn residential name=Bypass+Road maxheight=3.0
            nmg residential name=North+Road
            ik residential name=Hill+Road
            klm residential name=Hill+Road
            """)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("az")))
        let ahead = try #require(dispatcher.alerts.first { $0.clearance.verdict == .unknown })
        #expect(ahead.detour?.turnOnto == "Hill Road")
    }

    @Test(
        "The detour round a low one is not under one that drivers are told of, where another leaves at the same junction",
        arguments: [
            (EngineSettings.Alerts.Unknown.belowDefault, "below_default", true, "Hill Road", 1_900),
            (.belowDefault, "below_default", false, "Bypass Road", 1_300),
            (.belowDefault, "abc", true, "Bypass Road", 1_300), (.all, "abc", true, "Hill Road", 1_900),
            (.none, "below_default", true, "Bypass Road", 1_300),
        ] as [(EngineSettings.Alerts.Unknown, String, Bool, String, Metres)])
    func detourOfLow(
        setting: EngineSettings.Alerts.Unknown, posted: String, hasOther: Bool, road: String, length: Metres
    ) throws {
        let drawing = try Drawing.detourUnder(posted, hasOther: hasOther)
        var settings = EngineSettings()
        settings.alerts.unknown = setting
        let dispatcher = Dispatcher(drawing.network, settings: settings)
        dispatcher.drive(Journey(line: try drawing.line("az")))
        let ahead = try #require(dispatcher.alerts.first { $0.clearance.verdict == .tooLow })
        #expect(ahead.text.contains(road))
        let detour = try #require(ahead.detour)
        #expect(detour.turnOnto == road)
        #expect(abs(try #require(detour.length) - length) < 10)
    }

    @Test(
        "One whose height becomes known is cleared before it is told of as low, and so back, each time under another id"
    )
    func becomesKnown() throws {
        let dispatcher = Dispatcher(try Drawing.bridge("below_default").network)
        dispatcher.drive(Journey(line: [Drawing.place(2_000, 0), Drawing.place(2_600, 0)]))
        #expect(dispatcher.stages == [.ahead])
        let low = PointClearance(id: "osm:way:1003", position: Drawing.place(4_320, 0), posted: "10'6\"")
        for second in 40..<44 {
            let change = ClearanceChange(id: low.id, clearance: second.isMultiple(of: 2) ? low : nil)
            dispatcher.hear([.clearances([change], at: .at(Double(second)))])
        }
        #expect(
            dispatcher.stages == [
                .ahead, .cleared, .ahead, .cleared, .ahead, .cleared, .ahead, .cleared, .ahead,
            ])
        let verdicts = dispatcher.alerts.map(\.clearance.verdict)
        #expect(
            verdicts == [
                .unknown, .unknown, .tooLow, .tooLow, .unknown, .unknown, .tooLow, .tooLow, .unknown,
            ])
        #expect(dispatcher.alertCount == 5)
        #expect(Set(dispatcher.alerts.map { "\($0.id) \($0.sequence)" }).count == dispatcher.alerts.count)
    }

    @Test("Without a road file, and after a restart with another setting, an open one ends")
    func mapGone() throws {
        let drawing = try Drawing.bridge("below_default")
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: [try drawing.line("a")[0], Drawing.place(3_500, 0)]))
        #expect(dispatcher.stages == [.ahead])
        dispatcher.replace(try Drawing.bridge("4.5").network, at: 200)
        #expect(dispatcher.stages == [.ahead, .cleared])
        #expect(dispatcher.alerts.last?.reason == .mapChanged)
    }
}
