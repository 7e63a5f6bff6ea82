import FleetTestSupport
import Geo
import Messages
import Testing

@testable import Fleet

/// Of which fences a vehicle hears on which side it is, once it or the fence becomes known, and what follows from silence.
struct FenceDeterminedTests {
    private static let named = Yard.fence("named") { $0.vehicles = [VehicleID("T42")!] }

    private func dispatcher(_ fences: [Fence], _ determined: EngineSettings.Determined = .inside) -> Dispatcher {
        var settings = EngineSettings()
        settings.determined = determined
        return Dispatcher(nil, settings: settings, fences: fences)
    }

    private func put(_ fence: Fence, _ dispatcher: Dispatcher, at seconds: Seconds) {
        dispatcher.hear([.fences([FenceChange(id: fence.id, fence: fence)], at: .at(seconds))])
    }

    @Test(
        "Inside is told always, outside of fences that name the vehicle, and of all where that is wanted",
        arguments: [
            (200.0, EngineSettings.Determined.inside, ["inside all", "inside group", "inside named"]),
            (-500, .inside, ["outside named"]), (-500, .all, ["outside all", "outside group", "outside named"]),
            (200, .all, ["inside all", "inside group", "inside named"]),
        ])
    func told(east: Metres, determined: EngineSettings.Determined, expected: [String]) {
        let fences = [
            Yard.fence("all"), Yard.fence("group") { $0.groups = ["north"] }, Self.named,
            Yard.fence("other") { $0.vehicles = [VehicleID("T43")!] },
        ]
        let dispatcher = dispatcher(fences, determined)
        dispatcher.tell(.profile(HeightProfile(height: 412, groups: ["north"])), at: -30)
        dispatcher.fix(Yard.fix(east, at: 0))
        dispatcher.tick(15)
        #expect(dispatcher.events.map { "\($0.state.rawValue) \($0.fence)" } == expected)
        #expect(dispatcher.events.allSatisfy { $0.event == .determined })
    }

    @Test("Outside of all at the first fix, in at a later one: enter, though nothing was said before")
    func comesIn() {
        let dispatcher = dispatcher([Yard.fence])
        for fix in Yard.drive(from: -305, to: 200) { dispatcher.fix(fix) }
        dispatcher.tick(100)
        #expect(dispatcher.fenceLog == ["31 enter yard"])
    }

    @Test("A fence that is made round a moving vehicle is not entered, one before it is", arguments: 1...40)
    func madeOnTheWay(second: Int) {
        let dispatcher = dispatcher([])
        for fix in Yard.drive(from: -205, to: 1000) {
            if fix.time == .at(Seconds(second)) { put(Yard.fence, dispatcher, at: Seconds(second) - 0.5) }
            dispatcher.fix(fix)
        }
        dispatcher.tick(300)
        // Fixes wait for ten seconds, so that a fence is known to all that were taken as long before.
        let isBefore = second <= 30
        #expect(dispatcher.events.first?.event == (isBefore ? .enter : .determined), "\(dispatcher.fenceLog)")
        #expect(dispatcher.events.map(\.event).dropFirst() == [.exit])
        #expect(dispatcher.events.first?.state == .inside)
    }

    @Test("One that names the vehicle and comes into force later is told on its side then, others only inside")
    func opening() {
        func opening(_ fence: Fence) -> Fence {
            var fence = fence
            fence.validFrom = .at(100)
            return fence
        }
        let far = Yard.circle("far", 50_000, 0, radius: 100)
        for (east, expected) in [
            (200.0, ["100 determined named", "100 determined yard"]), (-500, ["100 determined named"]),
        ] {
            let dispatcher = dispatcher([opening(Yard.fence), opening(Self.named), opening(far)])
            dispatcher.fix(Yard.fix(east, at: 0))
            dispatcher.tick(320)
            #expect(dispatcher.fenceLog == expected)
        }
    }

    @Test("A timed fence that is made before the last fix of a vehicle in it was followed wakes it at its hour")
    func madeForLater() {
        let dispatcher = dispatcher([])
        dispatcher.fix(Yard.fix(200, at: 0))
        dispatcher.tick(20)
        put(Yard.circle("once", 200, 200, radius: 10), dispatcher, at: 30)
        dispatcher.fix(Yard.fix(200, at: 40))
        put(Yard.fence { $0.validFrom = .at(5_000) }, dispatcher, at: 45)
        dispatcher.tick(65)
        while let due = dispatcher.engine.nextDeadline, due <= .at(6_000) { dispatcher.tick(due.seconds) }
        #expect(dispatcher.fenceLog == ["40 determined once", "5000 determined yard"])
    }

