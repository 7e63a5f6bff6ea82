import Fleet
import FleetTestSupport
import Geo
import Messages
import Testing

/// Roads one above the other and side by side: the network tells which of them a truck is on, not the distance.
struct HardLevelTests {
    // MARK: One above the other

    /// A low road eastwards under a bridge that carries a road north. Only a ramp, one-way, leads from one to the other.
    ///
    ///                      t
    ///          n───────────d───────────m         the street n–m passes under the bridge c–d too
    ///          │           ║           │
    ///     a────j────────e══╬══f────────g────z    j -600, e -20, f 20, g 600 m
    ///           ╲          c
    ///            ╲─────────h
    ///                      b
    private static let crossing = """
        a -4000 0
        j -600 0
        e -20 0
        f 20 0
        g 600 0
        z 4000 0
        n -600 400
        m 600 400
        b 0 -3000
        h 0 -300
        c 0 -60
        d 0 460
        t 0 3000
        aj primary name=Main+Street
        je primary name=Main+Street
        ef primary name=Main+Street maxheight=3.2
        fg primary name=Main+Street
        gz primary name=Main+Street
        jnmg residential name=Bypass+Road
        bh primary name=High+Road
        hc primary name=High+Road
        cd primary name=High+Road bridge=yes layer=1
        dt primary name=High+Road
        jh primary_link oneway=yes
        """

    private static let noises: [Metres] = [5, 8]
    private static let seeds = Array(1...10 as ClosedRange<UInt64>)

    @Test("A truck on the bridge hears nothing of the road under it", arguments: ["bt", "tb"], noises)
    func over(way: String, noise: Metres) throws {
        let drawing = try Drawing(Self.crossing)
        for seed in Self.seeds {
            let dispatcher = Dispatcher(drawing.network)
            dispatcher.drive(try drawing.line(way), noise: noise, seed: seed)
            #expect(dispatcher.log == [], "seed \(seed)")
        }
    }

    @Test("A truck under it hears ahead, detour, stop and passed, each once", arguments: ["az", "za"], noises)
    func under(way: String, noise: Metres) throws {
        let drawing = try Drawing(Self.crossing)
        for seed in Self.seeds {
            let dispatcher = Dispatcher(drawing.network)
            dispatcher.drive(try drawing.line(way), noise: noise, seed: seed)
            #expect(dispatcher.livesOnPath == [[.ahead, .detour, .stop, .passed]], "seed \(seed): \(dispatcher.log)")
        }
    }

    @Test(
        "A truck that leaves by the ramp and crosses above the low road has left it: cleared, not passed",
        arguments: noises)
    func ramp(noise: Metres) throws {
        let drawing = try Drawing(Self.crossing)
        for seed in Self.seeds {
            let dispatcher = Dispatcher(drawing.network)
            dispatcher.drive(try drawing.line("ajht"), noise: noise, seed: seed)
            #expect(dispatcher.livesOnPath == [[.ahead, .detour, .cleared]], "seed \(seed): \(dispatcher.log)")
        }
    }

    // MARK: Side by side

    /// Two roads 15 m apart that part at `p` and meet at `q`; the lesser one, one-way, leads under a low bridge.
    ///
    ///          c──────────d═e──────────f
    ///     s───p─────────────────────────q───z    p 0, d 1,480, e 1,520, q 3,000 m
    private static let parallel = """
        s -4000 0
        p 0 0
        q 3000 0
        z 7000 0
        c 60 15
        d 1480 15
        e 1520 15
        f 2940 15
        sp primary name=Main+Street
        pq primary name=Main+Street
        qz primary name=Main+Street
        pcd tertiary name=Frontage+Road oneway=yes
        de tertiary name=Frontage+Road maxheight=3.2 oneway=yes
        efq tertiary name=Frontage+Road oneway=yes
        """

    @Test("A truck on the high road is told to keep off the low one, and never to stop", arguments: [1.0, 5, 10])
    func highRoad(every: Seconds) throws {
        let drawing = try Drawing(Self.parallel)
        for seed in Self.seeds {
            let dispatcher = Dispatcher(drawing.network)
            dispatcher.drive(try drawing.line("spqz"), noise: 5, every: every, seed: seed)
            #expect(dispatcher.stages == [.ahead, .cleared], "seed \(seed): \(dispatcher.log)")
            #expect(dispatcher.alerts.allSatisfy { $0.sideRoad })
        }
    }

    @Test("A truck on the low road is told to stop, and has passed in the end", arguments: [1.0, 5, 10])
    func lowRoad(every: Seconds) throws {
        let drawing = try Drawing(Self.parallel)
        for seed in Self.seeds {
            let dispatcher = Dispatcher(drawing.network)
            dispatcher.drive(try drawing.line("spcdefqz"), noise: 5, every: every, seed: seed)
            let lives = dispatcher.lives.map { $0.filter { $0 != .detour } }.filter { $0.contains(.stop) }
            #expect(lives == [[.ahead, .stop, .passed]], "seed \(seed): \(dispatcher.log)")
        }
    }

    @Test("Nor is one told to stop that is first seen where both roads run side by side")
    func firstSeenBeside() throws {
        let drawing = try Drawing(Self.parallel)
        let line = try drawing.line("pqz")
        for seed in UInt64(1)...40 {
            let dispatcher = Dispatcher(drawing.network)
            dispatcher.drive(line, noise: 5, from: 700, seed: seed)
            #expect(!dispatcher.stages.contains(.stop), "seed \(seed): \(dispatcher.log)")
            #expect(!dispatcher.stages.contains(.passed), "seed \(seed): \(dispatcher.log)")
        }
    }
}
