import Geo
import Roads
import RoadsTestSupport
import Testing

@Suite("Divided roads and interchanges: each carriageway and each exit for itself")
struct HardCarriagewayTests {
    // MARK: Divided roads

    /// Two carriageways 20 m apart; the bridge is low over the southern one. A street joins an exit before it to an
    /// entrance behind it.
    ///
    ///     M◀───────J───────A═B──────R────────E      westbound
    ///     s────────j───────a═b──────r───────▶e      j 0, a 600, b 640, r 1,000 m
    ///               ╲              ╱
    ///                u────────────v                 100 m south
    private static let carriageways = """
        s -3000 0
        j 0 0
        a 600 0
        b 640 0
        r 1000 0
        e 4000 0
        E 4000 20
        R 1000 20
        B 640 20
        A 600 20
        J 0 20
        M -1000 20
        u 100 -100
        v 900 -100
        sja primary oneway=yes
        ab primary oneway=yes maxheight=3.2
        bre primary oneway=yes
        ERB primary oneway=yes
        BA primary oneway=yes
        AJM primary oneway=yes
        vr primary_link oneway=yes

        """
    private static let street = "ju primary_link oneway=yes\nuv tertiary\n"

    @Test("a low bridge over one carriageway concerns that one alone; the detour is by exit and entrance")
    func oneCarriageway() throws {
        let hazards = try DrawnHazards(Self.carriageways + Self.street)
        #expect(hazards.entries == ["ab"])
        // The entrance lies 360 m behind the far side, and is the first place there where anything joins.
        try hazards.expect(
            before: "ab", from: "sj", at: "j", distance: 600, length: 1082.8, extra: 82.8, along: ["ju", "uv", "vr"])
        #expect(try hazards.decisions("ab") == ["sj>ja"])
        #expect(try hazards.tooLate("ab") == ["ja": 0])
    }

    @Test(
        "an exit that only leads back along the other carriageway is a turn-off where the next exit there begins a detour"
    )
    func backAlongTheOther() throws {
        let hazards = try DrawnHazards(
            Self.carriageways + """
                w -1000 -100
                jJ primary_link oneway=yes
                Mw primary_link oneway=yes
                wv tertiary
                """)
        try hazards.expect(
            before: "ab", from: "sj", at: "j", distance: 600, length: 3181.4, extra: 2181.4,
            along: ["jJ", "JM", "Mw", "wv", "vr"])
    }

    @Test("without the crossing to it the other carriageway, 20 m away, is no turn-off")
    func noCrossing() throws {
        let hazards = try DrawnHazards(Self.carriageways)
        #expect(try hazards.hazard("ab").detours.isEmpty)
        #expect(try hazards.decisions("ab").isEmpty)
        #expect(try hazards.tooLate("ab").keys.sorted() == ["sa"])
    }

    @Test("low over both, it is a hazard on each, and what is too late on one is not on the other")
    func bothCarriageways() throws {
        let hazards = try DrawnHazards(
            Self.carriageways.replacing("BA primary oneway=yes", with: "BA primary oneway=yes maxheight=3.4")
                + Self.street)
        #expect(hazards.entries == ["BA", "ab"])
        #expect(try hazards.tooLate("ab") == ["ja": 0])
        #expect(try hazards.tooLate("BA").keys.sorted() == ["EB"])
    }

    // MARK: Reversible roads

