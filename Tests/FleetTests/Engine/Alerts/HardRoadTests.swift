import Clearances
import Fleet
import FleetTestSupport
import Geo
import Messages
import Roads
import Testing

/// Divided roads, motorways, roundabouts, tunnels, borders: a truck is driven over each and listened to.
struct HardRoadTests {
    // MARK: Divided roads

    /// Carriageways 20 m apart, low over the eastbound one; exit `j`, entrance `r`.
    private static let divided = """
        s -4000 0
        j 0 0
        a 600 0
        b 640 0
        r 1000 0
        e 4000 0
        E 4000 20
        W -4000 20
        u 100 -100
        v 900 -100
        sja primary oneway=yes name=Ring+Road
        ab primary oneway=yes maxheight=3.2 name=Ring+Road
        bre primary oneway=yes name=Ring+Road
        EW primary oneway=yes name=Ring+Road
        ju primary_link oneway=yes
        uv tertiary name=Service+Street
        vr primary_link oneway=yes
        """

    @Test("On the carriageway with the low bridge a truck hears every stage, on the other, 20 m away, nothing")
    func carriageways() throws {
        let drawing = try Drawing(Self.divided)
        for seed in UInt64(1)...10 {
            let eastbound = Dispatcher(drawing.network)
            eastbound.drive(try drawing.line("se"), noise: 5, seed: seed)
            #expect(eastbound.stages == [.ahead, .detour, .stop, .passed], "seed \(seed): \(eastbound.log)")
            let westbound = Dispatcher(drawing.network)
            westbound.drive(try drawing.line("EW"), noise: 5, seed: seed)
            #expect(westbound.log == [], "seed \(seed)")
        }
    }

