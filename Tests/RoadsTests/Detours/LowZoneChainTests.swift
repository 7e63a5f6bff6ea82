import Clearances
import Geo
import Roads
import RoadsTestSupport
import Testing

@Suite("Low zones on one road are one hazard where no detour begins between them")
struct LowZoneChainTests {
    @Test("two bridges are no chain where a detour begins between them, though only who passes the first comes there")
    func detourBehindTheFirst() throws {
        let hazards = try DrawnHazards(
            """
            s -1000 0
            a 0 0
            n 100 0
            c 200 0
            d 300 0
            k 400 0
            e 1400 0
            u 100 200
            v 400 200
            sa residential oneway=yes
            an residential oneway=yes maxheight=3.2
            nc residential oneway=yes
            cd residential oneway=yes maxheight=3.2
            dke residential oneway=yes
            nuvk residential oneway=yes
            """)
        #expect(try hazards.zone("an") == ["an"])
        #expect(try hazards.zone("cd") == ["cd"])
    }

    @Test("two bridges are no chain where the detour that begins between them also leads on round to the second")
    func detourLeadsRound() throws {
        let hazards = try DrawnHazards(
            """
            s -1000 0
            a 0 0
            b 100 0
            m 300 0
            c 500 0
            d 600 0
            k 700 0
            e 1700 0
            u 100 1000
            v 700 1000
            w 700 -200
            x 300 -200
            z 300 -1200
            sa residential
            ab residential maxheight=3.2
            bmc residential oneway=yes
            cd residential oneway=yes maxheight=3.2
            dke residential oneway=yes
            buvk residential oneway=yes
            kwx residential oneway=yes
            zxm residential oneway=yes
            """)
        #expect(try hazards.zone("ab") == ["ab"])
        #expect(try hazards.zone("cd") == ["cd"])
        #expect(SlowReference.disagreements(hazards.drawn.network, height: 400) == [])
    }

    /// Two bridges on one road, 200 m apart, and a street round both.
    ///
    ///        u────────n──────────────v      200 m north
    ///        │                       │
    ///     s──j────a══b──m────c══d────k──e   j 0, a 300, b 400, m 500, c 650, d 750, k 1050 m
    private static let twoBridges = """
        s -1000 0
        j 0 0
        a 300 0
        b 400 0
        m 500 0
        c 650 0
        d 750 0
        k 1050 0
        e 2050 0
        u 0 200
        n 500 200
        v 1050 200
        sja residential
        ab residential maxheight=3.2
        cd residential maxheight=3.5
        dke residential
        junvk residential

        """

    @Test("two bridges without a turn-off between are one hazard: the first one's detour governs and bypasses both")
    func chain() throws {
        let hazards = try DrawnHazards(Self.twoBridges + "bmc residential")
        #expect(hazards.entries == ["ab", "dc"])
        #expect(try hazards.zone("ab") == ["ab", "bc", "cd"])
        try hazards.expect(
            before: "ab", from: "sj", at: "j", distance: 300, length: 1450, extra: 400, along: ["jk"])
        let ways = try ["ab", "cd"].map { "osm:way:\(try hazards.drawn.id(way: $0))" }
        #expect(try hazards.hazard("ab").clearances.map { hazards.drawn.network.clearance($0).id } == ways)
    }

    @Test("a dead end between is no turn-off")
    func chainWithDeadEnd() throws {
        let hazards = try DrawnHazards(Self.twoBridges + "bmc residential\nz 500 -100\nmz residential")
        #expect(try hazards.zone("ab") == ["ab", "bm", "mc", "cd"])
        try hazards.expect(before: "ab", from: "sj", at: "j", distance: 300, length: 1450, extra: 400)
    }

    @Test("with a turn-off between they are two, each with its own detour")
    func twoHazards() throws {
        let hazards = try DrawnHazards(Self.twoBridges + "bmc residential\nmn residential")
        #expect(hazards.entries == ["ab", "ba", "cd", "dc"])
        #expect(try hazards.zone("ab") == ["ab"])
        try hazards.expect(
            before: "ab", from: "sj", at: "j", distance: 300, length: 900, extra: 400, along: ["jn", "nm"])
        try hazards.expect(
            before: "cd", from: "bm", at: "m", distance: 150, length: 950, extra: 400, along: ["mn", "nk"])
    }

