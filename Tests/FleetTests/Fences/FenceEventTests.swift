import FleetTestSupport
import Geo
import Messages
import Testing

@testable import Fleet

/// What a dispatcher hears of vehicles at fences.
struct FenceEventTests {
    private func dispatcher(_ fences: [Fence] = [Yard.fence], _ change: (inout EngineSettings) -> Void = { _ in })
        -> Dispatcher
    {
        var settings = EngineSettings()
        change(&settings)
        return Dispatcher(nil, settings: settings, fences: fences)
    }

    private func drive(_ dispatcher: Dispatcher, _ fixes: [Fix], tickTo end: Seconds? = nil) {
        for fix in fixes { dispatcher.fix(fix) }
        if let end { dispatcher.tick(end) }
    }

    @Test("The first fix says on which side the vehicle is, and never enters", arguments: [true, false])
    func determined(isInside: Bool) throws {
        let dispatcher = dispatcher { $0.determined = .all }
        drive(dispatcher, [Yard.fix(isInside ? 200 : -500, at: 0)], tickTo: 20)
        let event = try #require(dispatcher.events.first)
        #expect(dispatcher.events.count == 1)
        #expect(event.event == .determined)
        #expect(event.state == (isInside ? .inside : .outside))
        #expect(event.crossedAt == .at(0) && event.time == .at(0) && !event.isInterpolated)
        #expect(dispatcher.states.last?.fences.map(\.fence) == (isInside ? ["yard"] : []))
    }

    @Test("In and out: times and places of the crossings lie between fixes, leaving takes 20 s")
    func throughTheYard() throws {
        let dispatcher = dispatcher()
        drive(dispatcher, Yard.drive(from: -305, to: 1000), tickTo: 300)
        #expect(dispatcher.fenceLog == ["31 enter yard", "71 exit yard"])
        let (enter, exit) = (dispatcher.events[0], dispatcher.events[1])
        #expect(enter.isInterpolated && !enter.isThrough && enter.state == .inside)
        #expect((enter.crossedAt.seconds - 30.5).magnitude < 0.05)
        #expect(enter.position.distance(to: Yard.place(0, 200)) < 0.5)
        #expect((exit.crossedAt.seconds - 70.5).magnitude < 0.05)
        #expect(exit.time.since(exit.crossedAt) >= 20)
    }

    @Test("Passed at 25 m/s between fixes 30 s apart: enter and exit, within a second")
    func through() throws {
        let dispatcher = dispatcher()
        drive(dispatcher, Yard.drive(from: -1000, to: 1250, speed: 25, every: 30), tickTo: 300)
        #expect(dispatcher.fenceLog == ["40 enter yard", "56 exit yard"])
        #expect(dispatcher.events.allSatisfy { $0.isThrough && $0.isInterpolated })
        #expect(dispatcher.states.allSatisfy { $0.fences.isEmpty })
    }

    @Test("Fixes farther apart than the gap are not joined")
    func gap() {
        let dispatcher = dispatcher()
        drive(dispatcher, [Yard.fix(-500, at: 0), Yard.fix(900, at: 301)], tickTo: 400)
        #expect(dispatcher.fenceLog == [])
        drive(dispatcher, [Yard.fix(200, at: 700)], tickTo: 800)
        #expect(dispatcher.fenceLog.last == "700 enter yard")
        #expect(dispatcher.events.last?.isInterpolated == false)
    }

    @Test("Who leaves and goes silent has left after the time of hysteresis")
    func silentExit() throws {
        let dispatcher = dispatcher()
        drive(dispatcher, Yard.drive(from: 200, to: 500))
        dispatcher.tick(49.9)
        #expect(dispatcher.events.count == 1)
        dispatcher.tick(60)
        let exit = try #require(dispatcher.events.last)
        #expect(exit.event == .exit && (exit.crossedAt.seconds - 20).magnitude < 0.05)
        // First beyond the band of 5 m at 21 s.
        #expect(exit.time == .at(41))
    }

    @Test("Who comes back within the time of hysteresis has not left")
    func comesBack() {
        let dispatcher = dispatcher()
        let out = Yard.drive(from: 200, to: 500)
        let back = (1...20).map { Yard.fix(500 - Double($0) * 15, at: 30 + Double($0)) }
        drive(dispatcher, out + back, tickTo: 200)
        #expect(dispatcher.fenceLog == ["0 determined yard"])
    }

