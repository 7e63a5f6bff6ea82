import Clearances
import Geo
import Roads
import RoadsTestSupport
import Testing

@Suite("A height at a node or along a way limits the directed edges that it stands on")
struct NetworkClearanceTests {
    @Test("a node with a height cuts its way and limits the edges that arrive there, from both sides")
    func nodeClearance() throws {
        let drawn = try DrawnNetwork(
            """
            a 0 0
            b 100 0 maxheight=3.8
            c 200 0
            abc residential
            """)
        #expect(drawn.edgeNames == ["ab", "ba", "bc", "cb"])
        #expect(try drawn.clearances("ab").map(\.id) == ["osm:node:2"])
        #expect(try drawn.clearances("cb").map(\.posted) == ["3.8"])
        #expect(try drawn.clearances("ba").isEmpty)
        #expect(try drawn.clearances("bc").isEmpty)
        #expect(try drawn.successors("ab") == ["bc"])
    }

    @Test("a node with a height at an edge's end limits the edges that arrive there, and those only")
    func nodeClearanceAtJunction() throws {
        let drawn = try DrawnNetwork(
            """
            a 0 0
            b 100 0 barrier=height_restrictor maxheight=2.1
            c 200 0
            d 100 100
            ab residential
            bc service
            bd service oneway=yes
            """)
        #expect(try drawn.clearances("ab").map(\.reading) == [.limit(210)])
        #expect(try drawn.clearances("cb").map(\.reading) == [.limit(210)])
        #expect(try drawn.clearances("bd").isEmpty)
        #expect(try drawn.clearances("bc").isEmpty)
    }

    @Test("a node's height counts once in the report, and only where a drivable way passes it")
    func nodeClearanceCounted() throws {
        let drawn = try DrawnNetwork(
            """
            a 0 0
            b 100 0 maxheight=3.8
            c 200 0
            d 0 100 maxheight=2.0
            abc residential
            dc footway
            """)
        #expect(drawn.report.clearances == 1)
        #expect(drawn.report.heightTexts == ["maxheight=3.8": 1])
    }

    @Test(
        "within one way, a node's height for one direction limits the edge that arrives in that direction",
        arguments: [
            ("maxheight:forward=3.2", "", [320], []), ("maxheight:backward=3.2", "", [], [320]),
            ("maxheight:forward=3.2 maxheight:backward=3.6", "", [320], [360]),
            ("maxheight=3.8 maxheight:backward=3.2", "", [380], [320]),
            ("maxheight:backward=3.2 maxheight:forward=3.6", "oneway=yes", [360], []),
        ] as [(String, String, [Centimetres], [Centimetres])])
    func nodeDirections(heights: String, oneway: String, along: [Centimetres], against: [Centimetres]) throws {
        let drawn = try DrawnNetwork(
            """
            a 0 0
            b 100 0 \(heights)
            c 200 0
            abc residential \(oneway)
            """)
        #expect(try drawn.clearances("ab").map(\.reading) == along.map(ClearanceReading.limit))
        let back = drawn.edgeNames.contains("cb") ? try drawn.clearances("cb") : []
        #expect(back.map(\.reading) == against.map(ClearanceReading.limit))
        #expect(drawn.report.heightTexts.count == heights.split(separator: " ").count)
    }

    @Test(
        "where several ways meet, the lowest height of a node holds in both directions",
        arguments: [
            "ab residential\nbc residential", "ab residential\ncb residential",
            "abc residential\nbd service oneway=yes",
        ])
    func nodeDirectionsAtJunction(ways: String) throws {
        let drawn = try DrawnNetwork(
            """
            a 0 0
            b 100 0 maxheight:forward=3.6 maxheight:backward=3.2
            c 200 0
            d 100 100
            \(ways)
            """)
        #expect(try drawn.clearances("ab").map(\.posted) == ["3.2"])
        #expect(try drawn.clearances("cb") == drawn.clearances("ab"))
        #expect(drawn.report.clearances == 1)
    }

    @Test("a height on a way limits each of its edges in the direction it is tagged for")
    func wayClearance() throws {
        let drawn = try DrawnNetwork(
            """
            a 0 0
            b 100 0
            c 200 0
            d 100 100
            abc residential maxheight:forward=3.2
            bd residential maxheight=13'6"
            """)
        #expect(try drawn.clearances("ab").map(\.reading) == [.limit(320)])
        #expect(try drawn.clearances("bc").map(\.reading) == [.limit(320)])
        #expect(try drawn.clearances("ba").isEmpty)
        #expect(try drawn.clearances("bd").map(\.posted) == ["13'6\""])
        #expect(try drawn.clearances("bd") == drawn.clearances("db"))
        #expect(drawn.network.clearanceCount == 2)
    }

    @Test("backward and forward follow the order of the nodes, also where the way is one-way against it")
    func wayClearanceAgainst() throws {
        let drawn = try DrawnNetwork(
            """
            a 0 0
            b 100 0
            ab residential oneway=-1 maxheight:forward=3.2 maxheight:backward=3.6
            """)
        #expect(drawn.edgeNames == ["ba"])
        #expect(try drawn.clearances("ba").map(\.reading) == [.limit(360)])
    }

    @Test(
        "a bridge of a higher layer is where the structure is shown, under its name; the limit holds from the way's start"
    )
    func structure() throws {
        let drawn = try DrawnNetwork(
            """
            a 0 0
            b 400 0
            c 300 -50
            d 300 50
            ab residential maxheight=3.2 name=Mill+Lane
            cd none railway=rail bridge=yes layer=1 name=Branch+Line
            """)
        let clearance = try #require(try drawn.clearances("ab").first)
        #expect(clearance.id == "osm:way:\(try drawn.id(way: "ab"))")
        #expect(clearance.name == "Branch Line over Mill Lane")
        #expect(
            abs(
                clearance.position.distance(to: drawn.network.coordinate(drawn.network.from(try drawn.edge("ab"))))
                    - 300) < 0.5)
    }

    @Test("a height on a bridge limits the bridge itself, not the road below, and is shown in its middle")
    func throughTruss() throws {
        let drawn = try DrawnNetwork(
            """
            a 0 0
            b 400 0
            c 300 -50
            d 300 50
            ab residential
            cd residential bridge=yes layer=1 maxheight=3.9
            """)
        #expect(try drawn.clearances("ab").isEmpty)
        let clearance = try #require(try drawn.clearances("cd").first)
        let middle = try drawn.network.coordinate(drawn.edge("ab"), offset: 300)
        #expect(clearance.position.distance(to: middle) < 0.5)
    }
}
