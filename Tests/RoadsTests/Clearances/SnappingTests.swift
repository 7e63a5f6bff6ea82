import Clearances
import Geo
import Roads
import Testing

@Suite("Snapping clearances to roads")
struct SnappingTests {
    /// A kilometre of road, west to east.
    static let road = "a 0 0\nb 1000 0\nab residential name=Mill+Lane\n"
    /// Two roads that cross without meeting, the second on a bridge.
    static let crossing = """
        a 0 0
        b 1000 0
        c 500 -500
        d 500 500
        ab primary name=Mill+Lane ref=B+37
        cd secondary name=High+Street bridge=yes layer=1

        """

    /// A road under a railway bridge, and one beside it that leads onto a bridge that is higher still.
    static let underRailway = """
        a 0 0
        b 1000 0
        c 500 -300
        d 500 300
        e 0 25
        f 490 25
        g 1000 25
        ab residential
        cd none railway=rail bridge=yes layer=1
        ef residential
        fg residential bridge=yes layer=2

        """

    @Test("a road is cut at the foot: its start is not limited, both directions are")
    func cut() throws {
        let drawn = try SnappingDrawing(Self.road + "@p 400 30 3.2")
        #expect(drawn.limits == ["p: 0>400", "p: 1000>400"])
        #expect(drawn.report.clearancesSnapped == 1)
        #expect(drawn.network.edgeCount == 4)
        #expect(try drawn.status("p") == .inForce)
    }

    @Test("what is made of the foot is named by the clearance, negative, and the same in every build")
    func cutName() throws {
        let first = try SnappingDrawing(Self.road + "@p 400 30 3.2")
        let second = try SnappingDrawing(Self.road + "@q 700 0 3.2\n@p 400 30 3.2")
        func made(_ drawn: SnappingDrawing) -> Set<Int64> {
            Set((0..<drawn.network.nodeCount).map { drawn.network.osmID(NodeID($0)) }.filter { $0 < 0 })
        }
        #expect(made(first).count == 1)
        #expect(made(second).isSuperset(of: made(first)))
        #expect(made(second).allSatisfy { $0 > -(1 << 53) })
    }

    @Test("within a metre of a node the node is the place; a junction limits what arrives there on that level")
    func junction() throws {
        let drawn = try SnappingDrawing(
            """
            a 0 0
            b 500 0
            c 1000 0
            d 500 300
            abc residential
            bd residential
            @p 500.5 0 3.2
            """)
        #expect(drawn.limits == ["p: 0>500", "p: 1000>500", "p: 500,300>500"])
    }

    @Test("where nothing arrives on that level, what begins there is limited: a one-way, a bridge")
    func beginning() throws {
        let oneway = try SnappingDrawing(
            Self.road.replacing("residential", with: "residential oneway=yes") + "@p -5 0 3.2")
        #expect(oneway.limits == ["p: 0>1000"])
        let bridge = "a 0 0\nb 500 0\nc 1000 0\nab primary oneway=yes\nbc primary oneway=yes bridge=yes\n"
        #expect(try SnappingDrawing(bridge + "@p 500 5 3.2 passage=over").limits == ["p: 500>1000"])
    }

    /// A road with a piece of 40 m on another level: a bridge, a tunnel, or under a railway.
    static func otherLevel(_ tags: String, of road: String = "secondary", railway: String = "") -> String {
        """
        a 0 0
        b 480 0
        c 520 0
        d 1000 0
        e 500 -50
        f 500 50
        ab \(road) name=Mill+Lane
        bc \(road) name=Mill+Lane \(tags)
        cd \(road) name=Mill+Lane
        ef none railway=rail bridge=yes layer=1 \(railway)

        """
    }

