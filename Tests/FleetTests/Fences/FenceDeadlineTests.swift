import FleetTestSupport
import Geo
import Hashing
import Messages
import Testing

@testable import Fleet

/// What happens at fences without a fix, timed by when it fell due. All timelines begin on Saturday at 09:00 in Detroit.
struct FenceDeadlineTests {
    private let hour: Seconds = 3600

    private func drive(_ fences: [Fence], _ fixes: [Fix], tickTo end: Seconds) -> Dispatcher {
        let dispatcher = Dispatcher(nil, fences: fences)
        for fix in fixes { dispatcher.fix(fix) }
        dispatcher.tick(end)
        return dispatcher
    }

    @Test("A dwell shorter than the time of hysteresis: in, dwell, out", arguments: [1.0, 10, 30])
    func shortDwell(every: Seconds) {
        let fence = Yard.fence("yard") { $0.dwell = 5 }
        let dispatcher = drive([fence], Yard.drive(from: -300, to: 1200, every: every), tickTo: 400)
        #expect(dispatcher.fenceLog == ["30 enter yard", "35 dwell yard", "70 exit yard"])
        #expect(dispatcher.events[1].time == .at(35))
    }

    @Test("A dwell between two fixes that lie on both sides of a fence")
    func dwellThrough() {
        for (dwell, expected) in [
            (39.0, ["30 enter yard", "69 dwell yard", "70 exit yard"]), (41, ["30 enter yard", "70 exit yard"]),
        ] {
            let fence = Yard.fence("yard") { $0.dwell = dwell }
            let dispatcher = drive([fence], Yard.drive(from: -300, to: 1200, every: 100), tickTo: 400)
            #expect(dispatcher.fenceLog == expected)
        }
    }

    @Test("Who ticks at the engine's deadlines alone hears what a tick every second hears")
    func nextDeadline() {
        let fence = Yard.fence("yard") { $0.dwell = 45 }
        let fixes = Yard.drive(from: -300, to: 400, every: 10)
        let live = Dispatcher(nil, height: nil, fences: [fence])
        let replayed = Dispatcher(nil, height: nil, fences: [fence])
        var ticks = 0
        for (fix, end) in zip(fixes, fixes.dropFirst().map(\.time.seconds) + [3_000]) {
            live.fix(fix)
            for second in stride(from: fix.time.seconds, through: end, by: 1) { live.tick(second) }
            replayed.fix(fix)
            while let due = replayed.engine.nextDeadline, due <= .at(end) {
                replayed.tick(due.seconds)
                ticks += 1
            }
        }
        #expect(live.fenceLog == replayed.fenceLog)
        #expect(live.fenceLog.last?.contains("dwell") == true)
        #expect(live.envelopes.count == replayed.envelopes.count)
        #expect(ticks < 300)
    }

    @Test("Out before the dwell was over, though it only shows later: no dwell")
    func leftBefore() {
        let fence = Yard.fence("yard") { $0.dwell = 45 }
        #expect(drive([fence], Yard.drive(from: -300, to: 1200), tickTo: 400).fenceLog.last == "70 exit yard")
        #expect(drive([fence], Yard.drive(from: -300, to: 1200), tickTo: 400).events.count == 2)
    }

    @Test("A dwell that fell due while a fix said outside is told once that proved wrong, timed as it was due")
    func doubtfulDwell() {
        let fence = Yard.fence("yard") { $0.dwell = 100 }
        let inside = stride(from: 0.0, through: 90, by: 2).map { Yard.fix(390, at: $0) }
        let evidence = stride(from: 92.0, through: 104, by: 2).map { Yard.fix(403, at: $0) }
        let back = stride(from: 106.0, through: 160, by: 2).map { Yard.fix(390, at: $0) }
        let dispatcher = drive([fence], inside + evidence + back, tickTo: 200)
        #expect(dispatcher.fenceLog == ["0 determined yard", "100 dwell yard"])
        #expect(dispatcher.events.last?.time == .at(100))
    }

    @Test("A late dwell takes nothing back that came into force since")
    func lateDwell() {
        let fences = [
            Yard.fence("dwelt") { $0.dwell = 100 }, Yard.circle("opened", 390, 200, radius: 300).from(.at(103)),
        ]
        let inside = stride(from: 0.0, through: 90, by: 2).map { Yard.fix(390, at: $0) }
        let evidence = stride(from: 92.0, through: 110, by: 2).map { Yard.fix(403, at: $0) }
        let back = stride(from: 112.0, through: 160, by: 2).map { Yard.fix(390, at: $0) }
        let dispatcher = drive(fences, inside + evidence + back, tickTo: 200)
        #expect(dispatcher.fenceLog == ["0 determined dwelt", "103 determined opened", "100 dwell dwelt"])
        #expect(dispatcher.states.last?.fences.map(\.fence) == ["dwelt", "opened"])
    }