    @Test("However many fences there are elsewhere, a new vehicle hears of none of them, and its state says as of when")
    func many() throws {
        let fences = (0..<5_000).map { Yard.circle("f\($0)", 1_000 + Metres($0) * 300, 0, radius: 100) }
        let dispatcher = dispatcher(fences)
        dispatcher.fix(Yard.fix(0, 0, at: 0))
        dispatcher.tick(15)
        #expect(dispatcher.events.isEmpty)
        #expect(dispatcher.states.last?.fences == [])
        #expect(dispatcher.states.last?.fencesAsOf == .at(0))
    }
}

/// As of when the list of fences in a state is complete.
struct FencesAsOfTests {
    @Test("Nobody knows before the first fix has waited; then a state says so, once; later ones carry the newest")
    func begins() {
        let dispatcher = Dispatcher(nil, fences: [Yard.fence])
        for second in 0...130 { dispatcher.fix(Yard.fix(-2_000, at: Seconds(second))) }
        #expect(dispatcher.states.map { $0.fencesAsOf?.seconds } == [nil, nil, 0, 60, 120])
        #expect(dispatcher.states.map { $0.lastFix?.seconds } == [nil, 0, 10, 70, 130])
    }

    @Test("Where a border may have been crossed, nothing is settled since", arguments: [false, true])
    func evidence(isLeaving: Bool) throws {
        let dispatcher = Dispatcher(nil, fences: [Yard.fence])
        let (start, end) = isLeaving ? (200.0, 402.0) : (-202.0, 2.0)
        let drive = Yard.drive(from: start, to: end)
        let stand = (0..<60).map { Yard.fix(end + 2 * Metres($0 % 2), at: drive.last!.time.seconds + 1 + Seconds($0)) }
        for fix in drive + stand { dispatcher.fix(fix) }
        for (before, after) in zip(dispatcher.states, dispatcher.states.dropFirst()) {
            #expect((before.fencesAsOf ?? .distantPast) <= (after.fencesAsOf ?? .distantPast))
        }
        // What was said never turns out wrong: no event later tells of a crossing before.
        for event in dispatcher.events where event.event != .determined {
            let states = dispatcher.states.filter { $0.time <= event.time && !$0.fences.map(\.fence).contains("yard") }
            if event.event == .enter {
                #expect(states.allSatisfy { ($0.fencesAsOf ?? .distantPast) <= event.crossedAt })
            }
        }
    }

    @Test("A deadline moves it where all fences are known, not where one is new")
    func deadlines() {
        let dispatcher = Dispatcher(nil, fences: [Yard.fence("yard") { $0.dwell = 300 }])
        dispatcher.fix(Yard.fix(200, at: 0))
        dispatcher.tick(20)
        #expect(dispatcher.kept?.fences.asOf == .at(0))
        dispatcher.tick(330)
        #expect(dispatcher.kept?.fences.asOf == .at(300))
        let other = Yard.fence("other") { $0.validUntil = .at(500) }
        dispatcher.hear([.fences([FenceChange(id: "other", fence: other)], at: .at(340))])
        dispatcher.tick(600)
        #expect(dispatcher.kept?.fences.asOf == .at(300))
    }

    @Test("It outlives a restart")
    func kept() throws {
        let dispatcher = Dispatcher(nil, fences: [Yard.fence])
        dispatcher.fix(Yard.fix(200, at: 0))
        dispatcher.tick(20)
        let kept = try #require(dispatcher.kept)
        let read = try kept.roundTripped()
        #expect(read.fences.asOf == .at(0) && read.published?.fencesAsOf == .at(0))
    }

    @Test(
        "A fence of a group that the vehicle has left is none that it is inside of; back in it, that is determined anew"
    )
    func otherGroup() {
        let dispatcher = Dispatcher(nil, fences: [Yard.fence { $0.groups = ["north"] }, Yard.fence("all")])
        func join(_ group: String, at seconds: Seconds) {
            dispatcher.tell(.profile(HeightProfile(height: 412, groups: [group])), at: seconds)
        }
        join("north", at: -30)
        dispatcher.fix(Yard.fix(200, at: 0))
        dispatcher.tick(20)
        #expect(dispatcher.states.last?.fences.map(\.fence) == ["all", "yard"])
        join("south", at: 30)
        #expect(dispatcher.states.last?.fences.map(\.fence) == ["all"])
        join("north", at: 40)
        dispatcher.fix(Yard.fix(200, at: 50))
        dispatcher.tick(80)
        #expect(dispatcher.fenceLog == ["0 determined all", "0 determined yard", "50 determined yard"])
    }
}
