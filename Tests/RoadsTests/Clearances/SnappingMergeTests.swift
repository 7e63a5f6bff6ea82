import Clearances
import Geo
import Roads
import Testing

@Suite("Several sources on one structure")
struct SnappingMergeTests {
    /// An underpass of 40 m in a road, with a height of its own.
    static func underpass(_ height: String) -> String {
        SnappingTests.otherLevel("maxheight=\(height)", of: "residential", railway: "name=Branch+Line")
    }

    @Test("the lowest counts where both hold, and both are kept")
    func lower() throws {
        let drawn = try SnappingDrawing(Self.underpass("3.6") + "@p 505 3 3.4")
        #expect(try drawn.status("p") == .inForce)
        #expect(try drawn.status("osm:way:1002") == .merged(into: try drawn.clearance("p")))
        #expect(drawn.limits == ["osm:way:1002: 505>480", "osm:way:1002: 505>520", "p: 480>505", "p: 520>505"])
        #expect(drawn.report.clearancesMerged == 1)
        #expect(drawn.report.clearances == 2)
    }

    @Test("a higher one beside OSM's is kept and limits nothing that OSM's limits")
    func higher() throws {
        let drawn = try SnappingDrawing(Self.underpass("3.6") + "@p 505 3 3.9")
        #expect(try drawn.status("p") == .merged(into: try drawn.clearance("osm:way:1002")))
        #expect(drawn.limits.allSatisfy { $0.hasPrefix("osm:way:1002") })
        #expect(drawn.limits.count == 4)
    }

    @Test("a height outweighs an unreadable text and 'nothing lower than usual'", arguments: ["abc", "default"])
    func readable(text: String) throws {
        let drawn = try SnappingDrawing(Self.underpass(text) + "@p 505 3 4.5")
        #expect(try drawn.status("osm:way:1002") == .merged(into: try drawn.clearance("p")))
        #expect(drawn.limits.contains("p: 480>505"))
    }

    @Test("the next piece of the same road is the same structure, within 30 m along it; another road is not")
    func reach() throws {
        // Without the bridge, so that the underpass does not draw them to it.
        let road = Self.underpass("3.6").replacing(" bridge=yes layer=1 name=Branch+Line", with: "")
        func merged(_ clearance: String) throws -> Int {
            try SnappingDrawing(road + clearance).report.clearancesMerged
        }
        #expect(try merged("@p 528 3 3.4") == 1)
        #expect(try merged("@p 531 3 3.4") == 0)
        let side = "g 525 5\nh 525 300\ngh residential name=Side+Street\n"
        #expect(try merged(side + "@p 528 12 3.4 road=Side+St") == 0)
        #expect(try merged(side + "@p 528 12 3.4 road=Mill+Ln") == 1)
    }

    @Test("a point beside an underpass is drawn to it: the road that passes under is the piece beneath the bridge")
    func drawn() throws {
        let drawn = try SnappingDrawing(Self.underpass("3.6") + "@p 531 3 3.4")
        #expect(drawn.limits.contains("p: 480>520"))
        #expect(drawn.limits.contains("p: 1000>520"))
        #expect(drawn.report.clearancesMerged == 1)
    }

    @Test("points of two files on one structure merge; other heights of the map among themselves do not")
    func points() throws {
        let road = "a 0 0\nb 1000 0\nab residential\n"
        let drawn = try SnappingDrawing(road + "@p 400 3 3.4\n@q 415 -3 3.2\n@r 500 0 3.3")
        #expect(try drawn.status("p") == .merged(into: try drawn.clearance("q")))
        #expect(try drawn.status("r") == .inForce)
        let nodes = try SnappingDrawing("a 0 0\nb 400 0 maxheight=3\nc 410 0 maxheight=3.2\nd 900 0\nabcd residential")
        #expect(nodes.report.clearancesMerged == 0)
    }

    /// A sign at one end of an underpass of 25 m.
    private static func signed(_ node: String, _ way: String, of road: String = "") -> String {
        """
        a 0 0
        b 475 0 maxheight=\(node)
        c 500 0
        d 1000 0
        ab residential name=Mill+Lane
        bc residential name=Mill+Lane maxheight=\(way)\(road)
        cd residential name=Mill+Lane
        """
    }

    @Test("a sign on a node and the height of its road are one structure where they say the same")
    func nodeAndWay() throws {
        let drawn = try SnappingDrawing(Self.signed("3.8+m", "3.8"))
        #expect(drawn.report.clearancesMerged == 1)
        #expect(try drawn.status("osm:node:2") == .merged(into: try drawn.clearance("osm:way:1002")))
        // Each edge is limited as before, by one of them.
        #expect(drawn.limits == ["osm:node:2: 0>475", "osm:way:1002: 475>500", "osm:way:1002: 500>475"])
        for (node, way, road) in [("3.8", "3.6", ""), ("abc", "abc", ""), ("3.8", "3.8", " layer=-1 tunnel=yes")] {
            let merged = try SnappingDrawing(Self.signed(node, way, of: road)).report.clearancesMerged
            #expect(merged == (road.isEmpty ? 0 : 1))
        }
    }

