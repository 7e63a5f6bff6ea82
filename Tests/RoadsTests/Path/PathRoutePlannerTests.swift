import Geo
import Roads
import RoadsTestSupport
import Testing

/// Ways through waypoints.
struct PathRoutePlannerTests {
    private func way(
        _ drawn: DrawnNetwork, from edge: String, _ offset: Metres = 0, through places: [(Metres, Metres)],
        avoiding height: Centimetres? = nil
    ) throws -> PlannedWay {
        let planner = RoutePlanner(drawn.network, FastestWay(drawn.network), radius: 100)
        let low = height.map { TooLowEdges(drawn.network, height: $0) }
        return try planner.way(
            from: [RoadPosition(edge: try drawn.edge(edge), offset: offset)], through: places.map(MatchingDrive.place),
            WayRules(avoiding: low))
    }

    /// A ring of streets with a dead end.
    private static let ring = """
        a 0 0
        b 300 0
        c 300 300
        d 0 300
        e 600 0
        ab residential
        bc residential
        cd residential
        da residential
        be residential
        """

    @Test("A destination alone is enough")
    func destination() throws {
        let drawn = try DrawnNetwork(Self.ring)
        let way = try way(drawn, from: "ab", 50, through: [(150, 310)])
        #expect(way.edges.map(drawn.name) == ["ab", "bc", "cd"])
        #expect(abs(way.length(drawn.network) - 700) < 0.1)
        #expect(abs(way.end.offset - 150) < 0.1)
    }

    @Test("Waypoints are passed in their order, without turning round: the edge of one is driven on")
    func chain() throws {
        let drawn = try DrawnNetwork(Self.ring)
        let way = try way(drawn, from: "ab", through: [(300, 150), (150, 0)])
        #expect(way.edges.map(drawn.name) == ["ab", "bc", "cd", "da", "ab"])
        #expect(way.legs.count == 1)
        #expect(abs(way.length(drawn.network) - 1_350) < 0.1)
    }

    @Test("Behind a waypoint in a dead end the truck turns round there")
    func deadEnd() throws {
        let drawn = try DrawnNetwork(Self.ring)
        let way = try way(drawn, from: "ab", through: [(500, 5), (300, 200)])
        #expect(way.edges.map(drawn.name) == ["ab", "be", "eb", "bc"])
        #expect(way.legs.map { $0.edges.map(drawn.name) } == [["ab", "be"], ["eb", "bc"]])
        #expect(abs(way.length(drawn.network) - (300 + 200 + 200 + 200)) < 0.1)
        let line = way.line(drawn.network)
        #expect(line.contains { $0.distance(to: MatchingDrive.place(500, 0)) < 0.1 })
        #expect(!line.contains { $0.distance(to: MatchingDrive.place(600, 0)) < 0.1 })
    }

    @Test("A waypoint far from all roads, and one that no way leads to, are told by their position")
    func failures() throws {
        let drawn = try DrawnNetwork(Self.ring + "\nx 2000 0\ny 2100 0\nxy residential")
        #expect(throws: RoutePlannerError.offNetwork(waypoint: 1)) {
            try way(drawn, from: "ab", through: [(300, 150), (0, 5_000)])
        }
        #expect(throws: RoutePlannerError.unreachable(waypoint: 0)) {
            try way(drawn, from: "ab", through: [(2_050, 0)])
        }
    }

    @Test("Where the nearest road has no connection, the next one is the destination's")
    func isolated() throws {
        let drawn = try DrawnNetwork(Self.ring + "\nx 100 340\ny 200 340\nxy service")
        #expect(try way(drawn, from: "ab", through: [(150, 345)]).edges.map(drawn.name) == ["ab", "bc", "cd"])
    }

    @Test("A way that passes under nothing too low, where there is one")
    func safe() throws {
        let low = Self.ring.replacing("bc residential", with: "bc residential maxheight=3.2")
        let drawn = try DrawnNetwork(low)
        #expect(try way(drawn, from: "ab", through: [(150, 310)]).edges.map(drawn.name) == ["ab", "bc", "cd"])
        let safe = try way(drawn, from: "ab", through: [(150, 310)], avoiding: 400)
        #expect(safe.edges.map(drawn.name) == ["ba", "ad", "dc"])
        #expect(throws: RoutePlannerError.self) { try way(drawn, from: "ab", through: [(300, 150)], avoiding: 400) }
    }

    @Test("No way that avoids low roads leads to a place on one, nor to the road next to it")
    func lowDestination() throws {
        let drawn = try DrawnNetwork(
            Self.ring.replacing("bc residential", with: "bc residential maxheight=3.2") + "\nf 340 100\nef service")
        #expect(try way(drawn, from: "ab", through: [(310, 150)]).edges.map(drawn.name) == ["ab", "bc"])
        #expect(throws: RoutePlannerError.unreachable(waypoint: 0)) {
            try way(drawn, from: "ab", through: [(310, 150)], avoiding: 400)
        }
    }

    @Test("A way that avoids low roads comes to no place in the direction that is closed to trucks, but leaves one")
    func closedDirection() throws {
        let drawn = try DrawnNetwork(
            """
            s -200 0
            a 0 0
            b 200 0
            z 400 0
            m 0 300
            n 200 300
            sa residential
            ab residential hgv:forward=no
            bz residential
            am residential
            mn residential
            nb residential
            """)
        #expect(try way(drawn, from: "sa", through: [(100, 5)]).edges.map(drawn.name) == ["sa", "ab"])
        let safe = try way(drawn, from: "sa", through: [(100, 5)], avoiding: 400)
        #expect(safe.edges.map(drawn.name) == ["sa", "am", "mn", "nb", "ba"])
        let leaving = try way(drawn, from: "ab", through: [(300, 5)], avoiding: 400)
        #expect(leaving.edges.map(drawn.name) == ["ab", "bz"])
    }

    // MARK: Where a waypoint lies on the road

    @Test(
        "Beside a road it is both directions, beside a divided one its carriageway, at a junction all roads that meet",
        arguments: [
            (150.0, 20.0, ["ab", "ba"]), (450, 12, ["be"]), (450, -12, ["fc"]), (300, 0, ["ab", "ba", "be"]),
            (150, 99, ["ab", "ba"]), (150, 101, []),
        ])
    func nearestRoad(east: Metres, north: Metres, edges: [String]) throws {
        let drawn = try DrawnNetwork(
            """
            a 0 0
            b 300 0
            e 600 0
            c 300 -20
            f 600 -20
            ab residential
            be primary oneway=yes
            fc primary oneway=yes
            """)
        let places = drawn.network.nearestRoad(MatchingDrive.place(east, north), within: 100)
        #expect(places.map { drawn.name($0.edge) }.sorted() == edges)
    }
}
