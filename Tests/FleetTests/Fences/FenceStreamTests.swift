import FleetTestSupport
import Geo
import Messages
import Testing

@testable import Fleet

/// Fixes as devices send them: bad ones, late ones, with clocks that are wrong.
struct FenceStreamTests {
    private static let drive = Yard.drive(from: -305, to: 1000)

    private func plain(_ fixes: [Fix] = drive) -> Dispatcher {
        let dispatcher = Dispatcher(nil, fences: [Yard.fence])
        for fix in fixes { dispatcher.fix(fix) }
        dispatcher.tick((fixes.last?.time.seconds ?? 0) + 300)
        return dispatcher
    }

    private static func at(_ latitude: Degrees, _ longitude: Degrees, time: Seconds, accuracy: Metres? = 5) -> Fix {
        Fix(position: Coordinate(latitude: latitude, longitude: longitude), time: .at(time), accuracy: accuracy)
    }

    @Test(
        "A bad fix in the stream is counted and changes no event",
        arguments: [
            (Yard.fix(9_000, at: 50.5), InputError.implausiblyFast), (Yard.fix(200, at: 500), .fromTheFuture),
            (at(0, 0, time: 50.5), .nullIsland), (Yard.fix(-200, at: 50.5, accuracy: 101), .inaccurate),
            (Yard.fix(-200, at: 50.5 - 86_401), .tooOld), (Yard.fix(-200, at: 30.5), .outOfOrder),
            (Yard.fix(195, at: 50), .duplicate),
        ])
    func bad(fix: Fix, reason: InputError) {
        let dispatcher = Dispatcher(nil, fences: [Yard.fence])
        for good in Self.drive {
            dispatcher.fix(good)
            if good.time == .at(50) { dispatcher.tell(.location([fix]), at: 50.5) }
        }
        dispatcher.tick(500)
        #expect(dispatcher.rejections == [reason])
        #expect(dispatcher.events == plain().events)
        #expect(dispatcher.states.last?.lastFix == Self.drive.last?.time)
    }

    @Test("Implausible fixes that come late, or again and again, are never believed")
    func repeatedOutlier() {
        let dispatcher = Dispatcher(nil, fences: [Yard.fence])
        for good in Self.drive {
            dispatcher.fix(good)
            if good.time.seconds >= 50 {
                dispatcher.tell(.location([Yard.fix(9_000, at: 49.5)]), at: good.time.seconds)
            }
        }
        dispatcher.tick(500)
        #expect(dispatcher.events == plain().events)
    }

    @Test("A vehicle that was moved, and is believed at the fourth fix, has passed nothing on the way")
    func moved() {
        let before = (0...20).map { Yard.fix(-5_000, at: Seconds($0)) }
        let after = (21...60).map { Yard.fix(5_000, at: Seconds($0)) }
        #expect(plain(before + after).fenceLog == [])
        let out = (0...20).map { Yard.fix(200, at: Seconds($0)) }
        let dispatcher = plain(out + after)
        #expect(dispatcher.events.map(\.event) == [.determined, .exit])
        #expect(dispatcher.events.last?.isInterpolated == false && dispatcher.events.last?.crossedAt == .at(24))
    }

    @Test("A clock that is 50 s fast or slow changes nothing but the times", arguments: [50.0, -50])
    func skewed(skew: Seconds) {
        let dispatcher = Dispatcher(nil, fences: [Yard.fence])
        for fix in Self.drive {
            dispatcher.tick(fix.time.seconds)
            var skewed = fix
            skewed.time = fix.time.adding(skew)
            dispatcher.tell(.location([skewed]), at: fix.time.seconds)
        }
        dispatcher.tick(500)
        #expect(dispatcher.rejections.isEmpty)
        #expect(dispatcher.events.map(\.event) == [.enter, .exit])
        #expect(zip(dispatcher.events, plain().events).allSatisfy { $0.crossedAt == $1.crossedAt.adding(skew) })
        #expect(dispatcher.states.last?.blind == [.noClearanceData, .stalePosition])
    }

    // MARK: Out of reach

    /// In at 30 s, out at 70 s, back by 270 s, and a stop inside.
    private static let hour: [Fix] = {
        let there = Yard.drive(from: -300, to: 1500, every: 2)
        let back = Yard.drive(from: 0, to: 1300, every: 2, at: 182).map { fix in
            Yard.fix(1500 - (fix.time.seconds - 182) * 10, at: fix.time.seconds)
        }
        let rest = stride(from: 320.0, through: 3600, by: 10).map { Yard.fix(200, at: $0) }
        return there + back + rest
    }()

    @Test(
        "An hour out of reach, then its fixes as one upload: all events of the hour, also with a deadline in it",
        arguments: [false, true])
    func upload(isTimed: Bool) throws {
        let times = isTimed ? try WeeklyHours(zone: "America/Detroit", week: "Mo-Su 09:30-09:40") : nil
        let timed = Yard.circle("elsewhere", 90_000, 0, radius: 100)
        let fences = [Yard.fence, timed].map { fence in
            var fence = fence
            if fence.id == "elsewhere" { fence.hours = times }
            return fence
        }
        let direct = Dispatcher(nil, fences: fences)
        for fix in Self.hour { direct.fix(fix) }
        direct.tick(3700)
        let silent = Dispatcher(nil, fences: fences)
        silent.fix(Self.hour[0])
        for second in stride(from: 10.0, through: 3600, by: 10) { silent.tick(second) }
        silent.tell(.location(Array(Self.hour.dropFirst())), at: 3601)
        silent.tick(3700)
        #expect(silent.rejections.isEmpty)
        let yard = { (dispatcher: Dispatcher) in dispatcher.events.filter { $0.fence == "yard" } }
        #expect(yard(silent) == yard(direct))
        #expect(yard(silent).map(\.event) == [.enter, .exit, .enter])
        #expect(silent.visits == direct.visits)
    }

    @Test("Hours that ended in the meantime stay ended for fixes that come late")
    func endedMeanwhile() throws {
        let hours = try WeeklyHours(zone: "America/Detroit", week: "Sa 08:00-09:30")
        let dispatcher = Dispatcher(nil, fences: [Yard.fence("yard") { $0.hours = hours }])
        dispatcher.fix(Yard.fix(200, at: 0))
        dispatcher.tick(3600)
        #expect(dispatcher.states.last?.fences == [])
        dispatcher.tell(.location(stride(from: 60.0, through: 1700, by: 60).map { Yard.fix(200, at: $0) }), at: 3601)
        dispatcher.tick(3700)
        #expect(dispatcher.fenceLog == ["0 determined yard"])
        #expect(dispatcher.states.last?.fences == [])
    }

    @Test("An upload of the last hour raises no alert on a fix older than a minute")
    func alerts() throws {
        let drawing = try Drawing.bridge()
        let dispatcher = Dispatcher(drawing.network, fences: [Yard.circle("bridge", 4_320, 0, radius: 100)])
        let fixes = Journey(line: try drawing.line("az")).fixes
        dispatcher.tell(.location(fixes), at: fixes.last!.time.seconds)
        dispatcher.tick(fixes.last!.time.seconds + 60)
        #expect(dispatcher.alerts.allSatisfy { fixes.last!.time.since($0.time) <= 60 })
        #expect(dispatcher.events.map(\.event) == [.enter, .exit])
    }
}
