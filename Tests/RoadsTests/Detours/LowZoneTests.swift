import Clearances
import Geo
import Roads
import RoadsTestSupport
import Testing

@Suite("Low zones, what lies behind them, and where there is no detour")
struct LowZoneTests {
    // MARK: Rejoining

    /// A one-way road with the bridge at 300 to 400 m; a street round it comes back `join` metres past the far side, and
    /// a dead end joins the road `stub` metres past it.
    private static func oneway(join: Metres, stub: Metres?) -> String {
        let places = [("k", join), ("t", stub)].compactMap { name, past in past.map { (name: name, past: $0) } }
        let road = places.sorted { $0.past < $1.past }
        return """
            s -1000 0
            j 0 0
            a 300 0
            b 400 0
            e 3000 0
            u 0 200
            v \(400 + join) 200
            \(road.map { "\($0.name) \(400 + $0.past) 0" }.joined(separator: "\n"))
            z \(400 + (stub ?? 0)) -100
            sja primary oneway=yes
            ab primary oneway=yes maxheight=3.2
            b\(road.map(\.name).joined())e primary oneway=yes
            juvk residential
            \(stub == nil ? "" : "zt residential")
            """
    }

    @Test(
        "within 200 m past the far side, and on to the first node that another edge joins",
        arguments: [
            (150, nil, true), (190, 100, true), (250, 100, false), (900, 190, false),
            // A divided road may have none for longer.
            (250, nil, true), (900, nil, true), (290, 300, true), (500, 300, false),
        ] as [(Metres, Metres?, Bool)])
    func rejoin(join: Metres, stub: Metres?, counts: Bool) throws {
        let hazards = try DrawnHazards(Self.oneway(join: join, stub: stub))
        guard counts else {
            #expect(try hazards.hazard("ab").detours.isEmpty)
            return
        }
        try hazards.expect(
            before: "ab", from: "sj", at: "j", distance: 300, length: 800 + join, extra: 400, along: ["jk"])
    }

    @Test("the shortest way to any of the rejoin points counts, not the one to the far side")
    func nearestRejoin() throws {
        let hazards = try DrawnHazards(
            Self.oneway(join: 100, stub: nil) + """

                f 0 -900
                g 400 -900
                jfgb residential
                """)
        try hazards.expect(
            before: "ab", from: "sj", at: "j", distance: 300, length: 900, extra: 400, along: ["jk"])
    }

    // MARK: Zones

    /// The bridge's way is cut in its middle by a yard's drive.
    private static let cutZone = """
        m 350 0
        z 350 -100
        amb residential maxheight=3.2
        mz service
        """

    private static func cut(_ drawing: String) -> String {
        drawing.replacing("ab residential maxheight=3.2", with: cutZone)
    }

    @Test("consecutive too-low edges are one zone; its far side is where the straight continuation leaves it")
    func severalEdges() throws {
        let hazards = try DrawnHazards(Self.cut(DetourTests.bypass + DetourTests.approach + DetourTests.street))
        #expect(try hazards.zone("am") == ["am", "mb"])
        #expect(try hazards.zone("bm") == ["bm", "ma"])
        try hazards.expect(before: "am", from: "sj", at: "j", distance: 300, length: 1100, extra: 400)
        #expect(try hazards.hazard("am").clearances.count == 1)
    }

    @Test("a zone that is entered from its side is a hazard of its own there, with nothing to decide at a dead end")
    func enteredFromTheSide() throws {
        let hazards = try DrawnHazards(Self.cut(DetourTests.bypass + DetourTests.approach + DetourTests.street))
        #expect(hazards.entries == ["am", "bm", "ma", "mb"])
        #expect(try hazards.zone("mb") == ["mb"])
        #expect(try hazards.hazard("mb").detours.isEmpty)
        #expect(try hazards.decisions("mb") == [])
        #expect(try hazards.tooLate("mb") == ["zm": 0])
    }

    @Test("clearances are in driving order, an edge's lowest first, each once")
    func clearances() throws {
        let hazards = try DrawnHazards(
            Self.cut(DetourTests.bypass + DetourTests.approach + DetourTests.street)
                .replacing("m 350 0", with: "m 350 0 maxheight=3.0"))
        let network = hazards.drawn.network
        let way = "osm:way:\(try hazards.drawn.id(way: "amb"))"
        let node = "osm:node:\(try hazards.drawn.id(node: "m"))"
        #expect(try hazards.hazard("am").clearances.map { network.clearance($0).id } == [node, way])
        #expect(try hazards.hazard("bm").clearances.map { network.clearance($0).id } == [node, way])
    }

    @Test("ways that have passed the far side are no approaches")
    func passedTheFarSide() throws {
        let hazards = try DrawnHazards(
            DetourTests.bypass + DetourTests.approach + DetourTests.street + """
                p 400 -300
                q 0 -300
                bpqj residential oneway=yes
                no_turn bpqj j juvk
                """)
        // From b round by the south one comes to j without a detour, and may go on to s there.
        #expect(try hazards.tooLate("ab") == ["ja": 0])
        #expect(try hazards.decision("ab", from: "bj").detour == nil)
        #expect(try hazards.approaches("ab") == ["ek", "sj"])
    }

