import Fleet
import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

/// Rule 3: what may be on the way is shown a mile before the last turn-off, and heard once rule 1 or 2 holds.
struct NoticeTests {
    private func dispatcher(
        _ drawing: Drawing, _ nodes: String, every: Seconds = 1, _ change: (inout EngineSettings) -> Void = { _ in }
    ) throws -> Dispatcher {
        var settings = EngineSettings()
        change(&settings)
        let dispatcher = Dispatcher(drawing.network, settings: settings)
        dispatcher.drive(Journey(line: try drawing.line(nodes), every: every))
        return dispatcher
    }

    @Test(
        "A bridge round the corner is shown a mile before the corner, at most one interval sooner", arguments: [1.0, 5])
    func aMileBefore(every: Seconds) throws {
        let first = try #require(try dispatcher(Drawing.sideStreet(), "az", every: every).alertsAndNotices.first)
        #expect(first.attention == .notice)
        #expect((first.stage, first.sequence) == (.ahead, 1))
        #expect(first.certainty == .possible && first.sideRoad)
        #expect((Unit.mile - 20 * every...Unit.mile + 20 * 10).contains(try #require(first.detour?.distance)))
        #expect((0.01..<0.3).contains(first.probability))
        #expect(first.text.hasPrefix("Low bridge 3.2 m on Mill Lane in 1."))
        #expect(first.text.hasSuffix(" mi, if your way leads there. Last turn-off before it: Main Street."))
    }

    @Test(
        "It becomes an alarm under its id, with the next sequence, where rule 2 calls for one; that ends as any alarm does"
    )
    func becomesAlarm() throws {
        let dispatcher = try dispatcher(Drawing.sideStreet(), "az")
        let first = dispatcher.alertsAndNotices.prefix(3)
        #expect(first.map(\.attention) == [.notice, .alarm, .alarm])
        #expect(first.map(\.stage) == [.ahead, .ahead, .cleared])
        #expect(first.map(\.sequence) == [1, 2, 3])
        #expect(Set(first.map(\.id)).count == 1)
        #expect(first.last?.probability == 0)
    }

    @Test("A stage is published once for each attention at most, and no alarm becomes a notice again")
    func onceEach() throws {
        for (drawing, way) in [
            (try Drawing.sideStreet(), "az"), (try Drawing.sideStreet(), "aswvdcb"), (try Drawing.bridge(), "ajnmy"),
        ] {
            for messages in Dictionary(grouping: try dispatcher(drawing, way, every: 5).alertsAndNotices, by: \.id)
                .values
            {
                let said = messages.map { "\($0.attention) \($0.stage)" }
                #expect(Set(said).count == said.count, "\(said)")
                #expect(messages.map(\.sequence) == Array(1...messages.count))
                let alarms = messages.drop { $0.attention == .notice }
                #expect(alarms.allSatisfy { $0.attention == .alarm }, "\(said)")
            }
        }
    }

    @Test("Who is told to be clear of a bridge has no notice of it before coming nearer again")
    func afterCleared() throws {
        let drawing = try Drawing.bridge()
        // Away northwards, and back.
        let away = try dispatcher(drawing, "ajnq")
        #expect(away.alertsAndNotices.map(\.stage) == [.ahead, .detour, .cleared])
        let back = try dispatcher(drawing, "ajnmy")
        let end = try #require(back.alerts.last { $0.stage == .cleared })
        #expect(
            back.notices.allSatisfy { $0.time.since(end.time) >= 2 }, "\(back.alertsAndNotices.map(\.time.seconds))")
    }

    @Test("What is on the path is an alarm at once")
    func onThePath() throws {
        let dispatcher = try dispatcher(Drawing.bridge(), "az")
        #expect(dispatcher.alertsAndNotices.map(\.attention) == [.alarm, .alarm, .alarm, .alarm])
        #expect(dispatcher.alerts[0].probability > 0.3)
        #expect(dispatcher.alerts[3].probability == 1)
    }

    @Test("A notice ends three minutes after no way leads there any more, as a notice")
    func ends() throws {
        // Before the corner the truck turns off, to where no way leads back.
        let drawing = try Drawing(
            """
            a 0 0
            x 1000 0
            s 2000 0
            w 2500 0
            b 2000 -200
            c 2000 -230
            d 2000 -1500
            v 2500 -1500
            y 1000 9000
            z 9000 0
            axswz primary name=Main+Street
            sb residential name=Mill+Lane
            bc residential name=Mill+Lane maxheight=3.2
            cd residential name=Mill+Lane
            dvw residential name=South+Road
            xy residential name=North+Road
            """)
        let dispatcher = try dispatcher(drawing, "axy")
        #expect(dispatcher.alerts.isEmpty)
        #expect(dispatcher.notices.map(\.stage) == [.ahead, .cleared])
        #expect(dispatcher.notices.last?.reason == .leftPath)
        #expect(dispatcher.notices.allSatisfy { $0.certainty == .possible })
        // The turn-off is 993 m from the first fix, at 20 m/s.
        let end = try #require(dispatcher.notices.last?.time.seconds)
        #expect((229.0...231).contains(end))
        #expect(dispatcher.kept?.alerts.isEmpty == true)
    }

    @Test("Less probable ones than the operator wants are not shown; the alarms stay", arguments: [0.0, 1])
    func noticeProbability(least: Double) throws {
        let dispatcher = try dispatcher(Drawing.sideStreet(), "az") { $0.alerts.noticeProbability = least }
        #expect(dispatcher.notices.isEmpty == (least > 0))
        #expect(dispatcher.stages == [.ahead, .cleared])
    }

    @Test("What is reached by service roads is not shown, unless the operator wants it", arguments: [false, true])
    func serviceRoads(wanted: Bool) throws {
        let dispatcher = try dispatcher(Drawing.sideStreet("service"), "az") { $0.alerts.serviceRoads = wanted }
        #expect(dispatcher.notices.isEmpty != wanted)
    }

    @Test("A truck that has gone on from its stored state says nothing of its notices twice")
    func stored() throws {
        let drawing = try Drawing.sideStreet()
        let dispatcher = Dispatcher(drawing.network)
        for fix in Journey(line: try drawing.line("az"), every: 5).fixes.prefix(10) { dispatcher.fix(fix) }
        let kept = try #require(dispatcher.kept)
        let restored = try Vehicle(encoded: kept.encoded())
        #expect(restored.alerts.map(\.last) == dispatcher.notices)
        #expect(!dispatcher.notices.isEmpty)
    }
}
