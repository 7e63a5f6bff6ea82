import Geo
import Roads
import RoadsTestSupport
import Testing

/// Rule 1 where the way is known.
struct PathAlongTests {
    /// The bridge lies in the side street `js`, round a corner; straight on is the most probable path.
    private static let corner = """
        a 0 0
        j 1000 0
        s 1000 -300
        t 1000 -340
        u 1000 -600
        v 2000 -600
        z 2000 0
        k 1500 0
        x 0 -600
        aj tertiary
        jk tertiary
        kz tertiary
        js residential
        st residential maxheight=3.2
        tu residential
        uv residential
        vz residential
        axu residential
        """

    private let drawn: DrawnNetwork
    private let path: PathAhead

    init() throws {
        drawn = try DrawnNetwork(Self.corner)
        path = PathAhead(
            drawn.network, HazardTable(drawn.network, height: 400), TurnModel(), minProbability: 0.3)
    }

    private func upcomingHazards(
        from offset: Metres, reach: Metres = 2_000, along names: [String]
    ) throws -> [UpcomingHazard] {
        let edges = try names.map(drawn.edge)
        return path.upcomingHazards(
            from: RoadPosition(edge: try drawn.edge("aj"), offset: offset), reach: reach, along: edges[...])
    }

    @Test("A bridge round the corner is on the path, since the way leads there: with probability 1")
    func known() throws {
        let side = try drawn.edge("js")
        let start = RoadPosition(edge: try drawn.edge("aj"), offset: 200)
        #expect(!path.upcomingHazards(from: start, reach: 2_000).contains { $0.decision?.next == side })
        let upcomingHazard = try #require(try upcomingHazards(from: 200, along: ["aj", "js", "st", "tu"]).first)
        #expect(upcomingHazard.isOnPath)
        #expect(upcomingHazard.probability == 1)
        #expect(abs(try #require(upcomingHazard.distanceToDecision) - 800) < 0.1)
        #expect(abs(upcomingHazard.distanceToEntry - 1_100) < 0.1)
        #expect(drawn.name(try #require(upcomingHazard.decision).next) == "js")
        #expect(drawn.name(try #require(upcomingHazard.decision).turnOff) == "jk")
    }

    @Test("On the way the prospect is the one that the most probable path has there, but for its probability")
    func same() throws {
        let all = PathAhead(drawn.network, HazardTable(drawn.network, height: 400), TurnModel(), minProbability: 0)
        var predicted = try #require(
            all.upcomingHazards(from: RoadPosition(edge: try drawn.edge("aj"), offset: 0), reach: 2_000).first)
        predicted.probability = 1
        // The most probable path leads elsewhere.
        predicted.isOnPath = true
        #expect(try upcomingHazards(from: 0, along: ["aj", "js", "st"]) == [predicted])
    }

    @Test("Nothing lies beyond the end of the way, or beside it")
    func nothing() throws {
        #expect(try upcomingHazards(from: 200, along: ["aj", "js"]).isEmpty)
        #expect(try upcomingHazards(from: 200, along: ["aj", "jk", "kz"]).isEmpty)
        #expect(try upcomingHazards(from: 200, along: ["aj"]).isEmpty)
    }

    @Test("The last turn-off must lie within reach", arguments: [(799.0, 0), (801, 1)])
    func reach(reach: Metres, count: Int) throws {
        #expect(try upcomingHazards(from: 200, reach: reach, along: ["aj", "js", "st"]).count == count)
    }

    @Test("Behind the last turn-off the bridge is still ahead, without a decision")
    func tooLate() throws {
        let edges = try ["js", "st", "tu"].map(drawn.edge)
        let place = RoadPosition(edge: edges[0], offset: 100)
        let upcomingHazard = try #require(path.upcomingHazards(from: place, reach: 0, along: edges[...]).first)
        #expect(upcomingHazard.decision == nil)
        #expect(abs(upcomingHazard.distanceToEntry - 200) < 0.1)
    }

    @Test("A way that begins elsewhere is no help: the path is the most probable one")
    func elsewhere() throws {
        let start = RoadPosition(edge: try drawn.edge("js"), offset: 0)
        let elsewhere = try ["jk", "kz"].map(drawn.edge)
        #expect(
            path.upcomingHazards(from: start, reach: 500, along: elsewhere[...])
                == path.upcomingHazards(from: start, reach: 500))
        #expect(
            path.upcomingHazards(from: start, reach: 500, along: []) == path.upcomingHazards(from: start, reach: 500))
        #expect(path.upcomingHazards(from: start, reach: 500).contains { $0.decision == nil })
    }

    @Test("Where the way turns round on an edge, it does so at once: nothing is told too late")
    func turningRound() throws {
        let edges = try ["jk", "kj", "js", "st"].map(drawn.edge)
        let place = RoadPosition(edge: edges[0], offset: 120)
        let upcomingHazard = try #require(path.upcomingHazards(from: place, reach: 2_000, along: edges[...]).first)
        #expect(abs(try #require(upcomingHazard.distanceToDecision) - 120) < 0.1)
        let before = RoadPosition(edge: try drawn.edge("aj"), offset: 900)
        let way = [try drawn.edge("aj")] + edges
        let told = try #require(path.upcomingHazards(from: before, reach: 2_000, along: way[...]).first)
        #expect(abs(try #require(told.distanceToDecision) - 100) < 0.1)
    }

    @Test("Edges within a turn restriction are walked as the shadows they are")
    func shadows() throws {
        let banned = try DrawnNetwork(Self.corner + "\nw 1500 300\nkw residential\nno_turn aj jk kw\nno_turn aj js su")
        let table = HazardTable(banned.network, height: 400)
        let path = PathAhead(banned.network, table, TurnModel(), minProbability: 0.3)
        let edges = try #require(
            FastestWay(banned.network).edges(from: banned.edge("aj"), to: banned.edge("tu")))
        let place = RoadPosition(edge: edges[0], offset: 0)
        #expect(path.upcomingHazards(from: place, reach: 2_000, along: edges[...]).count == 1)
    }
}
