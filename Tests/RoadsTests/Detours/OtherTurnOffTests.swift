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
}
