import FleetTestSupport
import Geo
import Messages
import Testing

@testable import Fleet

/// Fences that come into force in a silence whose fixes come later.
struct FenceHoursLateTests {
    @Test("Fixes that come after the last one has told do not tell again", arguments: [-600.0, 200])
    func lateFixes(east: Metres) {
        let fence = Yard.fence { ($0.validFrom, $0.vehicles) = (.at(400), [VehicleID("T42")!]) }
        let dispatcher = Dispatcher(nil, fences: [fence])
        dispatcher.fix(Yard.fix(east, at: 0))
        dispatcher.tick(420)
        dispatcher.tell(.location([200.0, 250].map { Yard.fix(east + 20, at: $0) }), at: 421)
        dispatcher.tick(440)
        for seconds in [450.0, 460, 470] { dispatcher.fix(Yard.fix(east + 20, at: seconds)) }
        dispatcher.tick(1_000)
        #expect(dispatcher.rejections.isEmpty)
        #expect(dispatcher.fenceLog == ["400 determined yard"])
        #expect(dispatcher.events.first?.state == (east < 0 ? .outside : .inside))
    }

    /// All fixes but the first come after a silence, as one upload; and the same fixes each as it is taken.
    private func outage(_ fixes: [Fix], _ change: (inout Fence) -> Void) -> (late: Dispatcher, inTime: Dispatcher) {
        let yard = Yard.fence(change)
        let late = Dispatcher(nil, fences: [yard])
        let inTime = Dispatcher(nil, fences: [yard])
        late.fix(fixes[0])
        late.tick(460)
        late.tell(.location(Array(fixes.dropFirst())), at: 461)
        for fix in fixes { inTime.fix(fix) }
        for dispatcher in [late, inTime] { dispatcher.tick(1_000) }
        #expect(late.rejections.isEmpty)
        return (late, inTime)
    }

    @Test(
        "Fixes that come late and show the other side of a fence that came into force: determined again, no enter, no exit",
        arguments: [-600.0, 200], [400.0, 420])
    func otherSide(first: Metres, opening: Seconds) {
        let others = stride(from: 200.0, through: 450, by: 50).map { Yard.fix(first < 0 ? 200 : -600, at: $0) }
        let fixes = [Yard.fix(first, at: 0)] + others
        let (told, right) = first < 0 ? ("outside", "inside") : ("inside", "outside")
        let time = Int(opening)
        // Who is not told of outside hears what it would have heard in time.
        let plain = outage(fixes) { $0.validFrom = .at(opening) }
        if first < 0 {
            #expect(plain.late.events == plain.inTime.events)
            #expect(plain.late.events.sideLog == ["\(time) determined inside"])
        } else {
            #expect(plain.late.events.sideLog == ["\(time) determined inside", "\(time) determined outside"])
            #expect(plain.inTime.events == [])
        }
        let named = outage(fixes) { ($0.validFrom, $0.vehicles) = (.at(opening), [VehicleID("T42")!]) }
        #expect(named.inTime.events.sideLog == ["\(time) determined \(right)"])
        #expect(named.late.events.sideLog == ["\(time) determined \(told)", "\(time) determined \(right)"])
        #expect(Set(named.late.events.map(\.id)).count == 2)
        let stays = right == "inside" ? [FenceStay(fence: "yard", since: .at(opening))] : []
        for dispatcher in [plain.late, named.late] { #expect(dispatcher.kept?.fences.stays == stays) }
    }

    @Test("A vehicle that was outside as a fence came into force, and entered it in the silence, enters it")
    func enteredInSilence() {
        let before = [0.0, 200].map { Yard.fix(-600, at: $0) }
        let fixes = before + Yard.drive(from: -252, to: 200, every: 5, at: 390)
        let (late, inTime) = outage(fixes) { $0.validFrom = .at(400) }
        #expect(late.events == inTime.events)
        #expect(late.fenceLog == ["415 enter yard"])
    }

    @Test("A late fix that is the last before a fence came into force tells, where the next comes after the gap")
    func lastBefore() {
        let dispatcher = Dispatcher(nil, fences: [Yard.fence { $0.validFrom = .at(400) }])
        dispatcher.fix(Yard.fix(-600, at: 0))
        dispatcher.tick(460)
        dispatcher.tell(.location([Yard.fix(200, at: 390)]), at: 461)
        dispatcher.tick(790)
        #expect(dispatcher.events == [])
        for seconds in [800.0, 810, 820] { dispatcher.fix(Yard.fix(200, at: seconds)) }
        dispatcher.tick(1_000)
        #expect(dispatcher.fenceLog == ["400 determined yard"])
        #expect(dispatcher.events.first?.state == .inside)
    }

    @Test("Determined as outside by late fixes: a dwell that was told meanwhile is taken back")
    func retractedDwell() {
        let others = stride(from: 200.0, through: 450, by: 50).map { Yard.fix(-600, at: $0) }
        let (late, _) = outage([Yard.fix(200, at: 0)] + others) { ($0.validFrom, $0.dwell) = (.at(400), 30) }
        #expect(late.events.sideLog == ["400 determined inside", "430 dwell inside", "400 determined outside"])
        #expect(late.events.map(\.isDwellRetracted) == [false, false, true])
    }
}

extension [FenceEventMessage] {
    /// When each was, what it says, and on which side.
    var sideLog: [String] {
        map { "\(Int($0.crossedAt.seconds.rounded())) \($0.event.rawValue) \($0.state.rawValue)" }
    }
}
