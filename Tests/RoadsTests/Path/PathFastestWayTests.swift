import Geo
import Roads
import RoadsTestSupport
import Testing

/// The fastest legal way, with and without heights.
struct PathFastestWayTests {
    private func way(
        _ drawing: String, from start: String, _ offset: Metres = 0, to goal: String, end: Metres = 10,
        avoiding height: Centimetres? = nil, through: ThroughPolicy = .strict
    ) throws -> [String]? {
        let drawn = try DrawnNetwork(drawing)
        let low = height.map { TooLowEdges(drawn.network, height: $0) }
        let way = FastestWay(drawn.network).way(
            from: [RoadPosition(edge: try drawn.edge(start), offset: offset)],
            to: [RoadPosition(edge: try drawn.edge(goal), offset: end)], WayRules(avoiding: low, through: through))
        return way?.edges.map(drawn.name)
    }

    @Test("The faster way is taken, not the shorter one", arguments: [(30, "ab"), (60, "ac"), (50, "ac")])
    func fastest(kilometresPerHour: Int, first: String) throws {
        // 1,000 m at 30 km/h take 120 s; 1,281 m take as long at 38 km/h.
        let drawing = """
            s -100 0
            a 0 0
            b 1000 0
            c 500 400
            z 1100 0
            sa primary
            ab residential
            ac residential maxspeed=\(kilometresPerHour)
            cb residential maxspeed=\(kilometresPerHour)
            bz primary
            """
        #expect(try way(drawing, from: "sa", to: "bz")?[1] == first)
    }

    /// A block of four streets.
    private static let block = """
        a 0 0
        b 200 0
        c 200 200
        d 0 200
        ab residential
        bc residential
        cd residential
        da residential
        """

    @Test("Ahead on the same edge it is that edge; behind, it is round the block and the edge again")
    func sameEdge() throws {
        #expect(try way(Self.block, from: "ab", 20, to: "ab", end: 150) == ["ab"])
        #expect(try way(Self.block, from: "ab", 150, to: "ab", end: 20) == ["ab", "bc", "cd", "da", "ab"])
    }

    @Test("Of several starts and goals the fastest pair is taken, offsets counted")
    func severalEnds() throws {
        let drawn = try DrawnNetwork(Self.block)
        let ways = FastestWay(drawn.network)
        func place(_ edge: String, _ offset: Metres) throws -> RoadPosition {
            RoadPosition(edge: try drawn.edge(edge), offset: offset)
        }
        let parked = [try place("ab", 150), try place("ba", 50)]
        let near = try #require(ways.way(from: parked, to: [try place("da", 100), try place("ad", 100)]))
        #expect(near.edges.map(drawn.name) == ["ba", "ad"])
        #expect(abs(near.length(drawn.network) - 250) < 0.1)
        let far = try #require(ways.way(from: parked, to: [try place("cd", 50), try place("dc", 150)]))
        #expect(far.edges.map(drawn.name) == ["ab", "bc", "cd"])
        #expect(abs(far.duration(drawn.network) - 300 / (30 / 3.6)) < 0.1)
    }

    @Test("A turn that is banned by way of a street between is not taken; edges within the ban are shadows")
    func shadows() throws {
        let drawn = try DrawnNetwork(
            """
            a 0 0
            b 200 0
            c 400 0
            d 400 200
            e 600 0
            f 600 200
            ab residential
            bc residential
            cd residential
            ce residential
            ef residential
            fd residential
            no_turn ab bc cd
            """)
        let ways = FastestWay(drawn.network)
        #expect(ways.edges(from: try drawn.edge("ab"), to: try drawn.edge("cd")) == nil)
        let round = try #require(ways.edges(from: drawn.edge("ab"), to: drawn.edge("fd")))
        #expect(round.map(drawn.name) == ["ab", "bc", "ce", "ef", "fd"])
        #expect(drawn.network.original(round[1]) != round[1])
        #expect(zip(round, round.dropFirst()).allSatisfy { drawn.network.successors($0).contains($1) })
    }

    // MARK: Roads that may not be passed through

    /// A private street cuts a corner; at the end a public street lies within a yard.
    private static let yard = """
        s -1000 0
        a 0 0
        b 200 0
        m 0 400
        n 200 400
        z 1000 0
        y 1000 100
        x 1000 200
        sa residential
        ab residential access=private
        am residential
        mn residential
        nb residential
        bz residential
        zy service access=private
        yx residential
        a1-a residential
        a2-a residential
        a1 0 -100
        a2 -100 -100
        """