    @Test("the far side of the first is between too")
    func turnOffAtTheFarSide() throws {
        let hazards = try DrawnHazards(
            Self.twoBridges.replacing("n 500 200", with: "n 400 200") + "bmc residential\nbn residential")
        #expect(try hazards.zone("ab") == ["ab"])
        try hazards.expect(
            before: "ab", from: "sj", at: "j", distance: 300, length: 800, extra: 400, along: ["jn", "nb"])
        #expect(hazards.entries.contains("cd"))
    }

    @Test("only what lies straight on is chained")
    func straightOn() throws {
        let hazards = try DrawnHazards(
            Self.twoBridges.replacing("c 650 0", with: "c 500 -150").replacing("d 750 0", with: "d 500 -250")
                + "bm residential\nmc residential\nmk residential")
        #expect(try hazards.zone("ab") == ["ab"])
    }

    @Test("a low yard down the road does not take the detours of the bridges before it away")
    func yardBehind() throws {
        let hazards = try DrawnHazards(DetourTests.drawing + "f 1900 0\nef service maxheight=2.5")
        #expect(try hazards.zone("ab") == ["ab"])
        try hazards.expect(before: "ab", from: "sj", at: "j", distance: 300, length: 1100, extra: 400)
        #expect(try hazards.hazard("ef").detours.isEmpty)
        #expect(try hazards.decisions("ef") == ["bk>ke", "jk>ke"])
        #expect(try abs(hazards.decision("ef", from: "bk").distanceToEntry - 1000) < 0.5)
    }

    @Test("an entry that can only be reached out of another low zone is no hazard of its own")
    func onlyOutOfALowZone() throws {
        let oneway = "bmc residential oneway=yes\n"
        // Who sets off at b may drive back.
        #expect(try DrawnHazards(Self.twoBridges + oneway).entries == ["ab", "ba", "dc"])
        // Somebody may begin at x, though, and has nowhere else to go.
        let hazards = try DrawnHazards(Self.twoBridges + oneway + "x 500 -100\nxm residential oneway=yes")
        #expect(hazards.entries == ["ab", "ba", "cd", "dc"])
        #expect(try hazards.hazard("cd").detours.isEmpty)
        #expect(try hazards.tooLate("cd").keys.sorted() == ["bm", "mc", "xm"])
    }

    /// A low road from the end of the map or of a street, and a bridge behind it, without a way round either.
    ///
    ///     o══l───x───g══h──z
    ///            w
    private static let lowBeginning = """
        o 0 0
        l 300 0
        x 700 0
        g 1200 0
        h 1240 0
        z 3000 0
        w 700 -600
        y 1700 -600
        ol tertiary maxheight=3.2
        lxg tertiary
        gh tertiary maxheight=3.4
        hz tertiary

        """

    @Test(
        "who sets off in a low zone is told of the next one apart, if a turn-off without a detour lies between",
        arguments: [
            ("", ["ol", "lg", "gh"]), ("xw residential", ["ol"]),
            ("xw residential hgv:forward=no", ["ol", "lx", "xg", "gh"]),
            // It is no turn-off to who comes out of a low road.
            ("lw residential", ["ol", "lg", "gh"]),
            // Who comes from before has passed the last turn-off there.
            ("xw residential\ns -900 0\nso tertiary", ["ol", "lx", "xg", "gh"]),
        ])
    func turnOffBehindBeginning(more: String, zone: [String]) throws {
        let hazards = try DrawnHazards(Self.lowBeginning + more)
        #expect(try hazards.zone("ol") == zone)
        #expect(SlowReference.disagreements(hazards.drawn.network, height: 400) == [])
        guard zone == ["ol"] else { return }
        #expect(try hazards.decisions("gh") == ["lx>xg", "wx>xg"])
    }

    @Test("a chain in which one sets off ends before its first turn-off, though that is not behind its first zone")
    func turnOffBehindSecondZone() throws {
        let drawing =
            Self.lowBeginning.replacing("hz", with: "hkz") + """
                k 1500 0
                m 2000 0
                n 2040 0
                q 4000 0
                """
        let road = drawing.replacing("hkz tertiary", with: "hkm tertiary\nmn tertiary maxheight=3.3\nnq tertiary")
        #expect(try DrawnHazards(road).zone("ol") == ["ol", "lg", "gh", "hm", "mn"])
        let hazards = try DrawnHazards(road + "\nky residential")
        #expect(try hazards.zone("ol") == ["ol", "lg", "gh"])
        #expect(SlowReference.disagreements(hazards.drawn.network, height: 400) == [])
    }
}