    @Test("A fence that was changed while a truck is inside: its dwell counts from when that was determined")
    func changedInside() {
        let dispatcher = Dispatcher(nil, fences: [])
        let fence = Yard.fence("yard") { $0.dwell = 300 }
        dispatcher.hear([.fences([FenceChange(id: "yard", fence: fence)], at: .at(-10))])
        dispatcher.fix(Yard.fix(200, at: 0))
        dispatcher.tick(20)
        var longer = fence
        longer.dwell = 200
        dispatcher.hear([.fences([FenceChange(id: "yard", fence: longer)], at: .at(100))])
        #expect(dispatcher.states.last?.fences == [])
        dispatcher.fix(Yard.fix(200, at: 150))
        dispatcher.tick(1000)
        #expect(dispatcher.fenceLog == ["0 determined yard", "150 determined yard", "350 dwell yard"])
    }

    @Test("Hours that begin while a vehicle is at the border of another fence in doubt: each as without the other")
    func beginsInDoubt() {
        let opening = Yard.circle("opening", 400, 200, radius: 300).from(.at(60))
        let drive = Yard.drive(from: 0, to: 400, at: 0)
        let stand = (41...160).map { Yard.fix(402, at: Seconds($0)) }
        let fixes = drive + stand
        let alone = self.drive([Yard.fence], fixes, tickTo: 400).events
        let both = self.drive([Yard.fence, opening], fixes, tickTo: 400)
        #expect(both.events.filter { $0.fence == "yard" } == alone)
        #expect(both.events.filter { $0.fence == "opening" }.map(\.crossedAt) == [.at(60)])
    }

    @Test("Hours that end while an exit is under way end the state without it")
    func endsInDoubt() throws {
        let fence = Yard.fence("yard") { $0.validUntil = .at(30) }
        let dispatcher = drive([fence], Yard.drive(from: 200, to: 500), tickTo: 200)
        #expect(dispatcher.fenceLog == ["0 determined yard"])
        #expect(dispatcher.states.last?.fences == [])
    }

    @Test("Two silent days in one tick: every event of daily hours, timed by its deadline, in order")
    func twoDays() throws {
        let hours = try WeeklyHours(zone: "America/Detroit", week: "10:00-12:00")
        let fence = Yard.fence("yard") { ($0.hours, $0.dwell) = (hours, 1800) }
        let stepwise = Dispatcher(nil, fences: [fence, Yard.circle("other", 200, 200, radius: 50).dwelling(7200)])
        let atOnce = Dispatcher(nil, fences: [fence, Yard.circle("other", 200, 200, radius: 50).dwelling(7200)])
        for dispatcher in [stepwise, atOnce] { dispatcher.fix(Yard.fix(200, at: 0)) }
        for minute in 1...2880 { stepwise.tick(Seconds(minute) * 60) }
        atOnce.tick(48 * hour)
        #expect(atOnce.envelopes == stepwise.envelopes)
        let times = [1, 1.5, 25, 25.5].map { (hours: Double) in Int(hours * hour) }
        let log = [
            "0 determined other", "\(times[0]) determined yard", "\(times[1]) dwell yard", "7200 dwell other",
            "\(times[2]) determined yard", "\(times[3]) dwell yard",
        ]
        #expect(atOnce.fenceLog == log)
        #expect(atOnce.events.allSatisfy { $0.time == $0.crossedAt })
        #expect(atOnce.states.map(\.time) == atOnce.states.map(\.time).sorted())
    }

