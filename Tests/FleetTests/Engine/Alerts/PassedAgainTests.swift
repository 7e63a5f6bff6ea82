import Fleet
import FleetTestSupport
import Geo
import Hashing
import Messages
import Testing

@Suite("Behind a structure nothing is said of it, and the way back under it is told before the last turn-off")
struct PassedAgainTests {
    /// A bridge at 4,000 m, low for 390 cm, and a detour that leaves as far before it as it comes back behind it.
    ///
    ///     a────────j──e=f──k────────z
    ///              n───────m
    private func road(turnOffs: Metres) throws -> Drawing {
        let (j, k) = (4_000 - turnOffs, 4_000 + turnOffs)
        return try Drawing(
            """
            a 0 0
            j \(j) 0
            e 3980 0
            f 4020 0
            k \(k) 0
            z 8000 0
            n \(j) 300
            m \(k) 300
            aj secondary name=Main+Street
            je secondary name=Main+Street
            ef secondary name=Main+Street maxheight=3.5
            fk secondary name=Main+Street
            kz secondary name=Main+Street
            jnmk residential name=Detour+Road
            """)
    }

    /// Drives straight along the road; negative ways lead back.
    private func drive(
        _ dispatcher: Dispatcher, from start: Metres, to end: Metres, speed: MetresPerSecond, every: Seconds,
        at seconds: Seconds = 0
    ) {
        dispatcher.drive(
            Journey(
                line: [Drawing.place(start, 0), Drawing.place(end, 0)], speed: speed, every: every, start: seconds,
                offset: 0))
    }

    private func stand(
        _ dispatcher: Dispatcher, at east: Metres, from start: Seconds, to end: Seconds, every: Seconds
    ) {
        for second in stride(from: start, through: end, by: every) {
            dispatcher.fix(Fix(position: Drawing.place(east, 0), time: .at(second), accuracy: 5, speed: 0))
        }
    }

    /// A bridge at 80 m north, low for 390 cm, and a one-way ring behind it, by which a truck comes round from c to b; the bypass, a
    /// detour, leaves the ring at p, the corner that is farthest from the bridge, or at s.
    ///
    ///     z
    ///     n─────────────────m
    ///     c────────p- - - - q
    ///     f=e      │
    ///     b────────s
    ///     a
    private func ring(bypassFrom corner: String) throws -> Drawing {
        try Drawing(
            """
            a 0 -2000
            b 0 0
            e 0 60
            f 0 100
            c 0 400
            p 400 400
            s 400 0
            z 0 1500
            q 1200 \(corner == "p" ? 400 : 0)
            m 1200 700
            n 0 700
            abe secondary name=Main+Street
            ef secondary name=Main+Street maxheight=3.5
            fcnz secondary name=Main+Street
            cpsb residential name=Ring+Road oneway=yes
            \(corner)qmn residential name=Bypass+Road
            """)
    }

    /// A truck that drives under the bridge of that ring and then along a line, by metres east and north; it comes to c after 2,300 m.
    private func driveRing(
        bypassFrom corner: String, along line: [(Metres, Metres)], speed: MetresPerSecond = 10, every: Seconds
    ) throws -> Dispatcher {
        let dispatcher = Dispatcher(try ring(bypassFrom: corner).network, height: 390)
        let places = ([(0.0, -1_900.0)] + line).map { Drawing.place($0.0, $0.1) }
        dispatcher.drive(Journey(line: places, speed: speed, every: every, offset: 0))
        return dispatcher
    }

    /// When an alarm was next raised after the structure was passed for the first time; nil: never.
    private func toldAgain(_ dispatcher: Dispatcher) throws -> Seconds? {
        let passed = try #require(dispatcher.alerts.first { $0.stage == .passed }, "\(dispatcher.log)")
        return dispatcher.alerts.first { $0.time > passed.time }?.time.seconds
    }

    /// Has passed the bridge 120 m behind it, at 150 s.
    private func passedShortly() throws -> Dispatcher {
        let dispatcher = Dispatcher(try road(turnOffs: 60).network, height: 390)
        drive(dispatcher, from: 2_020, to: 4_130, speed: 14, every: 10)
        #expect(dispatcher.log.last == "150 passed")
        return dispatcher
    }

    @Test(
        "Who has unloaded for half an hour right behind the bridge is told as soon as he drives back",
        arguments: [390, 420])
    func unloads(height: Int) throws {
        let dispatcher = try passedShortly()
        stand(dispatcher, at: 4_140, from: 160, to: 1_960, every: 30)
        dispatcher.tell(.profile(HeightProfile(height: height, source: "driver")), at: 1_961)
        #expect(try toldAgain(dispatcher) == nil, "\(dispatcher.log)")
        drive(dispatcher, from: 4_135, to: 3_400, speed: 8, every: 10, at: 1_970)
        #expect(try toldAgain(dispatcher) == 1_970, "\(dispatcher.log)")
    }

