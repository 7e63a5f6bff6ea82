import Clearances
import FleetTestSupport
import Geo
import Messages
import Testing

@testable import Fleet

/// Alerts and the age of the position that they rest on.
struct AlertAgeTests {
    /// Hears fixes so many seconds after they were taken, with a tick after each.
    private func hear(_ journey: Journey, late: Seconds, by dispatcher: Dispatcher) {
        for fix in journey.fixes {
            let now = fix.time.adding(late)
            dispatcher.hear([.report(.location([fix]), from: Dispatcher.truck, receivedAt: now), .tick(now.adding(1))])
        }
    }

    @Test(
        "A stream that comes later than a minute raises nothing, though deadlines of its own time fall due",
        arguments: [61.0, 90, 1_200], [nil, 412])
    func lateStream(late: Seconds, height: Int?) throws {
        let drawing = try Drawing.bridge()
        let dispatcher = Dispatcher(drawing.network, height: height)
        hear(Journey(line: try drawing.line("az")), late: late, by: dispatcher)
        #expect(dispatcher.log == [])
        #expect(dispatcher.states.contains { $0.blind.contains(.stalePosition) })
    }

    @Test("The same by straight line")
    func lateStreamWithoutRoads() throws {
        let dispatcher = Dispatcher(nil)
        dispatcher.replace(
            nil, clearances: [PointClearance(id: "survey-12", position: Drawing.place(5_000, 0), posted: "10'6\"")],
            at: -30)
        hear(Journey(line: [Drawing.place(0, 0), Drawing.place(7_000, 0)]), late: 1_200, by: dispatcher)
        #expect(dispatcher.log == [])
    }

    @Test(
        "A height that runs out raises an alert, timed as it ran out, if the position is new when that is found",
        arguments: [(121.0, true), (169, true), (170, false), (171, false)])
    func overdueDeadline(found: Seconds, isRaised: Bool) throws {
        let drawing = try Drawing.bridge()
        let dispatcher = Dispatcher(drawing.network, height: nil)
        dispatcher.tell(.profile(HeightProfile(height: 300, validFor: 100)), at: 20)
        for fix in Journey(line: try drawing.line("az")).fixes where fix.time <= .at(110) { dispatcher.fix(fix) }
        dispatcher.tick(found)
        #expect(dispatcher.log == (isRaised ? ["120 ahead"] : []))
    }

    @Test("A change that comes late, after an outage, leads to the same alerts as in time", arguments: 0..<3)
    func lateChange(kind: Int) throws {
        let drawing = try Drawing.bridge()
        let low = PointClearance(id: "survey-12", position: Drawing.place(4_600, 0), posted: "10'")
        func change(_ now: Timestamp) -> Input {
            switch kind {
            case 0: .clearances([ClearanceChange(id: low.id, clearance: low)], at: now)
            case 1: .report(.route(.waypoints([Drawing.place(6_000, 2_000)])), from: Dispatcher.truck, receivedAt: now)
            default:
                .report(
                    .profile(HeightProfile(height: 412, source: "dispatch")), from: Dispatcher.truck, receivedAt: now)
            }
        }
        let fixes = Journey(line: try drawing.line("ajnq"), every: 2).fixes
        /// What is said where the change comes behind so many fixes, and from there on all comes so late.
        func heard(_ count: Int, late: Seconds) -> [String] {
            let dispatcher = Dispatcher(drawing.network)
            fixes.prefix(count).forEach(dispatcher.fix)
            dispatcher.hear([.backlog(at: fixes[count].time.adding(late)), change(fixes[count].time.adding(late))])
            for fix in fixes.dropFirst(count) {
                let now = fix.time.adding(late)
                dispatcher.hear([.backlog(at: now), .report(.location([fix]), from: Dispatcher.truck, receivedAt: now)])
            }
            return dispatcher.alertsAndNotices.map { "\($0.id) \($0.sequence) \($0.stage)" }
        }
        for count in stride(from: 1, to: fixes.count, by: 3) {
            let inTime = heard(count, late: 0)
            #expect(!inTime.isEmpty)
            #expect(heard(count, late: 45) == inTime, "\(count)")
        }
    }

    /// A truck that was told to turn off and drives on through a dead zone, from before the last turn-off to behind the bridge.
    private func driveUnheard(every: Seconds = 10) throws -> (dispatcher: Dispatcher, unheard: [Fix], rest: [Fix]) {
        let drawing = try Drawing.bridge()
        let dispatcher = Dispatcher(drawing.network)
        let fixes = Journey(line: try drawing.line("az"), speed: 10, every: every).fixes
        for fix in fixes where fix.time < .at(400) { dispatcher.fix(fix) }
        #expect(dispatcher.stages == [.ahead, .detour])
        let unheard = fixes.filter { $0.time >= .at(400) && $0.time <= .at(550) }
        return (dispatcher, unheard, fixes.filter { $0.time > .at(550) })
    }

    @Test("Who is seen to have gone under by fixes that come late has passed, as of the first fix that does not")
    func latePass() throws {
        let (dispatcher, unheard, rest) = try driveUnheard()
        dispatcher.tell(.location(unheard), at: 550.5)
        #expect(dispatcher.log.suffix(1) == ["500 passed"])
        for fix in rest { dispatcher.fix(fix) }
        #expect(dispatcher.stages == [.ahead, .detour, .passed])
    }

    @Test(
        "The same where no other fix comes: once its position is stale, or with ten minutes of silence",
        arguments: [(10.0, 550), (30, 1_080)])
    func latePassAndSilence(every: Seconds, end: Int) throws {
        let (dispatcher, unheard, _) = try driveUnheard(every: every)
        let late = unheard.filter { $0.time < .at(500) }
        dispatcher.tell(.location(late), at: 560)
        #expect(dispatcher.stages == [.ahead, .detour])
        dispatcher.tick(1_200)
        #expect(dispatcher.log.suffix(1) == ["\(end) passed"])
    }

    @Test("No stage bears an earlier time than the stage before it")
    func timesRise() throws {
        let drawing = try Drawing.bridge()
        let dispatcher = Dispatcher(drawing.network, height: 300)
        let fixes = Journey(line: try drawing.line("az")).fixes
        for fix in fixes {
            // A network that holds fixes up for 25 s; the truck gets its trailer meanwhile.
            let now = fix.time.adding(25)
            dispatcher.hear([.report(.location([fix]), from: Dispatcher.truck, receivedAt: now)])
            if fix == fixes[17] {
                dispatcher.hear([
                    .report(.profile(HeightProfile(height: 412)), from: Dispatcher.truck, receivedAt: now.adding(1))
                ])
            }
        }
        #expect(dispatcher.stages.count >= 3)
        let times = dispatcher.alerts.map(\.time)
        #expect(times == times.sorted())
        #expect(dispatcher.alerts.allSatisfy { $0.expiresAt >= $0.time.adding(600) })
    }
}