    @Test(
        "A private street is not passed through, but driven to leave it or to come to it",
        arguments: [
            ("sa", "bz", ThroughPolicy.all, ["sa", "ab", "bz"]), ("sa", "bz", .strict, ["sa", "am", "mn", "nb", "bz"]),
            ("sa", "ab", .strict, ["sa", "ab"]), ("ab", "bz", .strict, ["ab", "bz"]),
            ("sa", "zy", .strict, ["sa", "am", "mn", "nb", "bz", "zy"]),
        ])
    func privateStreet(start: String, goal: String, through: ThroughPolicy, edges: [String]) throws {
        #expect(try way(Self.yard, from: start, to: goal, through: through) == edges)
    }

    @Test("A public street within a yard is reached over the yard's roads, and over no others")
    func enclosed() throws {
        let found = try #require(try way(Self.yard, from: "sa", to: "yx"))
        #expect(found == ["sa", "am", "mn", "nb", "bz", "zy", "yx"])
    }

    @Test("A way leads over a reversible road, in both directions", arguments: [nil, 400])
    func reversible(height: Centimetres?) throws {
        let drawing = """
            s -1000 0
            a 0 0
            b 200 0
            z 1000 0
            sa residential
            ab residential oneway=reversible
            bz residential
            """
        #expect(try way(drawing, from: "sa", to: "bz", avoiding: height) == ["sa", "ab", "bz"])
        #expect(try way(drawing, from: "zb", to: "as", avoiding: height) == ["zb", "ba", "as"])
    }

    // MARK: Heights

    private static let bridge = """
        s -200 0
        a 0 0
        b 100 0
        z 300 0
        m 0 300
        n 100 300
        sa residential
        ab residential maxheight=3.2
        bz residential
        am residential
        mn residential
        nb residential
        """

    @Test("Heights are ignored, unless low edges are to be avoided")
    func heights() throws {
        #expect(try way(Self.bridge, from: "sa", to: "bz") == ["sa", "ab", "bz"])
        #expect(try way(Self.bridge, from: "sa", to: "bz", avoiding: 320) == ["sa", "ab", "bz"])
        #expect(try way(Self.bridge, from: "sa", to: "bz", avoiding: 400) == ["sa", "am", "mn", "nb", "bz"])
    }

    @Test("No way leads to a low edge; away from one it does")
    func lowEnds() throws {
        #expect(try way(Self.bridge, from: "sa", to: "ab", avoiding: 400) == nil)
        #expect(try way(Self.bridge, from: "ab", to: "bz", avoiding: 400) == ["ab", "bz"])
    }

    @Test(
        "No way leads against a one-way street, under a bridge too low, or to a road without connection",
        arguments: [("ab", "sa", nil), ("sa", "bc", 400), ("sa", "de", nil)])
    func noWay(start: String, goal: String, height: Centimetres?) throws {
        let drawing = """
            s 0 0
            a 100 0
            b 200 0
            c 300 0
            d 900 0
            e 999 0
            sa service oneway=yes
            ab service maxheight=3
            bc service
            de service
            """
        #expect(try way(drawing, from: start, to: goal, avoiding: height) == nil)
    }

    @Test("The search gives up at its bound")
    func bound() throws {
        let drawn = try DrawnNetwork(Self.yard)
        let ends = (try drawn.edge("sa"), try drawn.edge("bz"))
        #expect(FastestWay(drawn.network, edgesMax: 1).edges(from: ends.0, to: ends.1) == nil)
        #expect(FastestWay(drawn.network, edgesMax: 100).edges(from: ends.0, to: ends.1) != nil)
    }

    // MARK: The way itself

    @Test("Length, duration and line are those between the ends")
    func measures() throws {
        let drawn = try DrawnNetwork(
            "a 0 0\nb 100 0\nc 100 50\nd 300 50\nabc tertiary maxspeed=36\ncd tertiary maxspeed=72")
        let way = PlannedWay(
            PlannedWay.Leg(edges: [try drawn.edge("ac"), try drawn.edge("cd")], start: 40, end: 120))
        #expect(abs(way.length(drawn.network) - 230) < 0.1)
        #expect(abs(way.duration(drawn.network) - 17) < 0.01)
        let line = way.line(drawn.network)
        let wanted = [(40.0, 0.0), (100, 0), (100, 50), (220, 50)].map(MatchingDrive.place)
        #expect(line.count == wanted.count)
        #expect(zip(line, wanted).allSatisfy { $0.distance(to: $1) < 0.1 })
    }
}