    @Test("Inside for so long: dwell, timed by its deadline, once; not for who may have left")
    func dwell() throws {
        let dispatcher = dispatcher([Yard.fence("yard") { $0.dwell = 300 }])
        drive(dispatcher, Yard.drive(from: -300, to: 200), tickTo: 339)
        #expect(dispatcher.fenceLog == ["30 enter yard"])
        dispatcher.tick(343)
        #expect(dispatcher.fenceLog.last == "330 dwell yard")
        #expect(dispatcher.events.last?.time == .at(330))
        dispatcher.tick(2000)
        #expect(dispatcher.events.count == 2)
    }

    @Test("A fence that is new, changed or back is determined anew; the same again changes nothing")
    func known() {
        let dispatcher = dispatcher()
        drive(dispatcher, [Yard.fix(200, at: 0)], tickTo: 13)
        let bigger = Yard.circle("yard", 200, 200, radius: 300)
        for (time, fence) in [(20.0, Yard.fence), (40, bigger), (60, bigger)] {
            dispatcher.hear([.fences([FenceChange(id: "yard", fence: fence)], at: .at(time))])
            drive(dispatcher, [Yard.fix(200, at: time + 1)], tickTo: time + 13)
        }
        #expect(dispatcher.fenceLog == ["0 determined yard", "41 determined yard"])
        #expect(dispatcher.registrations.map(\.outcome) == [.monitoring(note: nil), .monitoring(note: nil)])
    }

    @Test("A fence that is removed ends its state, at once and without an exit")
    func removed() {
        let dispatcher = dispatcher([])
        dispatcher.hear([.fences([FenceChange(id: "yard", fence: Yard.fence)], at: .at(-5))])
        drive(dispatcher, [Yard.fix(200, at: 0)], tickTo: 13)
        #expect(dispatcher.states.last?.fences == [FenceStay(fence: "yard", since: .at(0))])
        dispatcher.hear([.fences([FenceChange(id: "yard", fence: nil)], at: .at(15))])
        #expect(dispatcher.states.last?.fences == [])
        drive(dispatcher, [Yard.fix(900, at: 100)], tickTo: 200)
        #expect(dispatcher.fenceLog == ["0 determined yard"])
    }

    @Test("A fence is for its groups and vehicles; who joins a group hears of its fences, who leaves it no more")
    func groups() {
        let dispatcher = dispatcher([
            Yard.fence("for-all"), Yard.fence("for-north") { $0.groups = ["north"] },
            Yard.fence("for-t42") { $0.vehicles = [VehicleID("T42")!] },
            Yard.fence("for-t43") { $0.vehicles = [VehicleID("T43")!] },
        ])
        drive(dispatcher, [Yard.fix(200, at: 0)], tickTo: 13)
        #expect(dispatcher.fenceLog == ["0 determined for-all", "0 determined for-t42"])
        dispatcher.tell(.profile(HeightProfile(height: 400, groups: ["north"])), at: 15)
        drive(dispatcher, [Yard.fix(200, at: 20)], tickTo: 33)
        #expect(dispatcher.fenceLog.last == "20 determined for-north")
        dispatcher.tell(.profile(HeightProfile(height: 400)), at: 35)
        drive(dispatcher, [Yard.fix(200, at: 40)], tickTo: 53)
        #expect(dispatcher.events.count == 3)
        #expect(dispatcher.states.last?.fences.map(\.fence) == ["for-all", "for-t42"])
    }

    @Test("A device woken by its own region confirms it, though the fix alone would not")
    func woken() {
        let dispatcher = dispatcher()
        drive(dispatcher, [Yard.fix(-100, at: 0), Yard.fix(3, at: 10, trigger: .enter, region: "yard")], tickTo: 23)
        #expect(dispatcher.fenceLog == ["10 enter yard"])
        drive(dispatcher, [Yard.fix(-3, at: 60, trigger: .exit, region: "yard")], tickTo: 73)
        #expect(dispatcher.events.last?.event == .exit)
        #expect(dispatcher.events.last?.time == .at(60))
    }
}