    @Test("Two deadlines at one moment: both, by fence")
    func together() {
        let fences = ["b", "a"].map { id in Yard.fence(id) { $0.dwell = 300 } } + [Yard.fence("c").from(.at(300))]
        let dispatcher = drive(fences, [Yard.fix(200, at: 0)], tickTo: 400)
        #expect(
            dispatcher.fenceLog == [
                "0 determined a", "0 determined b", "300 dwell a", "300 dwell b", "300 determined c",
            ])
        #expect(dispatcher.states.count { $0.time > .at(20) && $0.fences.count == 3 } >= 1)
    }

    // MARK: Leaving, by sparse fixes

    /// Its southern border goes eastwards, at 0 m north.
    private static let field: Fence = {
        let corners = [(-1_000.0, 0.0), (20_000, 0), (20_000, 2_000), (-1_000, 2_000)]
        return Fence(id: "field", shape: .polygons([Polygon(outer: corners.map { Yard.place($0.0, $0.1) })]))
    }()

    /// Along that border at 10 m/s, 60 m inside; from the eighth interval on some fixes lie so far outside.
    private func along(every interval: Seconds, outside: [Metres]) -> [Fix] {
        (0...14).map { index in
            let north = outside.indices.contains(index - 8) ? -outside[index - 8] : 60
            return Yard.fix(10 * interval * Metres(index), north, at: interval * Seconds(index))
        }
    }

    @Test(
        "By its way outside for less than the time of hysteresis: no exit, however often the device reports",
        arguments: [(10.0, [20.0, 20]), (20, [40]), (30, [20]), (60, [10])] as [(Seconds, [Metres])])
    func shortExcursion(every: Seconds, outside: [Metres]) {
        let dispatcher = drive([Self.field], along(every: every, outside: outside), tickTo: 2_000)
        #expect(dispatcher.fenceLog == ["0 determined field"])
    }

    @Test("By its way outside for longer: an exit and an enter, the exit timed as the time of hysteresis was over")
    func longExcursion() {
        let dispatcher = drive([Self.field], along(every: 30, outside: [40]), tickTo: 2_000)
        #expect(dispatcher.fenceLog == ["0 determined field", "228 exit field", "252 enter field"])
        #expect(dispatcher.events.map(\.time) == [.at(0), .at(260), .at(270)])
    }

    @Test("Outside for long, and then beside the border: it has left")
    func staysBeside() {
        let dispatcher = drive([Self.field], along(every: 30, outside: [40, 2, 2, 2, 2, 2, 2]), tickTo: 430)
        #expect(dispatcher.fenceLog == ["0 determined field", "228 exit field"])
    }

    @Test(
        "Outside and silent: an exit, after the interval in which the device reports, or a minute if that is longer",
        arguments: [(10.0, 76, 100.0), (30, 228, 277.5), (120, 912, 1_035)] as [(Seconds, Int, Seconds)])
    func silentOutside(every: Seconds, crossing: Int, due: Seconds) {
        let dispatcher = drive([Self.field], Array(along(every: every, outside: [40]).prefix(9)), tickTo: due + 9)
        #expect(dispatcher.fenceLog == ["0 determined field"])
        dispatcher.tick(due + 12)
        #expect(dispatcher.fenceLog == ["0 determined field", "\(crossing) exit field"])
        #expect(dispatcher.events.last?.time == .at(every * 8 + 20))
    }

    @Test("Certain before the fence goes out of force: an exit, though the next fix would come after that")
    func certainBeforeTheEnd() {
        var field = Self.field
        field.validUntil = .at(270)
        let dispatcher = drive([field], Array(along(every: 30, outside: [40]).prefix(9)), tickTo: 300)
        #expect(dispatcher.fenceLog == ["0 determined field", "228 exit field"])
    }

    @Test(
        "Sparse fixes up to 9.9 s late, or as one upload: the same events", arguments: [10.0, 20, 30, 60] as [Seconds],
        1...4 as ClosedRange<UInt64>)
    func lateFixes(every: Seconds, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for outside in [[20.0], [40], [20, 20], [40, 40, 40], [40, 2]] {
            let fixes = along(every: every, outside: outside)
            let end = every * 14
            let upload = Dispatcher(nil, fences: [Self.field])
            upload.tell(.location(fixes), at: end)
            upload.tick(end + 400)
            let live = Dispatcher(nil, fences: [Self.field])
            let late = fixes.map { (fix: $0, at: $0.time.seconds + 9.9 * random.fraction()) }
            var now: Seconds = 0
            for (fix, time) in late.sorted(by: { $0.at < $1.at }) {
                for second in stride(from: now, to: time, by: 1) { live.tick(second) }
                live.tell(.location([fix]), at: time)
                now = time
            }
            live.tick(end + 400)
            #expect(live.events == upload.events, "\(outside)")
        }
    }

    @Test("Deadlines of two vehicles do not disturb each other")
    func vehicles() {
        let engine = Engine(EngineSettings(), network: nil, fences: [Yard.fence("yard") { $0.dwell = 300 }])
        let trucks = ["A", "B"].map { VehicleAddress(vehicle: VehicleID($0)!) }
        var envelopes: [Envelope] = []
        for (index, truck) in trucks.enumerated() {
            let fix = Yard.fix(200, at: Seconds(index) * 50)
            envelopes += engine.handle([.report(.location([fix]), from: truck, receivedAt: fix.time)]).envelopes
        }
        envelopes += engine.handle([.tick(.at(1000))]).envelopes
        let dwells = envelopes.compactMap { envelope -> String? in
            guard case .event(let event) = envelope.message, event.event == .dwell else { return nil }
            return "\(envelope.address.vehicle) \(Int(event.time.seconds))"
        }
        #expect(dwells == ["A 300", "B 350"])
    }
}

extension Fence {
    fileprivate func from(_ time: Timestamp) -> Fence {
        var fence = self
        fence.validFrom = time
        return fence
    }

    fileprivate func dwelling(_ duration: Seconds) -> Fence {
        var fence = self
        fence.dwell = duration
        return fence
    }
}