    @Test("Out at the exit and in again behind the bridge: ahead, detour, cleared")
    func exitAndEntrance() throws {
        let drawing = try Drawing(Self.divided)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("sjuvre"), every: 5))
        #expect(dispatcher.stages == [.ahead, .detour, .cleared])
        #expect(abs(try #require(dispatcher.alerts.first?.detour?.length) - 1_082.8) < 1)
    }

    // MARK: Motorways

    /// Exits `q` and `p`, 800 m apart; the bridge is 1,200 m behind the second.
    private static let motorway = """
        s -6000 0
        q 0 0
        p 800 0
        a 2000 0
        b 2030 0
        r 2600 0
        e 6000 0
        x 150 -150
        y 950 -150
        z 2450 -150
        Z 6000 -150
        sqpa motorway ref=I+94
        ab motorway maxheight=4.0 ref=I+94
        bre motorway ref=I+94
        qx motorway_link oneway=yes name=Exit+171
        py motorway_link oneway=yes name=Exit+172
        xyzZ secondary name=Jackson+Road
        zr motorway_link oneway=yes
        """

    @Test("A mile before the last exit is before the one before it: the driver hears of the last, and may take either")
    func lastExit() throws {
        let drawing = try Drawing(Self.motorway)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("se"), speed: 25, every: 5))
        #expect(dispatcher.stages == [.ahead, .detour, .stop, .passed])
        let first = try #require(dispatcher.alerts.first)
        let detour = try #require(first.detour)
        #expect(detour.position.distance(to: Drawing.place(800, 0)) < 1)
        #expect(detour.turnOnto == "Exit 172")
        #expect(detour.distance > Unit.mile)
        // The first exit is passed at 240 s.
        #expect(first.time.seconds < 240)
        #expect(first.text.contains("Leave at Exit 172 in 1."))
    }

    @Test("Leaving by the last exit, or by the one before it, ends the alert", arguments: ["sqxZ", "spyZ"])
    func topicSuffixes(way: String) throws {
        let drawing = try Drawing(Self.motorway)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line(way), speed: 25, every: 5))
        #expect(dispatcher.stages.filter { $0 != .detour } == [.ahead, .cleared])
        #expect(dispatcher.stages.contains(.detour) == (way == "spyZ"))
    }

    // MARK: Roundabouts

    /// Driven counterclockwise; the bridge is 300 m behind the eastern exit, the northern one has the detour.
    private static let roundabout = """
        a 20 0
        b 0 20
        c -20 0
        d 0 -20
        s -4000 0
        g 320 0
        h 360 0
        k 1000 0
        e 4000 0
        n 0 500
        m 1000 500
        N 0 4000
        abcda tertiary junction=roundabout
        sc tertiary name=Main+Street
        ag tertiary name=Main+Street
        gh tertiary name=Main+Street maxheight=3.2
        hke tertiary name=Main+Street
        bn residential name=North+Road
        nN residential name=North+Road
        nmk residential name=Mill+Lane
        """

    @Test("The exit towards the bridge is the last decision: ahead before the roundabout, stop behind that exit")
    func roundabout() throws {
        let drawing = try Drawing(Self.roundabout)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("scdage"), speed: 10, every: 5))
        let lives = dispatcher.lives.map { $0.filter { $0 != .detour } }.filter { $0.contains(.stop) }
        #expect(lives == [[.ahead, .stop, .passed]], "\(dispatcher.log)")
        let first = try #require(dispatcher.alerts.first)
        #expect(try #require(first.detour).position.distance(to: Drawing.place(20, 0)) < 1)
        let stop = try #require(dispatcher.alerts.first { $0.stage == .stop })
        // 3,980 m to the ring and half of it.
        #expect((403.0...411).contains(stop.time.seconds), "\(dispatcher.log)")
    }

    @Test("Going round the ring twice is one alert, and leaving by another exit ends it", arguments: [1.0, 2, 5])
    func twice(every: Seconds) throws {
        let drawing = try Drawing(Self.roundabout)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("scdabcdabcdabN"), speed: 8, every: every))
        #expect(dispatcher.livesOnPath == [[.ahead, .detour, .cleared]], "\(dispatcher.log)")
    }

    @Test("Before a roundabout that is low all round a truck is told of the street round it")
    func lowRoundabout() throws {
        let drawing = try Drawing(
            """
            a 20 0
            b 14 14
            c 0 20
            d -14 14
            f -20 0
            g -14 -14
            h 0 -20
            i 14 -14
            s -4000 0
            j -520 0
            k 520 0
            e 4000 0
            n 0 500
            abcdfghia tertiary name=Ring junction=roundabout maxheight=3.2
            sjf tertiary name=Main+Street
            ake tertiary name=Main+Street
            jnk residential name=Mill+Lane
            """)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("sjfghiake"), speed: 12, every: 5))
        #expect(dispatcher.stages.prefix(3) == [.ahead, .detour, .stop], "\(dispatcher.log)")
        let first = try #require(dispatcher.alerts.first)
        #expect(try #require(first.detour).position.distance(to: Drawing.place(-520, 0)) < 1)
    }

    // MARK: Estates

    @Test("Before the only road into an estate a truck is told to keep off it, though a street there leads back")
    func estate() throws {
        let drawing = try Drawing(
            """
            s -4000 0
            j 0 0
            e 3000 0
            a 0 100
            b 0 120
            c 0 400
            u -60 440
            v -60 520
            w 60 520
            x 60 440
            sje secondary name=Main+Road
            ja residential name=Mill+Lane
            ab residential name=Mill+Lane maxheight=3.2
            bc residential name=Mill+Lane
            cuvwxc residential name=Mill+Close
            """)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("sjabc"), speed: 12, every: 1))
        #expect(dispatcher.stages == [.ahead, .stop, .passed], "\(dispatcher.log)")
        let ahead = try #require(dispatcher.alerts.first)
        #expect(ahead.time.seconds < 4_000 / 12)
        #expect(ahead.text.hasPrefix("Do not turn onto Mill Lane"))
    }

    // MARK: Tunnels

    /// A tunnel of 800 m; the streets above it lead round, one of them across it.
    private static let tunnel = """
        a 0 0
        j 4000 0
        k 4800 0
        z 8000 0
        u 4000 -200
        w 4400 -200
        v 4800 -200
        x 4400 1500
        y 4400 -1500
        aj primary name=Main+Street
        jk primary name=Town+Tunnel tunnel=yes layer=-1 maxheight=3.8
        kz primary name=Main+Street
        ju residential
        uwv residential
        vk residential
        xwy residential name=High+Street
        """

    @Test("A truck that is not seen in the tunnel is told before it, and has passed when it comes out")
    func unseenInTheTunnel() throws {
        let drawing = try Drawing(Self.tunnel)
        let dispatcher = Dispatcher(drawing.network)
        for fix in Journey(line: try drawing.line("az"), every: 5, offset: 50).fixes {
            let east = fix.position.distance(to: Drawing.place(0, 0))
            if !(4_000...4_800).contains(east) { dispatcher.fix(fix) }
        }
        #expect(dispatcher.stages == [.ahead, .detour, .passed])
        #expect(dispatcher.alerts.first?.text.hasPrefix("Low bridge 3.8 m on Town Tunnel") == true)
    }

    @Test("A truck on the street above the tunnel is not in it")
    func aboveTheTunnel() throws {
        let drawing = try Drawing(Self.tunnel)
        for seed in UInt64(1)...10 {
            let dispatcher = Dispatcher(drawing.network)
            dispatcher.drive(try drawing.line("xy"), noise: 5, speed: 10, seed: seed)
            #expect(!dispatcher.stages.contains(.stop) && !dispatcher.stages.contains(.passed), "seed \(seed)")
            #expect(dispatcher.alerts.allSatisfy { $0.sideRoad }, "seed \(seed)")
        }
    }

    // MARK: Borders, long heights, one direction

    @Test("Where the only detour leaves the map no detour is known: the alert says so, and names the turn-off")
    func border() throws {
        let drawing = try Drawing(
            """
            a 0 0
            j 4000 0
            e 4300 0
            f 4340 0
            z 6500 0
            n 4000 3000
            aj tertiary name=Main+Street
            je tertiary name=Main+Street
            ef tertiary name=Main+Street maxheight=3.2
            fz tertiary name=Main+Street
            jn residential name=Border+Road
            """)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("az"), every: 5))
        #expect(dispatcher.stages == [.ahead, .detour, .stop, .passed])
        #expect(dispatcher.alerts.allSatisfy { $0.detour == nil })
        let first = try #require(dispatcher.alerts.first)
        #expect(first.text.contains("No detour: turn off at Border Road"))
        #expect(first.distance > Unit.mile + 300)
    }

    @Test(
        "Wherever its fixes lie, a truck that has gone under has passed, though a way leads round to the other side",
        arguments: [true, false])
    func passedWithSparseFixes(isFluent: Bool) throws {
        let drawing = try Drawing.bridge()
        for offset in stride(from: 0.0, to: 160, by: 4) {
            let dispatcher = Dispatcher(drawing.network)
            dispatcher.drive(
                Journey(line: try drawing.line("az"), every: 8, offset: offset, isFluent: isFluent))
            let ends = dispatcher.livesOnPath.compactMap(\.last)
            #expect(ends == [.passed], "first fix at \(offset) m")
        }
    }

    /// A height over a kilometre, from 4,300 m on; its bridge is at 5,000 m.
    private static let kilometre = """
        a 0 0
        j 4000 0
        e 4300 0
        f 5300 0
        g 5600 0
        z 8000 0
        n 4000 300
        m 5600 300
        p 5000 -50
        q 5000 50
        aj tertiary name=Main+Street
        je tertiary name=Main+Street
        ef tertiary name=Main+Street maxheight=3.2
        fg tertiary name=Main+Street
        gz tertiary name=Main+Street
        jnmg residential name=Bypass+Road
        pq none railway=rail bridge=yes layer=1 name=Branch+Line
        """

    @Test("A height over a kilometre counts from its start; it is passed at its bridge, and named after it")
    func kilometre() throws {
        let drawing = try Drawing(Self.kilometre)
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line("az"), every: 1))
        #expect(dispatcher.livesOnPath == [[.ahead, .detour, .stop, .passed]])
        let first = try #require(dispatcher.alerts.first)
        #expect(abs(first.distance - (first.detour?.distance ?? 0) - 300) < 1)
        #expect(first.clearance.name == "Branch Line over Main Street")
        // 5,003 m less the 7 m where the first fix is, at 20 m/s.
        #expect((249.0...251).contains(try #require(dispatcher.time(of: .passed))))
    }

    @Test("Who turns round on it before the bridge has not passed")
    func turnsBeforeTheBridge() throws {
        let drawing = try Drawing(Self.kilometre)
        let dispatcher = Dispatcher(drawing.network)
        let line = try drawing.line("a") + [Drawing.place(4_900, 0)] + drawing.line("a")
        dispatcher.drive(Journey(line: line, every: 5))
        #expect(dispatcher.livesOnPath.first == [.ahead, .detour, .stop, .cleared])
        #expect(!dispatcher.stages.contains(.passed))
    }

    @Test("A height in one direction concerns trucks in that direction", arguments: [("az", true), ("za", false)])
    func oneDirection(way: String, isLow: Bool) throws {
        let drawing = try Drawing(Self.kilometre.replacing("maxheight=", with: "maxheight:forward="))
        let dispatcher = Dispatcher(drawing.network)
        dispatcher.drive(Journey(line: try drawing.line(way), every: 5))
        #expect(dispatcher.livesOnPath == (isLow ? [[.ahead, .detour, .stop, .passed]] : []))
    }
}
