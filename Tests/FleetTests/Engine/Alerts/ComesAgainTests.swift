import Fleet
import FleetTestSupport
import Geo
import Hashing
import Messages
import Testing

@Suite("Who was told to turn off, or to stop, and comes to the same entry once more is told anew")
struct ComesAgainTests {
    /// A bridge at 3,920 m, whose last turn-off is `j`. The detour, by `n` and `m`, is longer than the way round the block south of
    /// `j` and under the bridge, which is the fastest way to `z`.
    ///
    ///              n──────────m
    ///     a────w───j───e=f────g────z
    ///          v───s
    private func block() throws -> Drawing {
        try Drawing(
            """
            a 0 0
            w 3300 0
            j 3600 0
            e 3900 0
            f 3940 0
            g 4400 0
            z 7000 0
            s 3600 -300
            v 3300 -300
            n 3600 1500
            m 4400 1500
            awje tertiary name=Main+Street
            ef tertiary name=Main+Street maxheight=3.5
            fgz tertiary name=Main+Street
            jsvw tertiary name=South+Street
            jnmg residential name=North+Street
            """)
    }

    /// Of a truck that is bound for `z`.
    private func dispatcher(_ drawing: Drawing) throws -> Dispatcher {
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.tell(.route(.waypoints(try drawing.line("z"))), at: -30)
        return dispatcher
    }

    @Test(
        "Who has left as told, and comes round the block, has a new alert before the turn-off",
        arguments: [1.0, 5, 10])
    func leaves(every: Seconds) throws {
        let drawing = try block()
        let dispatcher = try dispatcher(drawing)
        dispatcher.drive(Journey(line: try drawing.line("ajsvwjefz"), speed: 12, every: every))
        #expect(
            dispatcher.lives == [[.ahead, .detour, .cleared], [.ahead, .detour, .stop, .passed]], "\(dispatcher.log)")
        let cleared = try #require(dispatcher.alerts.first { $0.stage == .cleared })
        #expect(cleared.reason == .leftPath)
        // It is at `j` at 299 s; ten seconds later than it is surely on South Street.
        #expect((309...321).contains(cleared.time.seconds), "\(dispatcher.log)")
        let again = try #require(dispatcher.alerts.first { $0.time >= cleared.time && $0.stage == .ahead })
        #expect(again.time == cleared.time)
        #expect(try #require(again.detour?.distance) > 900)
    }

    @Test(
        "So has who was told to stop, turned round and comes round the block",
        arguments: [(1.0, 3_700.0), (5, 3_750), (10, 3_750)])
    func turnsRound(every: Seconds, east: Metres) throws {
        let drawing = try block()
        let line = try drawing.line("a") + [Drawing.place(east, 0)] + drawing.line("jsvwjefz")
        let dispatcher = try dispatcher(drawing)
        dispatcher.drive(Journey(line: line, speed: 12, every: every))
        #expect(
            dispatcher.lives == [[.ahead, .detour, .stop, .cleared], [.ahead, .detour, .stop, .passed]],
            "\(dispatcher.log)")
        let cleared = try #require(dispatcher.alerts.first { $0.stage == .cleared })
        #expect(cleared.reason == .leftPath)
        // It is back at `j` at 316 s, or at 324 s.
        #expect((320...345).contains(cleared.time.seconds), "\(dispatcher.log)")
    }

    /// The fix moved by noise, without speed and course.
    ///
    /// - Parameter metres: the deviation along each axis.
    private func noisy(_ fix: Fix, _ metres: Metres, accuracy: Metres, _ random: inout SplitMix64) -> Fix {
        let plane = LocalPlane(latitude: fix.position.latitude)
        let noise = Vector(east: random.gaussian() * metres, north: random.gaussian() * metres)
        return Fix(position: plane.coordinate(noise, from: fix.position), time: fix.time, accuracy: accuracy)
    }

    @Test(
        "Who stands beside the turn-off, before it or behind, keeps his alert, however his fixes scatter",
        arguments: [3_590.0, 3_650], [(5.0, 1.0), (5, 10), (10, 1), (10, 10)])
    func stands(east: Metres, fixes: (Metres, Seconds)) throws {
        let (accuracy, every) = fixes
        for seed in UInt64(1)...3 {
            let drawing = try block()
            let dispatcher = try dispatcher(drawing)
            var random = SplitMix64(seed: seed)
            let arrives = Journey(
                line: try drawing.line("a") + [Drawing.place(east, 0)], speed: 12, every: every)
            dispatcher.drive(arrives)
            let arrival = try #require(arrives.fixes.last).time.seconds
            for second in stride(from: arrival + every, through: arrival + 300, by: every) {
                let place = Fix(position: Drawing.place(east, 0), time: .at(second))
                dispatcher.fix(noisy(place, 0.6 * accuracy, accuracy: accuracy, &random))
            }
            #expect(!dispatcher.stages.contains(.cleared), "seed \(seed): \(dispatcher.log)")
            dispatcher.drive(
                Journey(
                    line: [Drawing.place(east, 0)] + (try drawing.line("efz")), speed: 12, every: every,
                    start: arrival + 310, offset: 0))
            #expect(dispatcher.lives == [[.ahead, .detour, .stop, .passed]], "seed \(seed): \(dispatcher.log)")
        }
    }

    @Test("So does who drives past it, however inaccurate his fixes are", arguments: [5.0, 20, 50], [1.0, 10])
    func drivesPast(accuracy: Metres, every: Seconds) throws {
        for seed in UInt64(1)...3 {
            let drawing = try block()
            let dispatcher = try dispatcher(drawing)
            var random = SplitMix64(seed: seed)
            for fix in Journey(line: try drawing.line("az"), speed: 12, every: every).fixes {
                var scattered = noisy(fix, 0.4 * accuracy, accuracy: accuracy, &random)
                (scattered.speed, scattered.course) = (fix.speed, fix.course)
                dispatcher.fix(scattered)
            }
            #expect(dispatcher.lives == [[.ahead, .detour, .stop, .passed]], "seed \(seed): \(dispatcher.log)")
        }
    }
}