    static let pointsAtEnds: [(tags: String, clearance: String, limits: [String])] = [
        ("bridge=yes layer=2", "@p 470 5 3.2 passage=over", ["p: 480>520", "p: 520>480"]),
        ("bridge=yes layer=2", "@p 530 5 3.2 passage=over", ["p: 480>520", "p: 520>480"]),
        ("layer=-1", "@p 465 4 3.2 passage=under road=Mill+Ln", ["p: 480>520", "p: 520>480"]),
        ("tunnel=yes", "@p 480.5 3 3.2", ["p: 480>520", "p: 520>480"]),
        ("tunnel=yes", "@p 480.5 3 3.2 approach=90", ["p: 480>520"]),
        ("tunnel=yes", "@p 480.5 3 3.2 approach=270", ["p: 520>480"]),
        ("tunnel=yes", "@p 519.5 3 3.2 approach=90", ["p: 480>520"]),
        ("tunnel=yes oneway=yes", "@p 480.5 3 3.2", ["p: 480>520"]),
    ]

    @Test(
        "at the end of a piece on another level both directions are limited, or the one that the approach names",
        arguments: pointsAtEnds)
    func endOfStructure(tags: String, clearance: String, limits: [String]) throws {
        #expect(try SnappingDrawing(Self.otherLevel(tags) + clearance).limits == limits)
    }

    @Test("where a road bends at the node, an approach limits who drives that course there, and nobody else")
    func bend() throws {
        let bend = "a 0 0\nb 500 0\nc 500 500\nab residential\nbc residential\n"
        #expect(try SnappingDrawing(bend + "@p 499.5 -3 3.2 approach=90").limits == ["p: 0>500"])
        #expect(try SnappingDrawing(bend + "@p 499.5 -3 3.2 approach=270").limits == ["p: 500>0"])
    }

    @Test("clearances at one place share one cut; several on one segment are cut in order")
    func several() throws {
        let drawn = try SnappingDrawing(Self.road + "@r 900 0 4\n@p 400 5 3.2\n@q 400.4 -5 3.4\n@s 100 0 4.1")
        #expect(drawn.network.edgeCount == 8)
        #expect(drawn.limits.contains("r: 400>900"))
        #expect(drawn.limits.contains("s: 400>100"))
    }

    @Test("farther than the snap distance from any road: kept in the list, limiting nothing, and reported")
    func tooFar() throws {
        let drawn = try SnappingDrawing(Self.road + "@p 400 41 3.2\n@q 5000 0 3.4")
        #expect(drawn.limits.isEmpty)
        #expect(drawn.report.clearancesUnsnapped == ["too-far": 2])
        #expect(drawn.report.unsnapped == ["p": .tooFar, "q": .tooFar])
        #expect(try drawn.status("p") == .unsnapped)
        #expect(drawn.report.clearances == 2)
        #expect(try SnappingDrawing(Self.road + "@p 400 41 3.2", snapDistance: 50).limits.count == 2)
    }

    @Test("of two roads of one level the nearer is limited, the named one where it is farther")
    func names() throws {
        let parallel = Self.road + "c 0 30\nd 1000 30\ncd residential name=Upper+Washington+Street ref=US+23\n"
        func limited(_ clearance: String) throws -> String {
            try #require(try SnappingDrawing(parallel + clearance).limits.first)
        }
        #expect(try limited("@p 400 10 3.2") == "p: 0>400")
        #expect(try limited("@p 400 20 3.2") == "p: 0,30>400,30")
        for road in ["Upper+Washington+St", "upper+washington+street", "US-23", "us+23", "I-94;US23"] {
            #expect(try limited("@p 400 10 3.2 road=\(road)") == "p: 0,30>400,30", "\(road)")
        }
        // A name that no road there bears proves nothing: sources spell as they like.
        #expect(try limited("@p 400 10 3.2 road=County+Route+7") == "p: 0>400")
    }

    @Test("an approach limits the direction it names, and finds the road that leads that way")
    func approach() throws {
        #expect(try SnappingDrawing(Self.road + "@p 400 0 3.2 approach=80").limits == ["p: 0>400"])
        #expect(try SnappingDrawing(Self.road + "@p 400 0 3.2 approach=270,90").limits.count == 2)
        let crossroads = Self.road + "c 420 -300\nd 420 300\ncd residential\n"
        #expect(try SnappingDrawing(crossroads + "@p 410 2 3.2 approach=0").limits == ["p: 420,-300>420,2"])
        let drawn = try SnappingDrawing(Self.road + "@p 400 0 3.2 approach=0")
        #expect(drawn.report.clearancesUnsnapped == ["no-such-approach": 1])
    }

