import Clearances
import Geo
import Roads
import Testing

@Suite("A clearance that arrives while roads are in use finds its road by the rules of the import")
struct LiveSnappingTests {
    @Test("the whole edge is limited, in both directions; roads and their ids stay what they are")
    func wholeEdge() throws {
        var live = try LiveDrawing(SnappingTests.road)
        #expect(try live.set("@p 400 30 3.2") == .snapped)
        #expect(live.limits == ["p: 0>1000", "p: 1000>0"])
        #expect(try live.status("p") == .inForce)
        let (mapped, network) = (live.mapped.network, live.drawn.network)
        #expect(network.edgeCount == mapped.edgeCount)
        #expect(network.nodeCount == mapped.nodeCount)
        #expect(network.fingerprint == mapped.fingerprint)
        let edges = (0..<network.edgeCount).map { EdgeID($0) }
        #expect(edges.map(network.key) == edges.map(mapped.key))
        #expect(edges.map { network.clearances($0).count } == [1, 1])
        #expect(edges.allSatisfy { mapped.clearances($0).isEmpty })
    }

    @Test("it is called what it says, else as it says its road is called, else as the road is")
    func name() throws {
        var live = try LiveDrawing(SnappingTests.road)
        try live.set("@p 400 0 3.2 name=Low+Bridge road=Mill+Ln")
        try live.set("@q 600 0 3.2 road=Mill+Ln")
        try live.set("@r 800 0 3.2")
        #expect(try live.clearance("p").name == "Low Bridge")
        #expect(try live.clearance("q").name == "Mill Ln")
        #expect(try live.clearance("r").name == "Mill Lane")
    }

    @Test(
        "of two roads the nearer is limited, the named one where it is farther",
        arguments: [
            ("@p 400 10 3.2", "p: 0>1000"), ("@p 400 20 3.2", "p: 0,30>1000,30"),
            ("@p 400 10 3.2 road=Upper+Washington+St", "p: 0,30>1000,30"),
            ("@p 400 10 3.2 road=US-23", "p: 0,30>1000,30"), ("@p 400 10 3.2 road=County+Route+7", "p: 0>1000"),
        ])
    func names(clearance: String, limited: String) throws {
        var live = try LiveDrawing(
            SnappingTests.road + "c 0 30\nd 1000 30\ncd residential name=Upper+Washington+Street ref=US+23")
        #expect(try live.set(clearance) == .snapped)
        #expect(live.limits.first == limited)
    }

    @Test(
        "at a bridge the road beneath is limited, the one on it where the source says so",
        arguments: [
            ("@p 502 3 3.2", "p: 0>1000"), ("@p 502 3 3.2 passage=under", "p: 0>1000"),
            ("@p 502 3 3.2 passage=over", "p: 500,-500>500,500"), ("@p 520 30 3.2 road=B+37", "p: 0>1000"),
        ])
    func passage(clearance: String, limited: String) throws {
        var live = try LiveDrawing(SnappingTests.crossing)
        #expect(try live.set(clearance) == .snapped)
        #expect(live.limits.first == limited)
    }

    @Test("a railway bridge, which is in no road file, says which road passes under; only near the clearance does it")
    func railway() throws {
        var live = try LiveDrawing(SnappingTests.underRailway)
        #expect(try live.set("@p 500 20 3.2 passage=under") == .snapped)
        #expect(live.limits == ["p: 0>1000", "p: 1000>0"])
        // 200 m from the railway neither passes under anything: the nearer one, of the two on the ground.
        #expect(try live.set("@p 300 20 3.2") == .snapped)
        #expect(live.limits.first == "p: 0,25>490,25")
    }

    @Test("a structure over a divided road limits both carriageways; an approach picks one of them")
    func carriageways() throws {
        let divided = "a 0 0\nb 1000 0\nc 1000 20\nd 0 20\nab trunk oneway=yes ref=B+37\ncd trunk oneway=yes ref=B+37\n"
        var live = try LiveDrawing(divided)
        try live.set("@p 400 5 3.2")
        #expect(live.limits == ["p: 0>1000", "p: 1000,20>0,20"])
        try live.set("@p 400 5 3.2 approach=270")
        #expect(live.limits == ["p: 1000,20>0,20"])
    }

