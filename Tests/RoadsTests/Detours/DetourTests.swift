import Geo
import Roads
import RoadsTestSupport
import Testing

@Suite("The detour point is the last junction with a detour")
struct DetourTests {
    /// A low bridge on a straight road, and a street round it.
    ///
    ///        u───────────────v          200 m north
    ///        │               │
    ///     s──j────a══b───────k──e       j–a 300 m, a–b 100 m (3.2 m high), b–k 300 m
    static let bypass = """
        s -1000 0
        j 0 0
        a 300 0
        b 400 0
        k 700 0
        e 1700 0
        u 0 200
        v 700 200
        ab residential maxheight=3.2
        bke residential

        """
    static let approach = "sja residential\n"
    static let street = "juvk residential\n"

    static let drawing = bypass + approach + street

    /// In place of the approach: a way round from `w`, onto which only who comes back may turn, and a block at `j` to
    /// go round.
    ///
    ///        q──────────────────────r      300 m north
    ///        │                      │
    ///     s──w──────j──a            k      w -300 m
    ///               x╲y                    100 m south
    static let block = """
        w -300 0
        q -300 300
        r 700 300
        x 0 -100
        y 100 -100
        sw residential
        wja residential
        wqrk residential
        jxyj residential
        no_left_turn sw w wqrk

        """

    @Test("its distance is that to the entry, its length that of the detour, extra is that minus the way under")
    func lengths() throws {
        let hazards = try DrawnHazards(Self.drawing)
        #expect(hazards.entries == ["ab", "ba"])
        try hazards.expect(
            before: "ab", from: "sj", at: "j", distance: 300, length: 1100, extra: 400, along: ["jk"])
        try hazards.expect(
            before: "ba", from: "ek", at: "k", distance: 300, length: 1100, extra: 400, along: ["kj"])
        let detour = try hazards.detour(before: "ab", from: "sj")
        #expect(!detour.hasShorterWay && !detour.isTurnaround)
        #expect(hazards.drawn.name(detour.turnOff) == "jk")
        #expect(try hazards.zone("ab") == ["ab"])
        #expect(try hazards.hazard("ab").isPublic)
    }

    @Test("leaving it towards the bridge is the decision turn; what lies between it and the bridge is too late")
    func decision() throws {
        let hazards = try DrawnHazards(Self.drawing)
        let decision = try hazards.decision("ab", from: "sj")
        #expect(hazards.drawn.name(decision.next) == "ja")
        #expect(hazards.drawn.name(decision.turnOff) == "jk")
        #expect(abs(decision.distanceToEntry - 300) < 0.5)
        let detour = try #require(decision.detour)
        #expect(try hazards.hazard("ab").detours[detour] == hazards.detour(before: "ab", from: "sj"))
        #expect(try hazards.tooLate("ab")["ja"] == 0)
        #expect(try hazards.tooLate("ab")["sj"] == nil)
    }

    @Test("the last of several turn-offs with a detour")
    func last() throws {
        let hazards = try DrawnHazards(
            Self.bypass + """
                sjia residential
                juvk residential
                i 200 0
                x 200 100
                y 700 100
                ixyk residential
                """)
        try hazards.expect(
            before: "ab", from: "ji", at: "i", distance: 100, length: 700, extra: 200, along: ["ik"])
        #expect(try !hazards.approaches("ab").contains("sj"))
    }

    @Test("at the entry's own tail the junction itself is the last turn-off")
    func ownTail() throws {
        let hazards = try DrawnHazards(
            """
            s -1000 0
            a 0 0
            b 100 0
            e 1100 0
            u 0 200
            v 100 200
            sa residential
            ab residential maxheight=3.2
            be residential
            auvb residential
            """)
        try hazards.expect(before: "ab", from: "sa", at: "a", distance: 0, length: 500, extra: 400, along: ["ab"])
        #expect(try hazards.decisions("ab").contains("sa>ab"))
        #expect(try hazards.tooLate("ab")["sa"] == nil)
    }

