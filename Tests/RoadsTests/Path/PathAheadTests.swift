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

    /// Blocks of 100 m, `size` by `size`, as `x<column>y<row>`; the street from `x1y0` to `x1y1` leads under a bridge.
    private static func blocks(_ size: Int) -> String {
        func node(_ column: Int, _ row: Int) -> String { "x\(column)y\(row)" }
        let pairs = (0..<size).flatMap { column in (0..<size).map { (column, $0) } }
        let nodes = pairs.map { "\(node($0, $1)) \($0 * 100) \($1 * 100)" }
        let streets = pairs.flatMap { column, row in
            let low = column == 1 && row == 0 ? " maxheight=3.2" : ""
            return [
                column + 1 < size ? "\(node(column, row))-\(node(column + 1, row)) residential" : nil,
                row + 1 < size ? "\(node(column, row))-\(node(column, row + 1)) residential\(low)" : nil,
            ].compactMap(\.self)
        }
        return (nodes + streets).joined(separator: "\n")
    }

    @Test("However many ways there are, a hazard that is near is found: with less probability no fewer than with more")
    func nearInManyWays() throws {
        let drawn = try DrawnNetwork(Self.blocks(24))
        let table = HazardTable(drawn.network, height: 400)
        let corner = drawn.network.coordinate(drawn.network.from(try drawn.edge("x1y0-x1y1")))
        let near = drawn.edges.filter { edge in
            !table.tooLow.contains(edge) && corner.distance(to: drawn.network.coordinate(drawn.network.to(edge))) < 700
        }
        #expect(near.count > 100)
        for edge in near {
            let found = [0.01, 0].map { probability in
                let path = PathAhead(drawn.network, table, TurnModel(), minProbability: probability)
                let found = path.upcomingHazards(from: RoadPosition(edge: edge, offset: 0), reach: Unit.mile)
                return Set(found.map(\.hazard))
            }
            #expect(found[0].isSubset(of: found[1]) && found[1].count == 2, "\(drawn.name(edge)): \(found)")
        }
    }

    @Test("Of several ways to one decision each hazard is told of by the shortest, with the greatest probability")
    func shortestOfMany() throws {
        let drawn = try DrawnNetwork(Self.blocks(6))
        let table = HazardTable(drawn.network, height: 400)
        let found = try upcomingHazards(drawn, on: "x3y0-x2y0", reach: Unit.mile, minProbability: 0)
        let entered = try #require(found.first { drawn.name(table.hazards[$0.hazard].entry) == "x1y0-x1y1" })
        #expect(abs(try #require(entered.distanceToDecision) - 200) < 0.5)
        #expect(abs(entered.distanceToEntry - 200) < 0.5)
    }
}