    @Test(
        "Who stands there is told nothing though single fixes are reflected, behind him and then before him",
        arguments: [
            // After ten minutes of rest, which the first of them ends; and sooner.
            (810, 1_000), (200, 400),
        ] as [(Seconds, Seconds)])
    func reflectedFixes(behind: Seconds, before: Seconds) throws {
        let dispatcher = try passedShortly()
        stand(dispatcher, at: 4_120, from: 160, to: behind - 10, every: 10)
        stand(dispatcher, at: 4_160, from: behind, to: behind, every: 10)
        stand(dispatcher, at: 4_120, from: behind + 10, to: before - 10, every: 10)
        // 80 m nearer to the bridge than the one behind him.
        stand(dispatcher, at: 4_080, from: before, to: before, every: 10)
        stand(dispatcher, at: 4_120, from: before + 10, to: 1_400, every: 10)
        #expect(try toldAgain(dispatcher) == nil, "\(dispatcher.log)")
        drive(dispatcher, from: 4_115, to: 3_400, speed: 8, every: 10, at: 1_410)
        #expect(try toldAgain(dispatcher) == 1_410, "\(dispatcher.log)")
    }

    @Test("Who has been away, as fixes show that come too late to be told by, is told at the first that does not")
    func awayUnheard() throws {
        let dispatcher = try passedShortly()
        let away = Journey(
            line: [Drawing.place(4_140, 0), Drawing.place(5_990, 0)], speed: 20, every: 10, start: 160, offset: 0)
        let back = Journey(
            line: [Drawing.place(5_990, 0), Drawing.place(3_400, 0)], speed: 10, every: 10, start: 260, offset: 0)
        let (late, inTime) = (back.fixes.filter { $0.time < .at(380) }, back.fixes.filter { $0.time >= .at(380) })
        dispatcher.tell(.location(away.fixes + late), at: 439)
        for fix in inTime { dispatcher.tell(.location([fix]), at: max(439, fix.time.seconds)) }
        #expect(try toldAgain(dispatcher) == 380, "\(dispatcher.log)")
    }

    @Test("So is who has switched the device off with the truck meanwhile")
    func switchedOff() throws {
        let dispatcher = try passedShortly()
        stand(dispatcher, at: 4_140, from: 160, to: 180, every: 10)
        drive(dispatcher, from: 4_135, to: 3_400, speed: 8, every: 10, at: 1_970)
        #expect(try toldAgain(dispatcher) == 1_970, "\(dispatcher.log)")
    }

    @Test("Who is taller by his profile is told at once, however short he stood")
    func taller() throws {
        let dispatcher = try passedShortly()
        stand(dispatcher, at: 4_140, from: 160, to: 210, every: 10)
        dispatcher.tell(.profile(HeightProfile(height: 420, source: "driver")), at: 215)
        drive(dispatcher, from: 4_135, to: 3_400, speed: 8, every: 10, at: 220)
        #expect(try toldAgain(dispatcher) == 220, "\(dispatcher.log)")
    }

    @Test("A profile that makes him no taller changes nothing of that", arguments: [390, 380])
    func notTaller(height: Int) throws {
        let drawing = try road(turnOffs: 150)
        let dispatcher = Dispatcher(drawing.network, height: 390)
        for fix in Journey(line: try drawing.line("az"), speed: 12, every: 1).fixes {
            dispatcher.fix(fix)
            guard dispatcher.stages.last == .passed else { continue }
            dispatcher.tell(
                .profile(HeightProfile(height: height, source: "driver", measuredAt: fix.time)), at: fix.time.seconds)
        }
        #expect(try toldAgain(dispatcher) == nil, "\(dispatcher.log)")
    }

    @Test(
        "Who reports every 30 s, and was found to have passed 400 m behind, is told on his way back",
        arguments: [300, 1_170])
    func sparse(rest: Int) throws {
        let dispatcher = Dispatcher(try road(turnOffs: 150).network, height: 390)
        drive(dispatcher, from: 1_460, to: 4_405, speed: 14, every: 30)
        #expect(dispatcher.log.last == "210 passed")
        let end = 240 + Seconds(rest)
        stand(dispatcher, at: 4_410, from: 240, to: end, every: 30)
        #expect(try toldAgain(dispatcher) == nil, "\(dispatcher.log)")
        drive(dispatcher, from: 4_400, to: 3_000, speed: 14, every: 10, at: end + 30)
        let told = try #require(try toldAgain(dispatcher), "\(dispatcher.log)")
        #expect(told < end + 30 + 250 / 14, "\(dispatcher.log)")
    }

