import Geo
import Roads
import RoadsTestSupport
import Testing

/// Rule 2: which decision turns a truck can reach within some seconds.
struct PathReachableTests {
    /// A main road with a side street to a bridge at `s`; the next street, `w`, is the detour.
    private static let side = """
        a 0 0
        s 1000 0
        w 1500 0
        z 2500 0
        b 1000 -200
        c 1000 -230
        d 1000 -1500
        v 1500 -1500
        y 2500 -1500
        aswz tertiary maxspeed=36
        sb residential
        bc residential maxheight=3.2
        cd residential
        dvyz residential
        wv residential
        """

    private func upcomingHazards(
        _ drawn: DrawnNetwork, on edge: String, offset: Metres = 0, within seconds: Seconds, speed: MetresPerSecond
    ) throws -> [UpcomingHazard] {
        let reachable = ReachableDecisions(drawn.network, HazardTable(drawn.network, height: 400), TurnModel())
        return reachable.upcomingHazards(
            from: RoadPosition(edge: try drawn.edge(edge), offset: offset), within: seconds, speed: speed)
    }

    @Test(
        "A decision is reached at the road's usual speed, or the truck's own where that is higher",
        arguments: [
            // 500 m to the corner; the road is driven at 10 m/s.
            (49.0, 0.0, 0), (51, 0, 1), (51, 5, 1), (24, 20, 0), (26, 20, 1),
        ])
    func time(seconds: Seconds, speed: MetresPerSecond, count: Int) throws {
        let drawn = try DrawnNetwork(Self.side)
        #expect(try upcomingHazards(drawn, on: "as", offset: 500, within: seconds, speed: speed).count == count)
    }

    @Test("It tells the turn not to take, the last turn-off, and how far both are")
    func members() throws {
        let drawn = try DrawnNetwork(Self.side)
        let upcomingHazard = try #require(
            try upcomingHazards(drawn, on: "as", offset: 700, within: 40, speed: 10).first)
        let decision = try #require(upcomingHazard.decision)
        #expect(drawn.name(decision.next) == "sb")
        #expect(drawn.name(decision.turnOff) == "sw")
        #expect(!upcomingHazard.isOnPath)
        #expect(abs(try #require(upcomingHazard.distanceToDecision) - 300) < 0.1)
        #expect(abs(upcomingHazard.distanceToEntry - 500) < 0.1)
        #expect(upcomingHazard.probability < 0.2)
    }

    @Test("Any legal way counts, round corners and past other bridges")
    func anyWay() throws {
        let drawn = try DrawnNetwork(Self.side)
        let table = HazardTable(drawn.network, height: 400)
        // From the south the bridge is entered by cb, after v; the truck comes from w, 1,500 m before it, at 30 km/h.
        let found = try upcomingHazards(drawn, on: "wv", within: 1_500 / (30 / 3.6) + 1, speed: 0)
        #expect(found.map { drawn.name(table.hazards[$0.hazard].entry) } == ["cb"])
        #expect(found.map { $0.decision.map { drawn.name($0.next) } } == ["vd"])
    }

    @Test("Behind the decision there is nothing to decide")
    func behind() throws {
        let drawn = try DrawnNetwork(Self.side)
        #expect(try upcomingHazards(drawn, on: "sb", within: 10, speed: 10).isEmpty)
    }

    @Test("A search that goes round in a ring ends", .timeLimit(.minutes(1)))
    func ring() throws {
        let drawn = try DrawnNetwork("a 0 0\nb 100 0\nc 100 100\nd 0 100\nabcda residential oneway=yes")
        let edge = try #require(drawn.edges.first)
        let reachable = ReachableDecisions(drawn.network, HazardTable(drawn.network, height: 400), TurnModel())
        #expect(reachable.upcomingHazards(from: RoadPosition(edge: edge, offset: 0), within: 1e6, speed: 20).isEmpty)
    }
}
