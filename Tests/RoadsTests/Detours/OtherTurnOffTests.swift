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

    @Test(
        "on a loop road that ends low at its beginning, the last turn-off before it counts, whether others have a detour or not",
        arguments: [
            ("", ["et>tf", "mt>tf"], ["fg", "gh", "tf"]),
            (DrawnNetwork.loopRoadEntrance, ["et>tf", "mt>tf", "qf>fg", "rq>qg"], ["fg", "gh", "qg", "tf"]),
        ])
    func loop(otherEntrance: String, decisions: [String], tooLate: [String]) throws {
        let hazards = try DrawnHazards(DrawnNetwork.loopRoad + otherEntrance)
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