    @Test("a one-way drawn against its direction is limited as it is driven")
    func against() throws {
        var live = try LiveDrawing("a 0 0\nb 1000 0\nab residential oneway=-1")
        #expect(try live.set("@p 400 5 3.2 approach=90") == .unsnapped(.noSuchApproach))
        #expect(try live.set("@p 400 5 3.2 approach=270") == .snapped)
        #expect(live.limits == ["p: 1000>0"])
    }

    @Test("an approach limits the direction it names, as the road runs where the clearance stands")
    func approach() throws {
        var bent = try LiveDrawing("a 0 0\nb 500 0\nc 500 500\nabc residential")
        try bent.set("@p 250 5 3.2 approach=90")
        #expect(bent.limits == ["p: 0>500,500"])
        try bent.set("@p 505 250 3.2 approach=180")
        #expect(bent.limits == ["p: 500,500>0"])
    }

    @Test("at a junction what arrives there on the road's level is limited, as on import")
    func junction() throws {
        let roads =
            "a 0 0\nb 500 0\nc 1000 0\nd 500 300\ne 500 -300\nabc residential name=Mill+Lane\nbd residential\n"
            + "be residential layer=-1\n"
        let clearance = "@p 500.5 0 3.2 road=Mill+Ln"
        var live = try LiveDrawing(roads)
        try live.set(clearance)
        #expect(live.limits == ["p: 0>500", "p: 1000>500", "p: 500,300>500"])
        #expect(live.limits == (try SnappingDrawing(roads + clearance)).limits)
        try live.set(clearance + " approach=90")
        #expect(live.limits == ["p: 0>500"])
    }

    @Test("where nothing arrives on that level, what begins there is limited")
    func beginning() throws {
        var live = try LiveDrawing(
            "a 0 0\nb 500 0\nc 1000 0\nab primary oneway=yes\nbc primary oneway=yes bridge=yes\n")
        try live.set("@p 500 5 3.2 passage=over")
        #expect(live.limits == ["p: 500>1000"])
    }

    @Test(
        "at the end of a piece on another level the same is limited as on import",
        arguments: SnappingTests.pointsAtEnds)
    func endOfStructure(tags: String, clearance: String, limits: [String]) throws {
        var live = try LiveDrawing(SnappingTests.otherLevel(tags))
        #expect(try live.set(clearance) == .snapped)
        #expect(live.limits == limits)
    }

    @Test("where a road bends at a junction, an approach limits who drives that course there, as on import")
    func bend() throws {
        var live = try LiveDrawing("a 0 0\nb 500 0\nc 500 500\nab residential\nbc residential")
        try live.set("@p 499.5 -3 3.2 approach=270")
        #expect(live.limits == ["p: 500>0"])
        try live.set("@p 499.5 -3 3.2 approach=90")
        #expect(live.limits == ["p: 0>500"])
    }

    @Test(
        "where no road can be told the reason is said, and none is limited",
        arguments: [
            ("@p 400 41 3.2", SnappingError.tooFar), ("@p 400 4 3.2 approach=0", .noSuchApproach),
            ("@p 2050 0 3.2 passage=under", .noSuchPassage), ("@p 3400 2 3.2", .levels),
        ])
    func unsnapped(clearance: String, reason: SnappingError) throws {
        var live = try LiveDrawing(
            SnappingTests.road + """
                c 2000 0
                d 2100 0
                cd primary bridge=yes layer=1
                e 3000 0
                f 4000 0
                ef residential
                g 3000 8
                h 4000 8
                gh residential layer=1
                """)
        #expect(try live.set(clearance) == .unsnapped(reason))
        #expect(live.limits.isEmpty)
        #expect(try live.status("p") == .unsnapped)
        #expect(live.drawn.network.unsnappedClearances == [ClearanceID(0)])
    }

    @Test("one road that goes on at another level is no tie")
    func ramp() throws {
        var live = try LiveDrawing("a 0 0\nb 500 0\nc 1000 0\nab residential\nbc residential layer=1")
        #expect(try live.set("@p 498 3 3.2") == .snapped)
        #expect(live.limits == ["p: 0>500", "p: 500>0"])
    }

    @Test("the snap distance is the caller's")
    func snapDistance() throws {
        var live = try LiveDrawing(SnappingTests.road, snapDistance: 50)
        #expect(try live.set("@p 400 41 3.2") == .snapped)
    }
}