    @Test(
        "Who comes round the block to drive under it once more is told before the last corner",
        arguments: [1.0, 5, 10, 20])
    func roundTheBlock(every: Seconds) throws {
        let line = [(2_500.0, 0.0), (4_150, 0), (4_150, 300), (3_850, 300), (3_850, 0), (5_500, 0)].map {
            Drawing.place($0.0, $0.1)
        }
        let dispatcher = Dispatcher(try road(turnOffs: 150).network, height: 390)
        dispatcher.drive(Journey(line: line, speed: 12, every: every, offset: 0))
        let told = try #require(try toldAgain(dispatcher), "\(dispatcher.log)")
        // 1,650 m to where it leaves Main Street, and 900 m round to where it comes back.
        #expect(told < 2_550 / 12, "\(dispatcher.log)")
        #expect(dispatcher.alerts.filter { $0.stage == .passed }.count == 2, "\(dispatcher.log)")
    }

    @Test(
        "Who comes round a ring is told before its last turn-off, though he comes no nearer to the bridge before that",
        arguments: [
            ("p", 10, 1), ("p", 10, 5), ("p", 10, 10), ("p", 10, 20), ("s", 10, 5), ("s", 12, 10), ("s", 12, 30),
        ] as [(String, MetresPerSecond, Seconds)])
    func comesRound(corner: String, speed: MetresPerSecond, every: Seconds) throws {
        let dispatcher = try driveRing(
            bypassFrom: corner, along: [(0, 400), (400, 400), (400, 0), (0, 0), (0, 1_400)], speed: speed, every: every)
        let told = try #require(try toldAgain(dispatcher), "\(dispatcher.log)")
        #expect(told > 2_300 / speed, "\(dispatcher.log)")
        #expect(told < (corner == "p" ? 2_700 : 3_100) / speed, "\(dispatcher.log)")
        #expect(dispatcher.alerts.filter { $0.stage == .passed }.count == 2, "\(dispatcher.log)")
    }

    @Test("So is who comes round by a way that few take, but not within 30 s", arguments: [1.0, 5, 10, 20])
    func comesRoundByUnlikelyWay(every: Seconds) throws {
        let dispatcher = try driveRing(
            bypassFrom: "p",
            along: [(0, 700), (1_200, 700), (1_200, 400), (400, 400), (400, 0), (0, 0), (0, 1_400)], every: every)
        let passed = try #require(dispatcher.alerts.first { $0.stage == .passed }, "\(dispatcher.log)")
        let told = try #require(try toldAgain(dispatcher), "\(dispatcher.log)")
        #expect(told > passed.time.seconds + 30, "\(dispatcher.log)")
        // At n he turns onto Bypass Road, from which no turn-off is left.
        #expect(told < 260, "\(dispatcher.log)")
    }

    @Test("Who stands on the ring is told nothing for reflected fixes before its last turn-off, and told once he moves")
    func standsOnRing() throws {
        let dispatcher = try driveRing(bypassFrom: "p", along: [(0, 400), (195, 400)], speed: 8, every: 10)
        #expect(dispatcher.stages.last == .passed, "\(dispatcher.log)")
        for second in stride(from: 320.0, through: 600, by: 10) {
            let east = [400, 410, 500].contains(second) ? 235.0 : 195
            dispatcher.fix(Fix(position: Drawing.place(east, 400), time: .at(second), accuracy: 5, speed: 0))
        }
        #expect(try toldAgain(dispatcher) == nil, "\(dispatcher.log)")
        dispatcher.drive(
            Journey(
                line: [Drawing.place(225, 400), Drawing.place(400, 400), Drawing.place(400, 0)], speed: 8, every: 10,
                start: 610, offset: 0))
        let told = try #require(try toldAgain(dispatcher), "\(dispatcher.log)")
        #expect(told < 610 + 175 / 8, "\(dispatcher.log)")
    }

    @Test("Noise right behind the bridge is no road driven", arguments: [1 as Seconds, 5, 10])
    func wanders(every: Seconds) throws {
        let dispatcher = try driveRing(bypassFrom: "p", along: [(0, 120)], speed: 5, every: every)
        #expect(dispatcher.stages.last == .passed, "\(dispatcher.log)")
        var random = SplitMix64(seed: 4)
        for second in stride(from: 410, through: 900, by: every) {
            let north = 130 + Metres.random(in: -12...12, using: &random)
            let east = Metres.random(in: -12...12, using: &random)
            dispatcher.fix(Fix(position: Drawing.place(east, north), time: .at(second), accuracy: 15))
        }
        #expect(try toldAgain(dispatcher) == nil, "\(dispatcher.log)")
    }

    @Test("Who drives on is told nothing, however far apart his fixes are", arguments: [1.0, 5, 10, 20])
    func drivesOn(every: Seconds) throws {
        for turnOffs in [60.0, 150, 500] {
            let drawing = try road(turnOffs: turnOffs)
            let dispatcher = Dispatcher(drawing.network, height: 390)
            dispatcher.drive(Journey(line: try drawing.line("az"), speed: 12, every: every))
            #expect(try toldAgain(dispatcher) == nil, "\(turnOffs): \(dispatcher.log)")
        }
    }
}