    @Test("a reversible motorway leads to a low bridge from both ends, and everybody may come there")
    func reversible() throws {
        let road = (DetourTests.bypass + DetourTests.approach)
            .replacing("residential", with: "motorway oneway=reversible")
        let hazards = try DrawnHazards(road + DetourTests.street)
        #expect(hazards.entries == ["ab", "ba"])
        try hazards.expect(
            before: "ab", from: "sj", at: "j", distance: 300, length: 1100, extra: 400, along: ["jk"])
        try hazards.expect(
            before: "ba", from: "ek", at: "k", distance: 300, length: 1100, extra: 400, along: ["kj"])
        for entry in hazards.entries { #expect(try hazards.drawn.network.isOpenToAll(hazards.hazard(entry))) }
    }

    @Test(
        "no detour leads over a reversible road, in neither direction; over one that alternates by signal it does",
        arguments: [
            ("motorway oneway=reversible", false), ("residential oneway=reversible", false),
            ("residential oneway=alternating", true),
        ])
    func reversibleDetour(street: String, leads: Bool) throws {
        let hazards = try DrawnHazards(DetourTests.bypass + DetourTests.approach + "juvk \(street)")
        #expect(try hazards.approaches("ab").contains("sj") == leads)
        #expect(try hazards.approaches("ba").contains("ek") == leads)
    }

    // MARK: Interchanges

    /// A motorway with exits 800 m apart, the bridge 1,200 m behind the second, and an entrance behind it.
    ///
    ///     s──────q─────p──────────a═b──────r──────▶e    q 0, p 800, a 2,000, b 2,030, r 2,600 m
    ///             ╲     ╲                 ╱
    ///              x─────y───────────────z              150 m south
    private static let motorway = """
        s -4000 0
        q 0 0
        p 800 0
        a 2000 0
        b 2030 0
        r 2600 0
        e 6000 0
        x 150 -150
        y 950 -150
        z 2450 -150
        sqpa motorway
        ab motorway maxheight=3.8
        bre motorway
        qx motorway_link oneway=yes
        xyz secondary
        zr motorway_link oneway=yes

        """
    private static let secondExit = "py motorway_link oneway=yes\n"

    @Test("the last exit is the detour point, however near the one before it; the mile before it begins before both")
    func lastExit() throws {
        let hazards = try DrawnHazards(Self.motorway + Self.secondExit)
        try hazards.expect(
            before: "ab", from: "qp", at: "p", distance: 1200, length: 1924.3, extra: 124.3, along: ["py", "yz", "zr"])
        #expect(try hazards.approaches("ab") == ["qp"])
        #expect(try hazards.decisions("ab") == ["qp>pa"])
        let network = hazards.drawn.network
        let approaches = hazards.table.approaches(network, alertDistance: Unit.mile)
        let alert = try #require(approaches.first?.alert)
        #expect(approaches.count == 1 && !alert.isTruncated)
        #expect(abs(alert.distanceToEntry - (1200 + Unit.mile)) < 0.5)
        let place = try network.coordinate(hazards.drawn.edge("sq"), offset: 4000 - (Unit.mile - 800))
        #expect(alert.position.distance(to: place) < 1)
    }

    @Test("an exit that leads nowhere is none: the one before it is the last")
    func exitToNowhere() throws {
        let hazards = try DrawnHazards(
            Self.motorway + "w 950 -300\npw motorway_link oneway=yes")
        try hazards.expect(
            before: "ab", from: "sq", at: "q", distance: 2000, length: 2724.3, extra: 124.3,
            along: ["qx", "xz", "zr"]
        )
        #expect(try hazards.tooLate("ab").keys.sorted() == ["pa", "qp"])
    }

    @Test("a low ramp is passed by on the exit before it; who stays on the motorway for the ramp has no detour")
    func lowRamp() throws {
        let hazards = try DrawnHazards(
            Self.motorway.replacing(" maxheight=3.8", with: "") + """
                c 875 -75
                d 900 -100
                pc motorway_link oneway=yes
                cd motorway_link oneway=yes maxheight=3.2
                dy motorway_link oneway=yes
                """)
        #expect(hazards.entries == ["cd"])
        // By the street to its crossing with the ramp: 141.4 m behind the low edge, which is 35.4 m long.
        try hazards.expect(
            before: "cd", from: "sq", at: "q", distance: 906.1, length: 1012.1, extra: 0.0, along: ["qx", "xy"])
        #expect(try hazards.tooLate("cd").keys.sorted() == ["pc", "qp"])
    }
}
