import Clearances
import Geo
import Roads
import RoadsTestSupport
import Testing

@Suite("Without a detour the last turn-off of any kind decides")
struct NoDetourTests {
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
        #expect(hazards.entries == ["gh", "hg"])
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