    @Test("two carriageways of one road under one bridge are one structure where they say the same")
    func carriageways() throws {
        func merged(_ other: String, name: String = "Mill+Lane") throws -> Int {
            try SnappingDrawing(
                """
                a 0 0
                b 30 0
                c 0 15
                d 30 15
                ab residential oneway=yes name=Mill+Lane maxheight=3.1
                dc residential oneway=yes name=\(name) maxheight=\(other)
                """
            ).report.clearancesMerged
        }
        #expect(try merged("3.1") == 1)
        #expect(try merged("3.2") == 0)
        #expect(try merged("3.1", name: "Side+Street") == 0)
    }

    @Test("an override that says the same as the sign beside it tells of one structure with it, live as in the file")
    func overrideOfEqual() throws {
        let roads = Self.signed("3.8", "3.6")
        let override = "@osm:way:1002 0 0 3.8"
        let file = try SnappingDrawing(roads + "\n" + override)
        #expect(file.report.clearancesMerged == 1)
        var live = try LiveDrawing(roads)
        try live.set(override)
        #expect(try live.status("osm:node:2") == .merged(into: try live.drawn.clearance("osm:way:1002")))
        #expect(live.limits == file.limits)
        live.remove("osm:way:1002")
        #expect(try live.status("osm:node:2") == .inForce)
    }

    @Test("an osm id takes the place of that clearance: its height and source, on the edges it limits")
    func override() throws {
        let drawn = try SnappingDrawing(Self.underpass("3.6") + "@osm:way:1002 0 5000 3.9 source=survey")
        #expect(drawn.report.clearancesOverridden == 1)
        #expect(drawn.report.clearancesSnapped == 0)
        let clearance = drawn.network.clearance(try drawn.clearance("osm:way:1002"))
        #expect(clearance.reading == .limit(390))
        #expect(clearance.posted == "3.9")
        #expect(clearance.source == "survey")
        #expect(clearance.name == "Branch Line over Mill Lane")
        #expect(drawn.limits == ["osm:way:1002: 480>520", "osm:way:1002: 520>480"])
    }

    @Test("a node's height for one direction is overridden in that direction")
    func overrideOfDirection() throws {
        let drawn = try SnappingDrawing(
            "a 0 0\nb 400 0 maxheight:backward=3\nc 900 0\nabc residential\n@osm:node:2 400 0 3.1")
        #expect(drawn.report.clearancesOverridden == 1)
        #expect(drawn.limits == ["osm:node:2: 900>400"])
    }

    @Test("an osm id that the map has no height for is a point like any other; a node's is overridden like a way's")
    func overrideWithout() throws {
        let drawn = try SnappingDrawing(
            "a 0 0\nb 400 0 maxheight=3\nc 900 0\nabc residential\n@osm:way:1001 700 0 3.9\n@osm:node:2 400 0 3.1")
        #expect(drawn.report.clearancesSnapped == 1)
        #expect(drawn.report.clearancesOverridden == 1)
        #expect(
            drawn.limits == [
                "osm:node:2: 0>400", "osm:node:2: 700>400", "osm:way:1001: 400>700", "osm:way:1001: 900>700",
            ])
    }

    @Test(
        "an osm id of a height that limits no road is a point like any other",
        arguments: [
            // On a railway's node.
            ("r 700 60\ns 700 0 maxheight=3\nt 700 -60\nrst none bridge=yes railway=rail", "osm:node:4"),
            // On a way without nodes.
            ("rs residential maxheight=3", "osm:way:1002"),
            // For the direction that a one-way has not.
            ("r 0 500\ns 900 500\nrs residential oneway=yes maxheight:backward=3", "osm:way:1002"),
            // The same on its node.
            ("r 0 500\ns 500 500 maxheight:backward=3\nt 900 500\nrst residential oneway=yes", "osm:node:4"),
            // Where a one-way begins.
            ("r 0 500 maxheight=3\ns 900 500\nrs residential oneway=yes", "osm:node:3"),
        ])
    func overrideOfNoLimit(mapped: String, id: String) throws {
        let drawn = try SnappingDrawing("a 0 0\nb 900 0\nab residential\n\(mapped)\n@\(id) 700 0 3.3")
        #expect(drawn.report.clearancesOverridden == 0)
        #expect(drawn.report.clearancesSnapped == 1)
        #expect(drawn.limits == ["\(id): 0>700", "\(id): 900>700"])
    }
}
