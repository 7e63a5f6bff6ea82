import Clearances
import Geo
import Roads
import RoadsTestSupport
import Testing

@Suite("Where the roads of the file end: borders, gaps, ferries and barriers")
struct HardBorderTests {
    private static let road = DetourTests.bypass + DetourTests.approach

    // MARK: Borders

    /// The street round the bridge leaves the extract between `u` and `v`; only where `v` is read does it come back.
    private static let cut = DetourTests.drawing.replacing("v 700 200\n", with: "")

    @Test("a way that leaves the extract ends there, and nothing is known of where it leads: no detour over it")
    func continuationMissing() throws {
        let hazards = try DrawnHazards(Self.cut)
        #expect(hazards.drawn.report.missingNodes == 1)
        #expect(hazards.drawn.edgeNames.contains("ju"))
        #expect(hazards.entries == ["ab", "ba"])
        #expect(try hazards.hazard("ab").detours.isEmpty)
        #expect(try DrawnHazards(Self.cut + "v 700 200\n").approaches("ab").contains("sj"))
    }

    @Test(
        "the hazard is kept, and its last turn-off of any kind is the one onto that way: a detour may well begin there")
    func turnOffKept() throws {
        let hazards = try DrawnHazards(Self.cut)
        #expect(try hazards.decisions("ab") == ["sj>ja", "uj>ja"])
        let decision = try hazards.decision("ab", from: "sj")
        #expect(decision.detour == nil && hazards.drawn.name(decision.turnOff) == "ju")
        #expect(try hazards.tooLate("ab") == ["ja": 0])
    }

    @Test("where the road behind the bridge leaves the extract, a street that joins it before the border still counts")
    func rejoinsBeforeTheBorder() throws {
        let hazards = try DrawnHazards(DetourTests.drawing.replacing("bke", with: "bkye"))
        #expect(!hazards.drawn.edgeNames.contains("ke"))
        try hazards.expect(before: "ab", from: "sj", at: "j", distance: 300, length: 1100, extra: 400)
    }

    @Test("on a low way that is cut by the border, who comes in before its structure may still turn off")
    func comesInOnALowWay() throws {
        // The way's structure is in its middle, 300 m behind j.
        let hazards = try DrawnHazards(
            """
            b -1000 0
            j -500 0
            k 600 0
            e 1500 0
            u -500 500
            v 600 500
            xbjk primary maxheight=3.2
            ke primary
            ju residential
            uvk residential
            """)
        #expect(hazards.entries == ["jb", "jk", "kj"])
        try hazards.expect(
            before: "jk", from: "bj", at: "j", distance: 0, length: 2100, extra: 1000, along: ["ju", "uk"])
        #expect(try hazards.decision("jk", from: "bj").detour != nil)
        #expect(SlowReference.disagreements(hazards.drawn.network, height: 400) == [])
    }

    @Test(
        "an alert point that would lie beyond the border is put there, and marked",
        arguments: [(-1000.0, 1300.0, true), (-1600, 1900, true), (-1700, 300 + Unit.mile, false)])
    func alertPoint(start: Metres, distanceToEntry: Metres, isTruncated: Bool) throws {
        let drawing = DetourTests.bypass.replacing("s -1000 0", with: "s \(Int(start)) 0")
        let hazards = try DrawnHazards(drawing + "xsja residential\n" + DetourTests.street)
        let (approach, alert) = try hazards.approach(to: "ab")
        #expect(approach.detour != nil)
        #expect(alert.isTruncated == isTruncated)
        #expect(abs(alert.distanceToEntry - distanceToEntry) < 1)
        let border = hazards.drawn.network.coordinate(hazards.drawn.network.from(try hazards.drawn.edge("sj")))
        #expect((alert.position.distance(to: border) < 1) == isTruncated)
    }

    @Test("a roundabout is driven straight through: the alert point lies on the road before it")
    func alertPointBeforeRoundabout() throws {
        let hazards = try DrawnHazards(
            """
            sp residential
            pqrtp residential junction=roundabout
            vt residential
            rjab residential
            uj residential
            bc residential maxheight=3.2
            s -3000 0
            p -520 0
            q -500 -20
            r -480 0
            t -500 20
            v -500 500
            u 0 300
            j 0 0
            a 300 0
            b 400 0
            c 1400 0
            """)
        let network = hazards.drawn.network
        let alert = try hazards.approach(to: "bc").alert
        #expect(!alert.isTruncated)
        #expect(abs(alert.distanceToEntry - 400 - Unit.mile) < 1)
        let start = network.coordinate(network.from(try hazards.drawn.edge("sp")))
        let driven = Unit.mile - 480 - 2 * 800.squareRoot()
        #expect(abs(alert.position.distance(to: start) - (2480 - driven)) < 2)
    }

