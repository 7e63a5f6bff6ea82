import Clearances
import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

@testable import Fleet

/// What it does to alerts that a height profile runs out, changes or is removed.
struct HeightChangeTests {
    @Test(
        "Past its validity the larger of the last and the assumed height counts, and the driver is asked again",
        arguments: [
            (390, 412), (430, 430),
        ])
    func stale(told: Centimetres, counted: Centimetres) throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network, height: nil)
        dispatcher.tell(.profile(HeightProfile(height: told, source: "driver", validFor: 100)), at: 0)
        dispatcher.fix(Fix(position: Drawing.place(6_000, 0), time: .at(50)))
        #expect(dispatcher.states.last?.heightStatus == .ok)
        #expect(dispatcher.states.last?.height == told)
        dispatcher.tick(105)
        #expect(dispatcher.states.last?.heightStatus == .stale)
        #expect(dispatcher.states.last?.height == counted)
        #expect(dispatcher.states.last?.time == .at(100))
        #expect(dispatcher.requests.map(\.kind) == [.heightStale])
        #expect(dispatcher.requests.map(\.time.seconds) == [100])
    }

    @Test("A height of a vehicle that has sent no fix runs out when it is due; asked for it is with its fixes")
    func staleWithoutFix() throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network, height: nil)
        dispatcher.tell(.profile(HeightProfile(height: 390, source: "driver", validFor: 100)), at: 0)
        #expect(dispatcher.engine.nextDeadline == .at(100))
        for second in [50.0, 99.9, 105, 300] { dispatcher.tick(second) }
        #expect(dispatcher.states.map(\.heightStatus) == [.ok, .stale])
        #expect(dispatcher.states.map(\.time) == [.at(0), .at(100)])
        #expect(dispatcher.states.last?.height == 412 && dispatcher.states.last?.blind == [])
        #expect(dispatcher.requests.isEmpty)
        for second in [400.0, 430] { dispatcher.fix(Fix(position: Drawing.place(6_000, 0), time: .at(second))) }
        #expect(dispatcher.requests.map(\.kind) == [.heightStale])
    }

    @Test("It has run out before a first fix that has waited, too, as of when it was due")
    func staleBeforeLateFix() {
        let fix = Fix(position: Drawing.place(6_000, 0), time: .at(300))
        let (inTime, late) = (Dispatcher(nil, height: nil), Dispatcher(nil, height: nil))
        for dispatcher in [inTime, late] {
            dispatcher.tell(.profile(HeightProfile(height: 390, validFor: 100)), at: 0)
        }
        inTime.tick(101)
        inTime.fix(fix)
        late.hear([.backlog(at: .at(300)), .report(.location([fix]), from: Dispatcher.truck, receivedAt: .at(300))])
        #expect(late.states.map(\.time) == [.at(0), .at(100), .at(300)])
        #expect(late.states == inTime.states)
    }

    @Test("Validity counts from when the height was measured, where the profile says so")
    func measuredAt() throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network, height: nil)
        dispatcher.tell(.profile(HeightProfile(height: 390, measuredAt: .at(-90), validFor: 100)), at: 0)
        dispatcher.fix(Fix(position: Drawing.place(6_000, 0), time: .at(5)))
        #expect(dispatcher.states.last?.heightStatus == .ok)
        dispatcher.fix(Fix(position: Drawing.place(6_000, 0), time: .at(15)))
        #expect(dispatcher.states.last?.heightStatus == .stale)
    }

    @Test("A height that was measured later than it came holds from when it came")
    func measuredLater() throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network, height: nil)
        dispatcher.tell(.profile(HeightProfile(height: 430, measuredAt: .at(3_600), validFor: 100)), at: 0)
        dispatcher.fix(Fix(position: Drawing.place(6_000, 0), time: .at(50)))
        #expect(dispatcher.states.last?.height == 430 && dispatcher.states.last?.heightStatus == .ok)
        dispatcher.fix(Fix(position: Drawing.place(6_000, 0), time: .at(105)))
        #expect(dispatcher.states.last?.heightStatus == .stale)
    }

    @Test("A profile that runs out and a position that goes stale are both told of, each at its own time")
    func staleTwice() throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network, height: nil)
        dispatcher.tell(.profile(HeightProfile(height: 390, validFor: 100)), at: 0)
        dispatcher.fix(Fix(position: Drawing.place(6_000, 0), time: .at(90)))
        for second in stride(from: 95.0, through: 200, by: 5) { dispatcher.tick(second) }
        let stale = dispatcher.states.filter { $0.time == .at(100) || $0.time > .at(120) }
        #expect(stale.map(\.time.seconds) == [100, 150])
        #expect(stale.map(\.heightStatus) == [.stale, .stale])
        #expect(stale.map(\.blind) == [[], [.stalePosition]])
    }

    @Test("A height that runs out on the road raises what the assumed one does not fit under")
    func staleOnTheRoad() throws {
        let drawing = try Drawing.bridge("13'6\"")
        let dispatcher = Dispatcher(drawing.network, height: nil)
        dispatcher.tell(.profile(HeightProfile(height: 390, validFor: 135)), at: 0)
        for fix in Journey(line: try drawing.line("aj")).fixes {
            dispatcher.fix(fix)
            dispatcher.tick(fix.time.seconds + 9)
        }
        // In reach since 110 s; the profile ends between two fixes.
        #expect(dispatcher.log == ["135 ahead", "180 detour"])
    }

    @Test("A raised height is judged at once, by the newest fix")
    func raised() throws {
        let drawing = try Drawing.bridge("13'6\"")
        let dispatcher = Dispatcher(drawing.network, height: 390)
        let fixes = Journey(line: try drawing.line("aj")).fixes
        for fix in fixes.prefix(15) { dispatcher.fix(fix) }
        #expect(dispatcher.alerts.isEmpty)
        dispatcher.tell(.profile(HeightProfile(height: 412, source: "dispatch")), at: 143)
        #expect(dispatcher.log == ["143 ahead"])
        #expect(dispatcher.alerts.first?.heightSource == "dispatch")
    }

    @Test("A lowered height ends what the vehicle now fits under, at once")
    func lowered() throws {
        let drawing = try Drawing.bridge("13'6\"")
        let dispatcher = Dispatcher(drawing.network, height: 412)
        for fix in Journey(line: try drawing.line("aj")).fixes.prefix(15) { dispatcher.fix(fix) }
        dispatcher.tell(.profile(HeightProfile(height: 390)), at: 143)
        #expect(dispatcher.log == ["110 ahead", "143 cleared"])
        #expect(dispatcher.alerts.last?.reason == .profileChanged)
        #expect(dispatcher.states.last?.alerts.isEmpty == true)
    }

    @Test("A lowered height ends an alert of a truck that has been silent for minutes, too")
    func loweredWhileSilent() throws {
        let drawing = try Drawing.bridge("13'6\"")
        let dispatcher = Dispatcher(drawing.network, height: 412)
        for fix in Journey(line: try drawing.line("aj")).fixes.prefix(15) { dispatcher.fix(fix) }
        dispatcher.tell(.profile(HeightProfile(height: 390)), at: 500)
        #expect(dispatcher.log == ["110 ahead", "500 cleared"])
        #expect(dispatcher.alerts.last?.reason == .profileChanged)
    }

    @Test("A height changed between two that fit under the same bridges goes on with the same alert")
    func sameHazards() throws {
        let drawing = try Drawing.bridge("13'6\"")
        let dispatcher = Dispatcher(drawing.network, height: 412)
        let fixes = Journey(line: try drawing.line("az")).fixes
        for fix in fixes.prefix(15) { dispatcher.fix(fix) }
        dispatcher.tell(.profile(HeightProfile(height: 430)), at: 143)
        for fix in fixes.dropFirst(15) { dispatcher.fix(fix) }
        #expect(dispatcher.stages == [.ahead, .detour, .stop, .passed])
        #expect(dispatcher.alertCount == 1)
        #expect(dispatcher.alerts.map(\.vehicleHeight) == [412, 430, 430, 430])
    }

    @Test("An unchanged profile delivered again changes nothing, and does not extend its validity")
    func unchanged() throws {
        let drawing = try Drawing.bridge()
        let dispatcher = Dispatcher(drawing.network, height: nil)
        let profile = HeightProfile(height: 412, validFor: 100)
        dispatcher.tell(.profile(profile), at: 0)
        dispatcher.fix(Fix(position: Drawing.place(6_000, 0), time: .at(40)))
        let said = dispatcher.envelopes
        dispatcher.tell(.profile(profile), at: 50)
        #expect(dispatcher.envelopes == said)
        dispatcher.tick(101)
        #expect(dispatcher.states.last?.heightStatus == .stale)
    }

    @Test("A removed profile leaves the assumed height")
    func removed() throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network, height: 390)
        dispatcher.tell(.profile(nil), at: 10)
        #expect(dispatcher.states.map(\.heightStatus) == [.ok, .assumed])
        #expect(dispatcher.states.map(\.height) == [390, 412])
    }
}