    @Test(
        "at a bridge the road beneath is limited, the one on it where the source says so",
        arguments: [
            ("@p 502 3 3.2", "p: 0>502"), ("@p 502 3 3.2 passage=under", "p: 0>502"),
            ("@p 502 3 3.2 passage=over", "p: 500,-500>500,3"), ("@p 520 30 3.2 road=B+37", "p: 0>520"),
        ])
    func passage(clearance: String, limited: String) throws {
        #expect(try SnappingDrawing(Self.crossing + clearance).limits.first == limited)
    }

    @Test("beneath a bridge that no road passes under, nothing is limited; over it, the bridge is")
    func bridgeAlone() throws {
        let bridge = "a 0 0\nb 100 0\nab primary bridge=yes layer=1\n"
        let under = try SnappingDrawing(bridge + "@p 50 0 3.2 passage=under")
        #expect(under.report.clearancesUnsnapped == ["no-such-passage": 1])
        #expect(try SnappingDrawing(bridge + "@p 50 0 3.2 passage=over").limits.count == 2)
        #expect(try SnappingDrawing(bridge + "@p 50 0 3.2").limits.count == 2)
    }

    @Test("a railway bridge says which road passes under, too; a road does not pass under the bridge it leads onto")
    func railway() throws {
        let drawn = try SnappingDrawing(Self.underRailway + "@p 500 20 3.2 passage=under")
        // `fg` lies higher than the railway; `ef` ends before it and only leads onto `fg`.
        #expect(drawn.limits == ["p: 0>500", "p: 1000>500"])
    }

    @Test("equally near roads of different levels, and nothing that decides: unsnapped; a name decides")
    func levels() throws {
        let stacked = Self.road + "c 0 8\nd 1000 8\ncd residential name=Upper+Lane layer=1\n"
        let drawn = try SnappingDrawing(stacked + "@p 400 2 3.2")
        #expect(drawn.report.clearancesUnsnapped == ["roads-of-different-levels": 1])
        #expect(drawn.limits.isEmpty)
        #expect(try SnappingDrawing(stacked + "@p 400 2 3.2 road=Upper+Ln").limits.first == "p: 0,8>400,8")
        let apart = stacked.replacing(" 8\n", with: " 30\n")
        #expect(try SnappingDrawing(apart + "@p 400 2 3.2").limits.first == "p: 0>400")
    }

    @Test("one road that goes on at another level is no tie")
    func ramp() throws {
        let drawn = try SnappingDrawing(
            "a 0 0\nb 500 0\nc 1000 0\nab residential\nbc residential layer=1\n@p 498 3 3.2")
        #expect(drawn.limits.first == "p: 0>498")
    }

    @Test("a structure over a divided road limits both carriageways, of which its point is nearer to one")
    func carriageways() throws {
        let divided = """
            a 0 0
            b 1000 0
            c 1000 20
            d 0 20
            ab trunk oneway=yes ref=B+37
            cd trunk oneway=yes ref=B+37

            """
        #expect(try SnappingDrawing(divided + "@p 400 5 3.2").limits == ["p: 0>400", "p: 1000,20>400,20"])
        #expect(try SnappingDrawing(divided + "@p 400 5 3.2 approach=270").limits == ["p: 1000,20>400,20"])
    }

    @Test("an unreadable height is kept as unknown, counted with its text, and limits nobody")
    func unknown() throws {
        let drawn = try SnappingDrawing(Self.road + "@p 400 0 low\n@q 600 0 23.24")
        #expect(drawn.report.heightTextsNotUnderstood == ["clearance=low": 1, "clearance=23.24": 1])
        #expect(drawn.network.clearance(try drawn.clearance("p")).reading == .unknown)
        #expect(TooLowEdges(drawn.network, height: 600).edges.isEmpty)
    }
}