    @Test("turn-offs into dead ends do not count; who comes out of one has a detour point of his own")
    func deadEnd() throws {
        let hazards = try DrawnHazards(Self.drawing + "d 300 -200\nad residential")
        try hazards.expect(before: "ab", from: "sj", at: "j", distance: 300, length: 1100, extra: 400)
        try hazards.expect(
            before: "ab", from: "da", at: "a", distance: 0, length: 1400, extra: 1000, along: ["aj", "jk"])
    }

    @Test("each arriving edge has its own")
    func arrivingEdges() throws {
        let hazards = try DrawnHazards(Self.drawing + "w 0 -500\nwj residential")
        try hazards.expect(before: "ab", from: "sj", at: "j", distance: 300, length: 1100, extra: 400)
        try hazards.expect(before: "ab", from: "wj", at: "j", distance: 300, length: 1100, extra: 400)
        let distances = try hazards.hazard("ab").detours.map(\.distanceToEntry)
        #expect(distances == distances.sorted())
    }

    @Test(
        "a detour leads only over what may be passed through",
        arguments: [
            ("residential", [.strict, .all, .noservice]), ("service", [.strict, .all]),
            ("living_street", [.strict, .all]), ("service service=alley", [.strict, .all]),
            ("service service=parking_aisle", [.all]), ("service service=driveway", [.all]),
            ("residential access=private", [.all]), ("residential access=customers", [.all]),
            ("residential hgv=destination", [.all]), ("residential hgv=delivery", [.all]),
            ("residential access=no", []), ("footway", []),
        ] as [(String, [ThroughPolicy])])
    func through(kind: String, policies: [ThroughPolicy]) throws {
        for policy in ThroughPolicy.allCases {
            let hazards = try DrawnHazards(
                Self.bypass + Self.approach + "juvk \(kind)", rules: DetourRules(through: policy))
            #expect(try hazards.approaches("ab").contains("sj") == policies.contains(policy), "\(policy)")
        }
    }

    @Test("an approach may well lead over what may not be passed through")
    func privateApproach() throws {
        let hazards = try DrawnHazards(
            Self.bypass + Self.street + "sj residential access=private\nja residential access=private")
        try hazards.expect(before: "ab", from: "sj", at: "j", distance: 300, length: 1100, extra: 400)
    }

    @Test("nor does it lead over another too-low edge, from its first edge on")
    func lowDetour() throws {
        for low in ["ju", "uv", "vk"] {
            let streets = ["ju", "uv", "vk"].map { "\($0) residential\($0 == low ? " maxheight=3.5" : "")" }
            let hazards = try DrawnHazards(Self.bypass + Self.approach + streets.joined(separator: "\n"))
            #expect(try !hazards.approaches("ab").contains("sj"), "\(low)")
        }
    }

    @Test(
        "turn bans are respected, at the turn-off and on the way",
        arguments: [
            "no_left_turn sj j ju", "only_straight_on sj j ja", "no_right_turn ju u uv", "no_right_turn ju uv vk",
            "no_entry uv v vk",
        ])
    func turnBans(ban: String) throws {
        let hazards = try DrawnHazards(
            Self.bypass + "sj residential\nja residential\nju residential\nuv residential\nvk residential\n\(ban)")
        #expect(try !hazards.approaches("ab").contains("sj"))
    }

    @Test("one-way roads too", arguments: [("yes", true), ("-1", false), ("no", true)])
    func oneway(value: String, leads: Bool) throws {
        let hazards = try DrawnHazards(Self.bypass + Self.approach + "juvk residential oneway=\(value)")
        #expect(try hazards.approaches("ab").contains("sj") == leads)
        #expect(try hazards.approaches("ba").contains("ek") == (value != "yes"))
    }

    @Test("a detour longer than the largest length does not count", arguments: [(1_101.0, true), (1_099, false)])
    func lengthMax(metres: Metres, counts: Bool) throws {
        let hazards = try DrawnHazards(Self.drawing, rules: DetourRules(lengthMax: metres))
        #expect(try hazards.approaches("ab").contains("sj") == counts)
    }

