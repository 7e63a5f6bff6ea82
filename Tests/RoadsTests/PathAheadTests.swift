import Geo
import Roads
import RoadsTestSupport
import Testing

/// Rule 1: which hazards lie on the path ahead.
struct PathAheadTests {
    private func upcomingHazards(
        _ drawn: DrawnNetwork, on edge: String, offset: Metres = 0, reach: Metres, minProbability: Double = 0.3
    ) throws -> [UpcomingHazard] {
        let table = HazardTable(drawn.network, height: 400)
        let path = PathAhead(drawn.network, table, TurnModel(), minProbability: minProbability)
        return path.upcomingHazards(from: RoadPosition(edge: try drawn.edge(edge), offset: offset), reach: reach)
    }

    /// A bridge straight on, 300 m behind the last turn-off.
    private static let ahead = """
        a 0 0
        j 1000 0
        e 1300 0
        f 1340 0
        g 1600 0
        z 3000 0
        n 1000 300
        m 1600 300
        aj tertiary
        je tertiary
        ef tertiary maxheight=3.2
        fgz tertiary
        jn residential
        nm residential
        mg residential
        """

    @Test("A bridge straight on lies on the path, with the distances along the road")
    func onPath() throws {
        let drawn = try DrawnNetwork(Self.ahead)
        let upcomingHazard = try #require(try upcomingHazards(drawn, on: "aj", offset: 200, reach: 1_000).first)
        #expect(upcomingHazard.isOnPath)
        #expect(abs(try #require(upcomingHazard.distanceToDecision) - 800) < 0.1)
        #expect(abs(upcomingHazard.distanceToEntry - 1_100) < 0.1)
        #expect(drawn.name(try #require(upcomingHazard.decision).next) == "je")
        #expect(drawn.name(try #require(upcomingHazard.decision).turnOff) == "jn")
        #expect(upcomingHazard.probability > 0.8 && upcomingHazard.probability < 1)
    }

    @Test("It is the last turn-off that must lie within reach, not the bridge", arguments: [(799.0, 0), (801, 1)])
    func reach(reach: Metres, count: Int) throws {
        #expect(try upcomingHazards(DrawnNetwork(Self.ahead), on: "aj", offset: 200, reach: reach).count == count)
    }

    @Test("Behind the last turn-off a bridge on the path has no decision any more")
    func tooLate() throws {
        let drawn = try DrawnNetwork(Self.ahead)
        let upcomingHazard = try #require(try upcomingHazards(drawn, on: "je", offset: 100, reach: 0).first)
        #expect(upcomingHazard.decision == nil)
        #expect(upcomingHazard.distanceToDecision == nil)
        #expect(abs(upcomingHazard.distanceToEntry - 200) < 0.1)
    }

    @Test("Under the bridge and behind it there is nothing ahead")
    func behind() throws {
        let drawn = try DrawnNetwork(Self.ahead)
        #expect(try upcomingHazards(drawn, on: "ef", reach: 2_000).isEmpty)
        #expect(try upcomingHazards(drawn, on: "fg", reach: 2_000).isEmpty)
    }

    /// A crossing `t` from which the bridge is one of three ways; the last turn-off is `j`, behind the crossing.
    private static let branch = """
        s 0 -500
        t 0 0
        u 0 500
        w -500 0
        j 500 0
        e 800 0
        f 840 0
        g 1100 0
        z 2000 0
        n 500 300
        m 1100 300
        stu residential
        wtj residential
        je residential
        ef residential maxheight=3.2
        fgz residential
        jn residential
        nm residential
        mg residential
        """

    @Test("Off the most probable path the product of the probabilities decides")
    func product() throws {
        let drawn = try DrawnNetwork(Self.branch)
        // At t straight on, left and right: right e^-1.6 / (e^0.2 + 2 e^-1.6) = 0.1242. At j straight on against left:
        // 1 / (1 + e^-1.6) = 0.8320 (jn and je are other ways than wtj).
        let product = 0.1242 * 0.8320
        #expect(try upcomingHazards(drawn, on: "st", reach: 2_000, minProbability: product + 0.001).isEmpty)
        let found = try upcomingHazards(drawn, on: "st", reach: 2_000, minProbability: product - 0.001)
        #expect(found.count == 1)
        #expect(abs(try #require(found.first).probability - product) < 0.001)
    }

    @Test("On the most probable path the product does not count")
    func mostProbable() throws {
        let drawn = try DrawnNetwork(Self.ahead)
        #expect(try upcomingHazards(drawn, on: "aj", reach: 2_000, minProbability: 1).count == 1)
    }

    @Test("A hazard that two ways lead to is told of once, by its nearer last turn-off")
    func nearest() throws {
        let drawn = try DrawnNetwork(Self.ahead)
        let found = try upcomingHazards(drawn, on: "aj", reach: 2_000, minProbability: 0)
        #expect(
            found.count { drawn.name(HazardTable(drawn.network, height: 400).hazards[$0.hazard].entry) == "ef" } == 1)
    }

    @Test(
        "A roundabout is driven round no more than the search is long", .timeLimit(.minutes(1)), arguments: [0.0, 0.3])
    func roundabout(minProbability: Double) throws {
        let drawn = try DrawnNetwork(
            """
            a -500 0
            b -20 0
            c 0 20
            d 20 0
            e 0 -20
            ab primary oneway=yes
            bedcb primary oneway=yes junction=roundabout
            """)
        #expect(try upcomingHazards(drawn, on: "ab", reach: 100_000, minProbability: minProbability).isEmpty)
    }
}
