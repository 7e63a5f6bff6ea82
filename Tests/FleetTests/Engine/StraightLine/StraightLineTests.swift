import Clearances
import Fleet
import FleetTestSupport
import Geo
import Hashing
import Messages
import Roads
import Testing

@Suite("Without roads a clearance is judged by the straight line along the course")
struct StraightLineTests {
    private static let bridge = Drawing.place(5_000, 0)

    private func clearance(
        _ posted: String = "10'6\"", approach: [Degrees] = [], detours: [Coordinate] = []
    ) -> PointClearance {
        PointClearance(
            id: "survey-12", position: Self.bridge, posted: posted, name: "W Washington St", approach: approach,
            detours: detours)
    }

    private func drive(
        _ clearance: PointClearance, along line: [Coordinate] = [Drawing.place(0, 0), Drawing.place(7_000, 0)],
        height: Centimetres = 412, _ configure: (inout EngineSettings) -> Void = { _ in }
    ) -> Dispatcher {
        var settings = EngineSettings()
        configure(&settings)
        let dispatcher = Dispatcher(
            Engine(settings, network: nil, clearances: [clearance]), truck: Dispatcher.truck, height: height)
        dispatcher.drive(Journey(line: line))
        return dispatcher
    }

    @Test("Without known turn-offs: told a mile and a half before the bridge, then that it was passed")
    func bare() throws {
        let dispatcher = drive(clearance())
        #expect(dispatcher.stages == [.ahead, .passed])
        let ahead = dispatcher.alerts[0]
        // A report interval more at 20 m/s.
        #expect((1.5 * Unit.mile...1.5 * Unit.mile + 400).contains(ahead.distance))
        #expect(ahead.certainty == .possible)
        #expect(ahead.detour == nil)
        #expect(ahead.chain == ["survey-12"])
        #expect(
            ahead.text == "Low bridge 10'6\" on W Washington St straight ahead in 1.6 mi, if your road leads under it.")
        #expect(dispatcher.states.last?.blind.contains(.noClearanceData) == false)
    }

    @Test("With known turn-offs: told a mile before the nearest ahead, to leave there, and to stop behind it")
    func detours() throws {
        let out = Drawing.place(4_500, 0)
        let dispatcher = drive(clearance(detours: [out, Drawing.place(5_500, 0)]))
        #expect(dispatcher.stages == [.ahead, .detour, .stop, .passed])
        let detour = try #require(dispatcher.alerts[0].detour)
        #expect((Unit.mile...Unit.mile + 400).contains(detour.distance))
        #expect(detour.position == out)
        #expect(detour.length == nil)
        #expect(dispatcher.alerts.allSatisfy { $0.certainty == .possible })
    }

    @Test("A truck that turns away is told `cleared` after ten seconds")
    func turnedAway() {
        let line = [Drawing.place(0, 0), Drawing.place(3_500, 0), Drawing.place(3_500, 3_000)]
        let dispatcher = drive(clearance(), along: line)
        #expect(dispatcher.stages == [.ahead, .cleared])
        let cleared = dispatcher.alerts[1]
        #expect(cleared.reason == .leftPath)
        #expect(cleared.certainty == .possible)
        #expect(cleared.expiresAt == cleared.time.adding(max(2 * cleared.eta, 600)))
    }

    @Test("A truck that turns round before the bridge has not passed it, though it drives away from it")
    func turnedRound() {
        let line = [Drawing.place(0, 0), Drawing.place(4_790, 0), Drawing.place(1_000, 0)]
        let dispatcher = drive(clearance(), along: line)
        #expect(dispatcher.stages == [.ahead, .cleared])
        #expect(dispatcher.alerts[1].reason == .leftPath)
    }

    @Test("A truck whose road turns under the bridge has passed it, wherever its fixes lie", arguments: [1.0, 10])
    func roadTurns(every: Seconds) {
        for offset in stride(from: 0.0, to: 200, by: 30) {
            let dispatcher = Dispatcher(
                Engine(EngineSettings(), network: nil, clearances: [clearance()]), truck: Dispatcher.truck, height: 412)
            let line = [Drawing.place(0, 0), Drawing.place(5_000, 0), Drawing.place(5_000, -2_000)]
            dispatcher.drive(Journey(line: line, every: every, offset: offset))
            #expect(dispatcher.stages == [.ahead, .passed], "\(every), \(offset): \(dispatcher.log)")
        }
    }

    /// Drives up to the bridge, and turns off 200 m behind it; fixes from 240 s on, before the bridge, are not heard yet.
    private func driveUnheard() -> (dispatcher: Dispatcher, unheard: [Fix]) {
        let dispatcher = Dispatcher(
            Engine(EngineSettings(), network: nil, clearances: [clearance()]), truck: Dispatcher.truck, height: 412)
        let line = [Drawing.place(0, 0), Drawing.place(5_200, 0), Drawing.place(5_200, 5_000)]
        let fixes = Journey(line: line).fixes
        for fix in fixes where fix.time < .at(240) { dispatcher.fix(fix) }
        #expect(dispatcher.stages == [.ahead])
        return (dispatcher, fixes.filter { $0.time >= .at(240) })
    }

    @Test("Who is seen to have gone under by fixes that come late has passed, as of the first fix that does not")
    func latePass() {
        let (dispatcher, unheard) = driveUnheard()
        // Those from 330 s on are no more than a minute old.
        dispatcher.tell(.location(unheard.filter { $0.time <= .at(380) }), at: 380.5)
        #expect(dispatcher.log.last == "330 passed")
        for fix in unheard where fix.time > .at(380) { dispatcher.fix(fix) }
        #expect(dispatcher.stages == [.ahead, .passed])
    }

    @Test("The same where no other fix comes: once its position is stale")
    func latePassAndSilence() {
        let (dispatcher, unheard) = driveUnheard()
        dispatcher.tell(.location(unheard.filter { $0.time <= .at(310) }), at: 375)
        #expect(dispatcher.stages == [.ahead])
        dispatcher.tick(1_200)
        #expect(dispatcher.log.last == "370 passed")
        #expect(dispatcher.stages == [.ahead, .passed])
    }

    @Test("The same by fixes that come after a newer one, as of the next that is newer")
    func olderPass() throws {
        let (dispatcher, unheard) = driveUnheard()
        let newer = try #require(unheard.first { $0.time == .at(270) })
        dispatcher.fix(newer)
        dispatcher.tell(.location(unheard.filter { $0.time < newer.time }), at: 271)
        #expect(dispatcher.stages == [.ahead])
        for fix in unheard where fix.time > newer.time { dispatcher.fix(fix) }
        #expect(dispatcher.log.last == "280 passed")
        #expect(dispatcher.stages == [.ahead, .passed])
    }

    @Test("An older pass, unheard until then, says nothing of what lies ahead of a newer fix")
    func earlierPass() throws {
        let dispatcher = Dispatcher(
            Engine(EngineSettings(), network: nil, clearances: [clearance()]), truck: Dispatcher.truck, height: 412)
        let out = Journey(line: [Drawing.place(0, 0), Drawing.place(7_000, 0)], start: 800).fixes
        let back = Journey(line: [Drawing.place(9_000, 0), Drawing.place(5_500, 0)], start: 1_100).fixes
        dispatcher.fix(Fix(position: Drawing.place(0, 0), time: .at(700), accuracy: 5, speed: 0))
        dispatcher.fix(try #require(back.first { $0.time == .at(1_200) }))
        #expect(dispatcher.stages == [.ahead])
        dispatcher.tell(.location(out), at: 1_201)
        for fix in back where fix.time > .at(1_200) { dispatcher.fix(fix) }
        #expect(dispatcher.stages == [.ahead], "\(dispatcher.log)")
    }

    @Test("What lies outside the cone, or limits another course, or is high enough, is not told of")
    func silent() {
        let beside = [Drawing.place(0, 4_000), Drawing.place(7_000, 4_000)]
        #expect(drive(clearance(), along: beside).alerts.isEmpty)
        #expect(drive(clearance(approach: [180])).alerts.isEmpty)
        #expect(!drive(clearance(approach: [180, 90])).alerts.isEmpty)
        #expect(drive(clearance("4.5")).alerts.isEmpty)
        #expect(drive(clearance("abc")).alerts.isEmpty)
    }

    @Test("An unknown height is told of once where the setting says so")
    func unknown() {
        #expect(drive(clearance("below_default")).stages == [.ahead, .passed])
        #expect(drive(clearance("below_default")) { $0.alerts.unknown = .none }.alerts.isEmpty)
    }

    @Test("A changed height ends it, and so does the end of the clearance")
    func changed() {
        let half = [Drawing.place(0, 0), Drawing.place(3_500, 0)]
        let lowered = drive(clearance(), along: half)
        lowered.tell(.profile(HeightProfile(height: 300)), at: 180)
        #expect(lowered.stages == [.ahead, .cleared])
        let removed = drive(clearance(), along: half)
        removed.replace(nil, at: 180)
        #expect(removed.stages == [.ahead, .cleared])
        #expect(removed.alerts[1].reason == .mapChanged)
    }

    @Test("A device that tells no course is judged by where it came from")
    func noCourse() {
        let dispatcher = Dispatcher(
            Engine(EngineSettings(), network: nil, clearances: [clearance()]), truck: Dispatcher.truck, height: 412)
        var journey = Journey(line: [Drawing.place(0, 0), Drawing.place(7_000, 0)])
        journey.isFluent = false
        dispatcher.drive(journey)
        #expect(dispatcher.stages == [.ahead, .passed])
    }

    /// A drive past the bridge at 15 m/s of a device that tells of its motion what is given.
    private func stages(every: Seconds, speed: MetresPerSecond?, course: Degrees?) -> [AlertMessage.Stage] {
        let dispatcher = Dispatcher(
            Engine(EngineSettings(), network: nil, clearances: [clearance()]), truck: Dispatcher.truck, height: 412)
        let line = [Drawing.place(0, 0), Drawing.place(7_000, 0)]
        for var fix in Journey(line: line, speed: 15, every: every, isFluent: false).fixes {
            (fix.speed, fix.course) = (speed, course)
            dispatcher.fix(fix)
        }
        return dispatcher.stages
    }

    @Test(
        "A device that tells a course and no speed is told of what lies straight ahead, however short its steps are",
        arguments: [1 as Seconds, 4, 10])
    func noSpeed(every: Seconds) {
        #expect(stages(every: every, speed: nil, course: 90) == [.ahead, .passed])
        #expect(stages(every: every, speed: nil, course: nil) == [.ahead, .passed])
    }

    @Test(
        "A parked truck without a speed is told of nothing by the slow drift of its fixes",
        arguments: UInt64(1)...4, [nil, 90 as Degrees?])
    func drift(seed: UInt64, course: Degrees?) {
        let around = [(1_000.0, 300.0), (-300, 1_000), (-1_000, -300), (300, -1_000)].enumerated().map {
            PointClearance(id: "survey-\($0)", position: Drawing.place($1.0, $1.1), posted: "3 m")
        }
        let dispatcher = Dispatcher(
            Engine(EngineSettings(), network: nil, clearances: around), truck: Dispatcher.truck, height: 412)
        var random = SplitMix64(seed: seed)
        var (east, north) = (0.0, 0.0)
        // Errors of 3.3 m that are alike within two minutes.
        let kept = 0.92
        for second in stride(from: 0.0, through: 7_200, by: 10) {
            let step = 3.3 * (1 - kept * kept).squareRoot()
            east = kept * east + step * random.gaussian()
            north = kept * north + step * random.gaussian()
            dispatcher.fix(
                Fix(position: Drawing.place(east, north), time: .at(second), accuracy: 5, course: course))
        }
        #expect(dispatcher.stages.isEmpty, "\(dispatcher.log)")
    }

    @Test("So is a device that tells 0 for speed and course, whatever it does", arguments: [1 as Seconds, 4, 10])
    func alwaysZero(every: Seconds) {
        #expect(stages(every: every, speed: 0, course: 0) == [.ahead, .passed])
    }

    @Test("With a road file too, one that no road was found for is judged so")
    func besideRoads() throws {
        let drawing = try Drawing.bridge("5")
        let far = PointClearance(id: "far", position: Drawing.place(5_000, 50), posted: "3")
        let engine = Engine(EngineSettings(), network: drawing.network, clearances: [far])
        let dispatcher = Dispatcher(engine, truck: Dispatcher.truck, height: 412)
        dispatcher.drive(Journey(line: try drawing.line("az")))
        #expect(dispatcher.stages == [.ahead, .passed])
        #expect(dispatcher.alerts[0].certainty == .possible)
    }
}