    // MARK: Chains

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
        let hazards = try DrawnHazards(
            DetourTests.bypass + DetourTests.approach + DetourTests.street + "f 1900 0\nef service maxheight=2.5")
        #expect(try hazards.zone("ab") == ["ab"])
        try hazards.expect(before: "ab", from: "sj", at: "j", distance: 300, length: 1100, extra: 400)
        #expect(try hazards.hazard("ef").detours.isEmpty)
        #expect(try hazards.decisions("ef") == ["bk>ke", "jk>ke"])
        #expect(try abs(hazards.decision("ef", from: "bk").distanceToEntry - 1000) < 0.5)
    }

    @Test("an entry that can only be reached out of another low zone is no hazard of its own")
    func onlyOutOfALowZone() throws {
        let oneway = "bmc residential oneway=yes\n"
        #expect(try DrawnHazards(Self.twoBridges + oneway).entries == ["ab", "dc"])
        // Somebody may begin at x, though, and has nowhere else to go.
        let hazards = try DrawnHazards(Self.twoBridges + oneway + "x 500 -100\nxm residential oneway=yes")
        #expect(hazards.entries == ["ab", "cd", "dc"])
        #expect(try hazards.hazard("cd").detours.isEmpty)
        #expect(try hazards.tooLate("cd").keys.sorted() == ["bm", "mc", "xm"])
    }

    /// A lane under a low bridge, the only way into an estate, and a street there that comes back to the lane.
    ///
    ///     s────j────e
    ///          a          100 m north
    ///          b          120 m
    ///          c          400 m, from there round by u, v, w and x
    private static let estate = """
        s -1000 0
        j 0 0
        e 1000 0
        a 0 100
        b 0 120
        c 0 400
        u -60 440
        v -60 520
        w 60 520
        x 60 440
        sje residential
        ja residential
        ab residential maxheight=3.2
        bc residential
        cuvwxc residential

        """

    @Test("a bridge is not chained to its other side, to which the street behind it comes back")
    func loopBehind() throws {
        let hazards = try DrawnHazards(Self.estate)
        #expect(hazards.entries == ["ab", "ba"])
        #expect(try hazards.zone("ab") == ["ab"])
        #expect(try hazards.hazard("ab").detours.isEmpty)
        #expect(try hazards.decisions("ab") == ["ej>ja", "sj>ja"])
        #expect(try abs(hazards.decision("ab", from: "sj").distanceToEntry - 100) < 0.5)
        #expect(try hazards.tooLate("ab") == ["ja": 0])
        let approaches = hazards.table.approaches(hazards.drawn.network, alertDistance: Unit.mile)
        let approach = try #require(approaches.first { hazards.drawn.name($0.hazard.entry) == "ab" })
        #expect(approach.detour == nil && approach.alert != nil)
    }

    @Test("the turn-off before a loop road that ends low counts, though who comes there has passed the far side")
    func lowEndOfLoop() throws {
        let hazards = try DrawnHazards(
            """
            s -1000 0
            f 0 0
            e 1000 0
            u 0 200
            a 100 200
            sfe residential
            fua residential oneway=yes
            af residential oneway=yes maxheight=3.2
            """)
        #expect(hazards.entries == ["af"])
        #expect(try hazards.decisions("af") == ["ef>fa", "sf>fa"])
        #expect(try hazards.tooLate("af") == ["fa": 0])
    }

    // MARK: No detour

    /// A drive of 300 m off a street, with a gateway 2.1 m high at its end.
    private static let yard = """
        s -1000 0
        j 0 0
        e 1000 0
        g 0 300
        h 0 350
        sj residential
        je residential
        jg service
        gh service maxheight=2.1

        """

    @Test(
        "where no detour exists the decision is at the last turn-off of any kind; low zones of service roads are apart"
    )
    func noDetour() throws {
        let hazards = try DrawnHazards(Self.yard)
        #expect(hazards.entries == ["gh"])
        #expect(try !hazards.hazard("gh").isPublic)
        #expect(try hazards.hazard("gh").detours.isEmpty)
        #expect(try hazards.decisions("gh") == ["ej>jg", "sj>jg"])
        let decision = try hazards.decision("gh", from: "sj")
        #expect(decision.detour == nil)
        #expect(hazards.drawn.name(decision.turnOff) == "je")
        #expect(abs(decision.distanceToEntry - 300) < 0.5)
        #expect(try hazards.tooLate("gh") == ["jg": 0])
    }

    @Test("that turn-off leads onto an edge that is not too low")
    func lowTurnOff() throws {
        let hazards = try DrawnHazards(Self.yard.replacing("je residential", with: "je residential maxheight=3"))
        #expect(try hazards.decisions("gh").isEmpty)
        #expect(try hazards.tooLate("gh").keys.sorted() == ["jg", "sj"])
    }
}
