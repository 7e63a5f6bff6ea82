import Roads
import RoadsTestSupport
import Testing

@Suite("Where a way has no turn-off with a detour, its last turn-off of any kind counts")
struct OtherTurnOffTests {
    @Test("on the detour round one side of a bridge, the turn-off before its other side is not too late")
    func detourAsApproach() throws {
        let hazards = try DrawnHazards(DetourTests.drawing)
        #expect(try hazards.tooLate("ba") == ["kb": 0])
        let decision = try hazards.decision("ba", from: "jk")
        #expect(decision.detour == nil && hazards.drawn.name(decision.turnOff) == "ke")
        // Who leaves the road there although he might go straight on is told as well.
        #expect(try hazards.detour(before: "ba", from: "sj").hasShorterWay)
        #expect(try hazards.decisions("ba") == ["ek>kb", "jk>kb", "sj>jk"])
    }

    @Test("where one of two ways to a bridge has no turn-off with a detour, its last turn-off of any kind counts")
    func wayWithoutDetour() throws {
        let hazards = try DrawnHazards(
            DetourTests.bypass + DetourTests.approach + """
                g 0 100 barrier=gate access=private
                jguvk residential
                """)
        // From the far side, through the gate, as somebody may who lives there.
        #expect(try hazards.approaches("ab") == ["ek"])
        #expect(try hazards.decision("ab", from: "sj").detour == nil)
        #expect(try hazards.tooLate("ab") == ["ja": 0])
    }

    /// A loop road, one way from `f` and back, that ends low.
    ///
    ///     w───────────v
    ///     │           │
    ///     g──h═══f────u
    ///            │
    ///     m──────t─────────e
    private static let loop = """
        m -3000 0
        t 0 0
        e 3000 0
        f 0 600
        u 400 800
        v 400 1300
        w -400 1300
        g -400 800
        h -100 640
        mte primary
        tf unclassified
        fuvwg unclassified oneway=yes
        gh unclassified oneway=yes
        hf unclassified oneway=yes maxheight=3.2

        """
    /// Another road into the loop, from which a road leads round to `f`.
    private static let otherEntrance = """
        r -1500 800
        q -1000 800
        p -900 300
        mr unclassified
        rqg unclassified oneway=yes
        qpf unclassified oneway=yes
        """

    @Test(
        "on a loop road that ends low at its beginning, the last turn-off before it counts, whether others have a detour or not",
        arguments: [
            ("", ["et>tf", "mt>tf"], ["fg", "gh", "tf"]),
            (otherEntrance, ["et>tf", "mt>tf", "qf>fg", "rq>qg"], ["fg", "gh", "qg", "tf"]),
        ])
    func loop(otherEntrance: String, decisions: [String], tooLate: [String]) throws {
        let hazards = try DrawnHazards(Self.loop + otherEntrance)
        #expect(hazards.entries == ["hf"])
        #expect(try hazards.hazard("hf").detours.isEmpty == otherEntrance.isEmpty)
        #expect(try hazards.decisions("hf") == decisions)
        #expect(try hazards.tooLate("hf").keys.sorted() == tooLate)
        let decision = try hazards.decision("hf", from: "mt")
        #expect(decision.detour == nil && hazards.drawn.name(decision.turnOff) == "te")
        // The loop is 2,587.2 m long as far as the low edge, and tf 600 m.
        #expect(abs(decision.distanceToEntry - 3_187.2) < 0.5)
    }
}
