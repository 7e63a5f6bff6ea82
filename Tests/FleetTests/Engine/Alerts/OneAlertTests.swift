import Evaluation
import FleetTestSupport
import Geo
import Hashing
import Messages
import Roads
import Testing

@testable import Fleet

@Suite("One approach to one structure is one alert")
struct OneAlertTests {
    /// Random drives through towns of low bridges, with noise.
    private func drives(every: Seconds) throws -> [Dispatcher] {
        try (UInt64(1)...8).flatMap { seed in
            let town = try GridTown(seed: seed)
            var random = SplitMix64(seed: seed &* 7_919)
            return (0..<6).map { number in
                let line = town.walk(24, &random).reduce(into: [Coordinate]()) { line, edge in
                    line += town.network.line(edge).dropFirst(line.isEmpty ? 0 : 1)
                }
                let dispatcher = Dispatcher(town.network, height: 392)
                if line.count > 1 {
                    dispatcher.drive(line, noise: 5, every: every, speed: 12, seed: seed &+ UInt64(number))
                }
                let isOnce = dispatcher.states.allSatisfy { $0.namesEachStructureOnce }
                #expect(isOnce, "town \(seed), drive \(number)")
                return dispatcher
            }
        }
    }

    @Test("Of several entries of one structure one is told of at a time", arguments: [1.0, 5, 10])
    func oneForAll(every: Seconds) throws {
        let drives = try drives(every: every)
        let messages = drives.map(\.alerts.count).reduce(0, +)
        #expect(messages > 100)
    }

    @Test("A sign on a node and the height of its road are one structure where they say the same")
    func nodeAndWay() throws {
        func drive(_ sign: String) throws -> Dispatcher {
            let drawing = try Drawing(
                Drawing.mainStreet("3.2").replacing("e 4300 0", with: "e 4300 0 maxheight=\(sign)") + """
                    y 6500 300
                    nmy residential name=North+Road
                    mg residential name=Mill+Lane
                    yz residential name=East+Road
                    """)
            let dispatcher = Dispatcher(drawing.network)
            dispatcher.drive(Journey(line: try drawing.line("az")))
            return dispatcher
        }
        let one = try drive("3.2")
        #expect(one.stages == [.ahead, .detour, .stop, .passed], "\(one.log)")
        #expect(Set(one.alerts.map(\.id)).count == 1)
        #expect(one.alerts.allSatisfy { $0.chain.count == 1 })
        #expect(try drive("3.3").alerts.first?.chain.count == 2)
    }

    @Test("Behind a structure nothing is said of it before the truck has left it or comes nearer", arguments: [1.0, 5])
    func afterPassing(every: Seconds) throws {
        var passes = 0
        for dispatcher in try drives(every: every) {
            for passed in dispatcher.alerts where passed.stage == .passed {
                passes += 1
                let next = dispatcher.alerts.first {
                    $0.sequence == 1 && $0.clearance.id == passed.clearance.id && $0.time >= passed.time
                }
                // 50 m nearer than it was: at 12 m/s not before it has driven as far away, and back.
                #expect(next.map { $0.time.since(passed.time) >= 4 } ?? true, "\(dispatcher.log)")
            }
        }
        #expect(passes > 20)
    }

    @Test(
        "Who has turned off as he was told to hears of the structure again where he is likely to come round, at a last turn-off, or after a notice",
        arguments: [1.0, 5])
    func afterTurningOff(every: Seconds) throws {
        var turnedOff = 0
        for dispatcher in try drives(every: every) {
            let alarms = dispatcher.alerts.filter { $0.attention == .alarm }
            for end in alarms where end.stage == .cleared && end.reason == .leftPath {
                let before = alarms.last { $0.id == end.id && $0.sequence < end.sequence }
                guard before?.stage == .detour else { continue }
                turnedOff += 1
                // With the end itself an alert may begin about another entry, which the way that he has taken leads to.
                let next = alarms.first { $0.clearance.id == end.clearance.id && $0.time > end.time }
                guard let next, next.sequence == 1, next.stage != .stop else { continue }
                #expect(next.sideRoad || next.probability >= 0.3, "\(dispatcher.log)")
            }
        }
        #expect(turnedOff > 10)
    }