    @Test("a detour that comes back along the approach after going round a block is kept and marked")
    func turnaround() throws {
        let hazards = try DrawnHazards(Self.bypass + Self.block)
        // Round the block 100 + 100 + 141.4 m, back 300 m, round by 300 + 1000 + 300 m.
        try hazards.expect(before: "ab", from: "wj", at: "j", distance: 300, length: 2241.4, extra: 1541.4)
        let detour = try hazards.detour(before: "ab", from: "wj")
        #expect(detour.edges.map(hazards.drawn.name) == ["jj", "jw", "wk"])
        #expect(detour.isTurnaround)
    }

    @Test("a detour shorter than going under is marked, and no reason to stay silent")
    func shorter() throws {
        let hazards = try DrawnHazards(
            """
            s -1000 0
            j 0 0
            a 0 -500
            b 100 -500
            k 100 0
            e 1100 0
            sj residential
            ja residential
            ab residential maxheight=3.2
            bk residential
            jke residential
            """)
        try hazards.expect(
            before: "ab", from: "sj", at: "j", distance: 500, length: 100, extra: -1000, along: ["jk"])
        #expect(try hazards.detour(before: "ab", from: "sj").hasShorterWay)
        #expect(try hazards.decisions("ab").contains("sj>ja"))
    }

    @Test("one as long as going under is not shorter, whatever its lengths are rounded to", arguments: [0, 3, 33])
    func equallyLong(bend: Int) throws {
        let hazards = try DrawnHazards(
            """
            s -1000 0
            j 0 0
            p \(bend) 77
            q \(bend) -77
            a 100 77
            b 200 77
            u 150 -77
            v 200 -77
            k 300 0
            e 1300 0
            sj residential
            jpa residential
            ab residential maxheight=3.2
            bk residential
            jqu residential
            uvk residential
            ke residential
            """)
        let detour = try hazards.detour(before: "ab", from: "sj")
        #expect(detour.extra.sign == .plus && detour.extra == 0)
        #expect(!detour.hasShorterWay)
    }

    @Test(
        "only what is lower than the vehicle is too low; unknown is not, and neither is the legal default",
        arguments: [("3.2", 320, false), ("3.2", 321, true), ("below_default", 600, false), ("none", 600, false)])
    func height(text: String, height: Centimetres, isHazard: Bool) throws {
        let hazards = try DrawnHazards(
            Self.drawing.replacing("maxheight=3.2", with: "maxheight=\(text)"), height: height)
        #expect(hazards.entries == (isHazard ? ["ab", "ba"] : []))
    }

    @Test("a height on a node makes the edges that arrive there the entries")
    func node() throws {
        let hazards = try DrawnHazards(
            Self.drawing.replacing("maxheight=3.2", with: "").replacing("a 300 0", with: "a 300 0 maxheight=3.2"))
        #expect(hazards.entries == ["ba", "ja"])
        // Back from j, where the entry begins; it rejoins at k, 400 m behind the far side.
        try hazards.expect(before: "ja", from: "sj", at: "j", distance: 0, length: 1100, extra: 400)
        #expect(try hazards.zone("ja") == ["ja"])
    }

    @Test("every shadow of an entry leads to its hazard, and the limits at which the table changes are known")
    func shadows() throws {
        let hazards = try DrawnHazards(Self.drawing + "no_straight_on sja ab bke")
        let network = hazards.drawn.network
        let entry = try hazards.drawn.edge("ab")
        let copies = (0..<network.edgeCount).map { EdgeID($0) }.filter { network.original($0) == entry }
        #expect(copies.count == 2)
        #expect(Set(copies.map { hazards.table.entries[$0] }).count == 1)
        #expect(hazards.table.entries[entry] != nil)
        try hazards.expect(before: "ab", from: "sj", at: "j", distance: 300, length: 1100, extra: 400)
        #expect(network.distinctLimits == [320])
    }

    @Test("equal networks give equal tables, row by row")
    func equalTables() throws {
        let (a, b) = (try DrawnHazards(Self.drawing), try DrawnHazards(Self.drawing))
        #expect(a.table.hazards == b.table.hazards)
        #expect(a.table.decisions == b.table.decisions)
        #expect(a.table.tooLate == b.table.tooLate)
    }
}