    @Test("where no turn-off has a detour, the alert point is on the straight road, not in the side street")
    func alertPointWithoutDetour() throws {
        // The side street has the lower number.
        let hazards = try DrawnHazards(
            """
            uj residential
            sjab residential
            u 0 300
            j 0 0
            s -3000 0
            a 300 0
            b 400 0
            c 1400 0
            bc residential maxheight=3.2
            """)
        let (approach, alert) = try hazards.approach(to: "bc")
        #expect(approach.detour == nil && !alert.isTruncated)
        #expect(abs(alert.distanceToEntry - 400 - Unit.mile) < 1)
    }

    // MARK: Gaps

    private static let pieces = "a 0 0\nb 100 0\nd 300 0\ne 500 0\nabcde residential maxheight=3.2 name=Mill+Lane\n"

    @Test("each piece of a way with missing nodes keeps the way's height, and nothing leads across the gap")
    func pieces() throws {
        let drawn = try DrawnNetwork(Self.pieces)
        #expect(drawn.edgeNames == ["ab", "ba", "de", "ed"])
        for edge in drawn.edgeNames { #expect(try drawn.clearances(edge).map(\.reading) == [.limit(320)], "\(edge)") }
        #expect(drawn.network.clearanceCount == 1)
        #expect(try drawn.successors("ab").isEmpty)
    }

    @Test("its structure is shown on one of the pieces, not in the gap")
    func shownOnAPiece() throws {
        let drawn = try DrawnNetwork("a 0 0\nb 100 0\nd 900 0\ne 1100 0\nabcde residential maxheight=3.2")
        let clearance = try #require(try drawn.clearances("ab").first)
        #expect(clearance.position.distance(to: try drawn.network.coordinate(drawn.edge("de"), offset: 100)) < 0.5)
    }

    @Test("nor is a bridge over the gap the structure")
    func bridgeOverTheGap() throws {
        let bridge = "p 200 -50\nq 200 50\npq none railway=rail bridge=yes layer=1 name=Branch+Line"
        let drawn = try DrawnNetwork(Self.pieces + bridge)
        #expect(try drawn.clearances("ab").first?.name == "Mill Lane")
    }

    // MARK: Ferries

    @Test(
        "ferries and car trains are no roads, whatever they carry: no detour leads over them",
        arguments: [
            "none route=ferry", "none route=ferry motor_vehicle=yes hgv=designated", "none route=shuttle_train",
            "none railway=rail service=car_shuttle", "primary route=ferry", "service route=shuttle_train",
        ])
    func ferry(kind: String) throws {
        let hazards = try DrawnHazards(Self.road + "juvk \(kind)")
        #expect(hazards.entries == ["ab", "ba"])
        #expect(try hazards.hazard("ab").detours.isEmpty)
        #expect(!hazards.drawn.edgeNames.contains("jk"))
    }

    @Test(
        "a road on which a bus, a hike or a detour runs stays a road", arguments: ["bus", "detour", "road", "hiking"])
    func otherRoutes(route: String) throws {
        let hazards = try DrawnHazards(Self.road + "juvk residential route=\(route)")
        try hazards.expect(before: "ab", from: "sj", at: "j", distance: 300, length: 1100, extra: 400)
    }

    // MARK: Access by direction

    @Test(
        "what is closed or for destinations one way is part of no detour that way; both ways stay ways to a bridge",
        arguments: [
            ("hgv:forward=no", false, true), ("hgv:backward=no", true, false),
            ("hgv:forward=delivery", false, true), ("vehicle:backward=destination", true, false),
            ("motor_vehicle:forward=agricultural", false, true), ("hgv=no hgv:forward=yes", true, false),
            ("hgv=yes access:forward=no", true, true), ("oneway=yes hgv:backward=no", true, false),
        ])
    func accessByDirection(tags: String, leadsAlong: Bool, leadsBack: Bool) throws {
        let detour = try DrawnHazards(Self.road + "juvk residential \(tags)")
        #expect(try detour.approaches("ab").contains("sj") == leadsAlong)
        #expect(try detour.approaches("ba").contains("ek") == leadsBack)
        let approach = try DrawnHazards(DetourTests.bypass + DetourTests.street + "sja residential hgv:forward=no")
        try approach.expect(before: "ab", from: "sj", at: "j", distance: 300, length: 1100, extra: 400)
        #expect(try approach.drawn.network.isOpenToAll(approach.hazard("ab")))
    }

    @Test(
        "the last turn-off is the one before a turn that is closed to trucks, under every policy",
        arguments: ThroughPolicy.allCases)
    func closedTurn(policy: ThroughPolicy) throws {
        let hazards = try DrawnHazards(
            DetourTests.bypass + """
                q -500 0
                r -500 -200
                t 700 -200
                sqja residential
                juvk residential hgv:forward=no
                qrtk residential
                """, rules: DetourRules(through: policy))
        let approaches = try hazards.approaches("ab")
        #expect(approaches.contains("sq") && !approaches.contains("qj"))
    }

    @Test(
        "where no turn-off has a detour a private road is one all the same, a road that is closed there is not",
        arguments: [("vehicle:forward=private", true), ("vehicle:forward=no", false)])
    func turnOffWithoutDetour(tags: String, isTurnOff: Bool) throws {
        let hazards = try DrawnHazards(Self.road + "juvk residential \(tags)")
        #expect(try !hazards.approaches("ab").contains("sj"))
        #expect(try hazards.decisions("ab").contains("sj>ja") == isTurnOff)
        #expect(try hazards.tooLate("ab").keys.contains("sj") != isTurnOff)
    }

    // MARK: Barriers

    @Test(
        "a barrier on the detour stops it, limits it or lets it pass, as its tags say",
        arguments: [
            ("barrier=bollard", false), ("barrier=block", false), ("barrier=bollard hgv=yes", true),
            ("barrier=gate", true), ("barrier=gate access=no", false), ("barrier=lift_gate", true),
            ("barrier=lift_gate access=yes", true), ("barrier=lift_gate hgv=no", false),
            ("barrier=lift_gate access=no hgv=yes", true), ("barrier=lift_gate motor_vehicle=no", false),
            ("barrier=gate access=private", false), ("barrier=gate access=yes motor_vehicle=private", false),
            ("barrier=lift_gate access=customers", false), ("barrier=swing_gate vehicle=permit", false),
            ("barrier=gate access=destination", false), ("barrier=gate access=private hgv=designated", true),
            ("barrier=gate access=permissive", true), ("access=private", true),
            ("barrier=gate locked=yes", false), ("barrier=gate locked=yes access=yes", true),
            ("barrier=gate locked=no", true), ("locked=yes", true), ("barrier=boulder", false),
            ("barrier=barrier_board", false), ("barrier=yes", false), ("barrier=boulder hgv=yes", true),
            ("barrier=height_restrictor maxheight=2.1", false), ("barrier=height_restrictor maxheight=3.99", false),
            ("barrier=height_restrictor maxheight=4.0", true), ("maxheight=3.5", false),
        ])
    func barrierOnDetour(tags: String, leads: Bool) throws {
        let hazards = try DrawnHazards(DetourTests.drawing.replacing("u 0 200", with: "u 0 200 \(tags)"))
        #expect(try hazards.approaches("ab").contains("sj") == leads)
    }

    /// In the middle of an edge, where two ways meet, and where another road begins.
    private static let gates: [(street: String, restricted: Set<String>)] = [
        ("jumvk residential", ["jk", "kj"]), ("jum residential\nmvk residential", ["jm", "mj", "km", "mk"]),
        ("t 300 900\njumvk residential\nmt service", ["jm", "mj", "km", "mk", "mt", "tm"]),
    ]

    @Test(
        "a private gate bars every edge that it stands on, both ways, from detours; it may be driven to",
        arguments: gates)
    func privateGate(street: String, restricted: Set<String>) throws {
        let drawing = Self.road + "m 300 200 barrier=gate access=private\n" + street
        let hazards = try DrawnHazards(drawing)
        let network = hazards.drawn.network
        #expect(Set(hazards.drawn.edges.filter(network.isDestinationOnly).map(hazards.drawn.name)) == restricted)
        #expect(try !hazards.approaches("ab").contains("sj"))
        #expect(try network.isOpenToAll(hazards.hazard("ab")))
        let open = try DrawnHazards(drawing, rules: DetourRules(through: .all))
        #expect(try open.approaches("ab").contains("sj"))
    }

    @Test("what stops trucks stops them at a crossing too, and a way's own access needs no barrier")
    func closedGate() throws {
        let closed = try DrawnHazards(
            Self.road + "m 300 200 barrier=gate access=no\nt 300 900\njumvk residential\nmt service")
        #expect(try closed.drawn.successors("jm").isEmpty)
        let way = try DrawnHazards(Self.road + "juvk residential access=private")
        #expect(try !way.approaches("ab").contains("sj"))
    }

    @Test("a barrier before the bridge splits the road: only who starts behind it has the bridge before him")
    func beforeTheBridge() throws {
        let drawing = DetourTests.bypass.replacing("s -1000 0", with: "s -1000 0\nm 150 0 barrier=bollard")
        let hazards = try DrawnHazards(drawing + "sjma residential\n" + DetourTests.street)
        #expect(hazards.drawn.edgeNames.contains("jm") && hazards.drawn.edgeNames.contains("ma"))
        #expect(hazards.entries == ["ab", "ba"])
        #expect(try hazards.decisions("ab").isEmpty)
        #expect(try hazards.tooLate("ab") == ["ma": 0])
    }

    @Test("a height restrictor is a hazard of its own to whom it is too low, on the edges that arrive there")
    func restrictor() throws {
        let drawing = DetourTests.bypass.replacing(" maxheight=3.2", with: "")
            .replacing("a 300 0", with: "a 300 0 barrier=height_restrictor maxheight=3.5")
        let hazards = try DrawnHazards(drawing + DetourTests.approach + DetourTests.street)
        #expect(hazards.entries == ["ba", "ja"])
        try hazards.expect(before: "ja", from: "sj", at: "j", distance: 0, length: 1100, extra: 400)
        let low = try hazards.hazard("ja").clearances.map { hazards.drawn.network.clearance($0).id }
        #expect(low == ["osm:node:\(try hazards.drawn.id(node: "a"))"])
    }
}
