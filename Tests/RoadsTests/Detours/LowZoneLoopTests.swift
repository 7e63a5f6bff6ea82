import Clearances
import Geo
import Roads
import RoadsTestSupport
import Testing

@Suite("Low zones on a road that comes back to itself")
struct LowZoneLoopTests {
    @Test("a bridge is not chained to its other side, to which the street behind it comes back")
    func loopBehind() throws {
        let hazards = try DrawnHazards(DrawnNetwork.estate)
        #expect(hazards.entries == ["ab", "ba"])
        #expect(try hazards.zone("ab") == ["ab"])
        #expect(try hazards.hazard("ab").detours.isEmpty)
        #expect(try hazards.decisions("ab") == ["ej>ja", "sj>ja"])
        #expect(try abs(hazards.decision("ab", from: "sj").distanceToEntry - 100) < 0.5)
        #expect(try hazards.tooLate("ab") == ["ja": 0])
        #expect(try hazards.approach(to: "ab").approach.detour == nil)
    }

    @Test("a chain ends where the road comes back to one of its own low edges, though a way on from there is known")
    func comesBackToRoundabout() throws {
        // From the east straight through a low roundabout, whose western exit leads under a bridge and round to its northern entry.
        let hazards = try DrawnHazards(
            """
            x 1500 0
            j 500 0
            e 20 0
            ne 14 14
            n 0 20
            nw -14 14
            w -20 0
            sw -14 -14
            s 0 -20
            se 14 -14
            p -200 0
            q 0 200
            t 0 -1000
            pq residential oneway=yes maxheight=3.2
            e-ne-n-nw-w-sw-s-se-e residential junction=roundabout maxheight=3.2
            xje residential
            wp residential oneway=yes
            qn residential oneway=yes
            jq residential oneway=yes
            st residential
            """)
        #expect(try hazards.zone("en") == ["en", "nw", "wp", "pq"])
        #expect(try hazards.detour(before: "en", from: "xj").edges.map(hazards.drawn.name) == ["jq"])
        #expect(try hazards.zone("nw") == ["nw", "ws"])
        #expect(SlowReference.disagreements(hazards.drawn.network, height: 400) == [])
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
}