    /// A low bridge, and 150 m behind it a side street that leads round the block and back to it.
    ///
    ///     a────────j──e=f────k────────z        bridge in the middle of ef at 4,320 m, k at 4,500 m
    ///              n─────────m
    private static let loop = """
        a 0 0
        j 4000 0
        e 4300 0
        f 4340 0
        k 4500 0
        z 9000 0
        n 4000 300
        m 4500 300
        aj tertiary name=Main+Street
        je tertiary name=Main+Street
        ef tertiary name=Main+Street maxheight=3.2
        fk tertiary name=Main+Street
        kz tertiary name=Main+Street
        jnmk residential name=Ring+Road
        """

    @Test("A truck that drives on behind the bridge is not told to keep off the street that leads back to it")
    func drivesOn() throws {
        let drawing = try Drawing(Self.loop)
        for every in [1.0, 5, 10] {
            let dispatcher = Dispatcher(drawing.network)
            dispatcher.drive(try drawing.line("az"), noise: 5, every: every, seed: 1)
            #expect(dispatcher.livesOnPath == [[.ahead, .detour, .stop, .passed]], "\(every): \(dispatcher.log)")
            #expect(dispatcher.alertCount == 1, "\(every): \(dispatcher.log)")
        }
    }

    @Test("A truck that comes round the block is told of it again before it passes it again")
    func comesAgain() throws {
        let drawing = try Drawing(Self.loop)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("ajkmnjz"), speed: 12, every: 1))
        #expect(dispatcher.lives.count == 2)
        #expect(dispatcher.lives.allSatisfy { $0.contains(.stop) && $0.last == .passed }, "\(dispatcher.log)")
    }

    // MARK: What ends an alert

    private func standing(_ place: Coordinate, from start: Seconds, to end: Seconds) -> [Fix] {
        stride(from: start, through: end, by: 10).map {
            Fix(position: place, time: .at($0), accuracy: 5, speed: 0)
        }
    }

    @Test("A truck that stands for ten minutes has none open; it is told again when it drives on")
    func stands() throws {
        let drawing = try Drawing.bridge()
        let dispatcher = Dispatcher(drawing.network)
        let fixes = Journey(line: try drawing.line("az")).fixes.prefix(14)
        for fix in fixes { dispatcher.fix(fix) }
        let last = try #require(fixes.last)
        for fix in standing(last.position, from: last.time.seconds + 10, to: 1_500) { dispatcher.fix(fix) }
        #expect(dispatcher.stages == [.ahead, .cleared])
        #expect(dispatcher.alerts.last?.reason == .standing)
        #expect((700.0...760).contains(try #require(dispatcher.alerts.last).time.seconds))
        #expect(dispatcher.states.last?.alerts.isEmpty == true)
        for var fix in Journey(line: try drawing.line("az")).fixes.dropFirst(14) {
            fix.time = fix.time.adding(1_500)
            dispatcher.fix(fix)
        }
        #expect(dispatcher.stages.suffix(4) == [.ahead, .detour, .stop, .passed])
    }

    @Test("A truck at rest that is matched behind a last turn-off is told to stop once it moves, not before")
    func rests() throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network)
        for fix in standing(Drawing.place(4_150, 0), from: 0, to: 100) { dispatcher.fix(fix) }
        #expect(!dispatcher.stages.contains(.stop))
        for second in stride(from: 102.0, through: 110, by: 2) {
            dispatcher.fix(
                Fix(
                    position: Drawing.place(4_150 + (second - 100) * 8, 0), time: .at(second), accuracy: 5, speed: 8,
                    course: 90))
        }
        #expect(dispatcher.stages.last == .stop)
    }

    // MARK: Of a device that tells no speed

    private func fix(_ east: Metres, _ north: Metres = 0, at seconds: Seconds, _ accuracy: Metres) -> Fix {
        Fix(position: Drawing.place(east, north), time: .at(seconds), accuracy: accuracy)
    }

    @Test(
        "A truck without a speed that drives on after a long rest is told before the last turn-off, whatever its accuracy",
        arguments: [8 as Metres, 25, 50, 100])
    func drivesOnWithoutSpeed(accuracy: Metres) throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network)
        for step in 0..<20 { dispatcher.fix(fix(890 + 150 * Double(step), at: 10 * Double(step), accuracy)) }
        for step in 20..<110 { dispatcher.fix(fix(3_890 + Double(step % 3), at: 10 * Double(step), accuracy)) }
        let end = try #require(dispatcher.alerts.last)
        #expect(end.reason == .standing && (790.0...820).contains(end.time.seconds), "\(dispatcher.log)")
        for step in 1...4 {
            dispatcher.fix(fix(3_890 + 80 * Double(step), at: 1_090 + 10 * Double(step), accuracy))
        }
        // The turn-off lies at 4,000 m.
        let next = try #require(dispatcher.alerts.first { $0.time > end.time })
        #expect(next.sequence == 1 && next.time == .at(1_100), "\(dispatcher.log)")
    }

    @Test(
        "A truck without a speed that rested behind the last turn-off is told to stop once it moves, whatever its accuracy",
        arguments: [8 as Metres, 25, 50, 100])
    func movesWithoutSpeed(accuracy: Metres) throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network, height: 300)
        for step in 0..<30 { dispatcher.fix(fix(4_005 + Double(step % 3), at: 10 * Double(step), accuracy)) }
        dispatcher.tell(.profile(HeightProfile(height: 412, source: "driver")), at: 296)
        for step in 0..<6 { dispatcher.fix(fix(4_005 + 40 * Double(step), at: 300 + 5 * Double(step), accuracy)) }
        let stop = try #require(dispatcher.alerts.first { $0.stage == .stop }, "\(dispatcher.log)")
        #expect(stop.distance > 150)
    }

    @Test(
        "The noise of a truck without a speed is no movement, however large",
        arguments: [8 as Metres, 25, 50, 100], [1 as Seconds, 5, 10])
    func restsWithoutSpeed(accuracy: Metres, every: Seconds) throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network)
        var random = SplitMix64(seed: UInt64(accuracy))
        // Two thirds of all fixes lie within 1.51 deviations.
        let deviation = accuracy / 1.51
        for second in stride(from: 0, through: 1_800, by: every) {
            let (east, north) = (deviation * random.gaussian(), deviation * random.gaussian())
            dispatcher.fix(fix(4_150 + east, north, at: second, accuracy))
        }
        #expect(dispatcher.kept?.rest?.since == .at(0))
    }

    // MARK: Of a device that always says that it stands

    @Test(
        "A truck whose device always says that it stands is told to stop behind the last turn-off",
        arguments: [1 as Seconds, 2, 10], [5 as Metres, 25])
    func alwaysZero(every: Seconds, accuracy: Metres) throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network)
        for second in stride(from: 0, to: 110, by: every) {
            var fix = fix(3_200 + 10 * second, at: second, accuracy)
            (fix.speed, fix.course) = (0, 0)
            dispatcher.fix(fix)
        }
        let stop = try #require(dispatcher.alerts.first { $0.stage == .stop }, "\(dispatcher.log)")
        #expect(stop.distance >= 100, "\(stop.distance)")
    }

    @Test("A truck that has told its speed and stands is not told to stop because a fix is reflected")
    func reflectedFixes() throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network)
        for step in 0..<10 {
            var fix = fix(3_000 + 100 * Double(step), at: 10 * Double(step), 5)
            fix.speed = 10
            dispatcher.fix(fix)
        }
        for step in 10..<360 {
            var fix = fix(4_030 + (step % 50 == 49 ? 40 : 0), at: 10 * Double(step), 5)
            fix.speed = 0
            dispatcher.fix(fix)
        }
        #expect(!dispatcher.stages.contains(.stop), "\(dispatcher.log)")
    }

    @Test("A truck that says that it stands is not told to stop, however its fixes scatter", arguments: UInt64(1)...10)
    func standsByItsWord(seed: UInt64) throws {
        let dispatcher = Dispatcher(try Drawing.bridge().network)
        var random = SplitMix64(seed: seed)
        for second in stride(from: 0.0, through: 600, by: 5) {
            var fix = fix(4_150 + 5 * random.gaussian(), 5 * random.gaussian(), at: second, 8)
            fix.speed = 0
            dispatcher.fix(fix)
        }
        #expect(!dispatcher.stages.contains(.stop), "\(dispatcher.log)")
        #expect(dispatcher.kept?.lastFix?.speed == 0)
    }
}

extension StateMessage {
    fileprivate var namesEachStructureOnce: Bool { Set(alerts.map(\.clearance.id)).count == alerts.count }
}
