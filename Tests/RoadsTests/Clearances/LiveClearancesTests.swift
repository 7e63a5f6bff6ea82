import Clearances
import Geo
import RoadsTestSupport
import Testing

@testable import Roads

@Suite("Clearances that come and go while roads are in use")
struct LiveClearancesTests {
    // MARK: In the place of another

    @Test("an osm id takes the place of that clearance where the map has it; removing brings the map's back")
    func override() throws {
        var live = try LiveDrawing(SnappingMergeTests.underpass("3.6"))
        let mapped = try live.clearance("osm:way:1002")
        #expect(try live.set("@osm:way:1002 0 5000 3.9 source=dispatch date=2026-05-01") == .overriding)
        let clearance = try live.clearance("osm:way:1002")
        #expect(clearance.reading == .limit(390))
        #expect(clearance.posted == "3.9")
        #expect(clearance.source == "dispatch")
        #expect(clearance.date == "2026-05-01")
        #expect(clearance.name == "Branch Line over Mill Lane")
        #expect(clearance.position == mapped.position)
        #expect(live.limits == ["osm:way:1002: 480>520", "osm:way:1002: 520>480"])
        #expect(live.drawn.network.clearanceCount == 1)
        #expect(live.drawn.network.distinctLimits == [390])
        try live.set("@osm:way:1002 0 5000 3.9 name=Rail+Bridge")
        #expect(try live.clearance("osm:way:1002").name == "Rail Bridge")
        let isRemoved = live.remove("osm:way:1002")
        #expect(isRemoved)
        #expect(try live.clearance("osm:way:1002") == mapped)
        #expect(live.drawn.network === live.mapped.network)
    }

    @Test("where a way's two directions differ, both are overridden")
    func directions() throws {
        var live = try LiveDrawing("a 0 0\nb 500 0\nab residential maxheight:forward=3 maxheight:backward=3.5")
        try live.set("@osm:way:1001 0 0 4.2")
        let network = live.drawn.network
        #expect(network.clearanceCount == 2)
        #expect((0..<2).map { network.reading(ClearanceID($0)) } == [.limit(420), .limit(420)])
    }

    @Test("an osm id that the map has no height for is a point like any other")
    func overrideWithout() throws {
        var live = try LiveDrawing(SnappingTests.road)
        #expect(try live.set("@osm:way:1001 400 0 3.9") == .snapped)
        #expect(live.limits.count == 2)
    }

    @Test("one of a file that the road file was built with is placed anew, under its number, and comes back")
    func replaced() throws {
        var live = try LiveDrawing(
            SnappingTests.road + "c 0 300\nd 1000 300\ncd residential\n@p 400 0 3.2\n@q 700 0 3.5")
        let mapped = live.limits
        let others = mapped.filter { $0.hasPrefix("q") }
        #expect(try live.set("@p 200 300 3.0 date=2026") == .snapped)
        #expect(live.limits.filter { $0.hasPrefix("p") } == ["p: 0,300>1000,300", "p: 1000,300>0,300"])
        #expect(live.limits.filter { $0.hasPrefix("q") } == others)
        #expect(try live.clearance("p").date == "2026")
        #expect(try live.drawn.clearance("p") == live.mapped.clearance("p"))
        #expect(live.drawn.network.clearanceCount == 2)
        #expect(try live.set("@p 5000 0 3.0") == .unsnapped(.tooFar))
        #expect(try live.status("p") == .unsnapped)
        #expect(!live.limits.contains { $0.hasPrefix("p") })
        live.remove("p")
        #expect(live.limits == mapped)
    }

    @Test("one of a file that found no road on import finds it when it is set with a better place")
    func corrected() throws {
        var live = try LiveDrawing(SnappingTests.road + "@p 400 60 3.2")
        #expect(try live.status("p") == .unsnapped)
        #expect(try live.set("@p 400 10 3.2") == .snapped)
        #expect(try live.status("p") == .inForce)
        #expect(live.drawn.network.unsnappedClearances.isEmpty)
        #expect(live.limits.count == 2)
    }

    // MARK: One structure

    @Test("two on one structure: the lower counts, both are kept; without it the other counts")
    func two() throws {
        var live = try LiveDrawing(SnappingTests.road)
        try live.set("@p 400 3 3.4")
        try live.set("@q 415 -3 3.2")
        try live.set("@r 500 0 3.3")
        #expect(try live.status("p") == .merged(into: try live.drawn.clearance("q")))
        #expect(live.limits == ["q: 0>1000", "q: 1000>0", "r: 0>1000", "r: 1000>0"])
        live.remove("q")
        #expect(try live.status("p") == .inForce)
        #expect(live.limits == ["p: 0>1000", "p: 1000>0", "r: 0>1000", "r: 1000>0"])
    }

    @Test("beside OSM's the lowest counts where both hold", arguments: [("3.4", true), ("3.9", false), ("low", false)])
    func merged(text: String, isLower: Bool) throws {
        var live = try LiveDrawing(SnappingMergeTests.underpass("3.6"))
        try live.set("@p 505 3 \(text)")
        let (p, osm) = (try live.drawn.clearance("p"), try live.drawn.clearance("osm:way:1002"))
        let network = live.drawn.network
        #expect(network.status(isLower ? p : osm) == .inForce)
        #expect(network.status(isLower ? osm : p) == .merged(into: isLower ? p : osm))
        let counting = isLower ? "p" : "osm:way:1002"
        #expect(live.limits == ["\(counting): 480>520", "\(counting): 520>480"])
    }

    @Test("another road near by is another structure")
    func otherRoad() throws {
        var live = try LiveDrawing(
            SnappingMergeTests.underpass("3.6").replacing(" bridge=yes layer=1 name=Branch+Line", with: "")
                + "g 525 5\nh 525 300\ngh residential name=Side+Street\n")
        try live.set("@p 528 12 3.4 road=Side+St")
        #expect(try live.status("p") == .inForce)
        #expect(try live.status("osm:way:1002") == .inForce)
        try live.set("@p 528 12 3.4 road=Mill+Ln")
        #expect(try live.status("osm:way:1002") == .merged(into: try live.drawn.clearance("p")))
    }

    @Test("where the lowest of a structure is raised, what it outweighed on import counts again")
    func raised() throws {
        var live = try LiveDrawing(SnappingMergeTests.underpass("3.6") + "@p 505 3 3.9")
        #expect(try live.status("p") == .merged(into: try live.drawn.clearance("osm:way:1002")))
        try live.set("@osm:way:1002 0 0 4.2")
        #expect(try live.status("p") == .inForce)
        #expect(try live.status("osm:way:1002") == .merged(into: try live.drawn.clearance("p")))
        #expect(live.limits.filter { $0.hasPrefix("p") } == ["p: 480>505", "p: 520>505"])
        #expect(live.limits.filter { $0.hasPrefix("osm") } == ["osm:way:1002: 505>480", "osm:way:1002: 505>520"])
    }

    @Test("where the lowest of a structure moves away, the rest of it counts again")
    func movedAway() throws {
        var live = try LiveDrawing(SnappingMergeTests.underpass("3.6") + "@p 505 3 3.4")
        try live.set("@p 5000 0 3.4")
        #expect(try live.status("osm:way:1002") == .inForce)
        #expect(live.limits.count == 4)
        #expect(live.limits.allSatisfy { $0.hasPrefix("osm:way:1002") })
    }

    // MARK: Changes

    @Test("equal to what is set changes nothing: the network is the same object; any difference counts")
    func unchanged() throws {
        var live = try LiveDrawing(SnappingTests.road)
        try live.set("@p 400 0 3.2")
        let network = live.drawn.network
        #expect(try live.set("@p 400 0 3.2") == .unchanged)
        let isRemoved = live.remove("q")
        #expect(!isRemoved)
        #expect(live.drawn.network === network)
        #expect(try live.set("@p 400 0 3.20") == .snapped)
        #expect(live.drawn.network !== network)
    }

    @Test("a network that was handed out stays as it was")
    func snapshot() throws {
        var live = try LiveDrawing(SnappingTests.road)
        try live.set("@p 400 0 3.2")
        let before = live.drawn
        live.remove("p")
        #expect(before.limits == ["p: 0>1000", "p: 1000>0"])
        #expect(live.limits.isEmpty)
    }

    @Test("the same clearances make the same network, whatever came first and whatever was there between")
    func order() throws {
        let lines = ["@p 400 3 3.4", "@q 415 -3 3.2", "@r 5000 0 3.3", "@osm:way:1002 0 0 3.1"]
        let roads = SnappingMergeTests.underpass("3.6")
        func all(_ order: [String]) throws -> [String] {
            var live = try LiveDrawing(roads)
            try live.set("@s 700 0 2.9")
            for line in order { try live.set(line) }
            live.remove("s")
            let network = live.drawn.network
            return (0..<network.clearanceCount).map {
                "\(network.clearance(ClearanceID($0))) \(network.status(ClearanceID($0)))"
            } + live.limits
        }
        #expect(try all(lines) == all(lines.reversed()))
    }

    @Test("files and topics live side by side; on one id the topic wins, and the file's comes back after it")
    func origins() throws {
        var live = try LiveDrawing(SnappingTests.road)
        #expect(try live.replaceFiles("@p 400 0 3.2", "@q 700 0 3.5") == [.snapped, .snapped])
        try live.set("@p 400 0 3.8", from: .topic)
        #expect(try live.clearance("p").reading == .limit(380))
        #expect(live.live.inForce.inOrder.map(\.clearance.id) == ["p", "q"])
        live.remove("p", from: .topic)
        #expect(try live.clearance("p").reading == .limit(320))
    }

    @Test("files that are read again replace what files said, and nothing else")
    func filesAgain() throws {
        var live = try LiveDrawing(SnappingTests.road)
        _ = try live.replaceFiles("@p 400 0 3.2", "@q 700 0 3.5")
        try live.set("@r 900 0 3.1")
        #expect(try live.replaceFiles("@q 700 0 3.5", "@s 100 0 3.3") == [.unchanged, .snapped])
        #expect(live.live.inForce.inOrder.map(\.clearance.id) == ["q", "r", "s"])
    }

    @Test("beyond the limit nothing more is kept; what is there may still change")
    func limit() throws {
        var live = LiveClearances(try SnappingDrawing(SnappingTests.road).network)
        let position = DrawnNetwork.place(0, 50_000)
        let many = (0..<LiveClearances.countMax).map { PointClearance(id: "\($0)", position: position, posted: "3") }
        #expect(live.replaceAll(from: .file, with: many).allSatisfy { $0 == .unsnapped(.tooFar) })
        #expect(live.set(PointClearance(id: "more", position: position, posted: "3")) == .tooMany)
        #expect(live.set(PointClearance(id: "7", position: position, posted: "4"), from: .file) == .unsnapped(.tooFar))
        live.remove("8", from: .file)
        #expect(live.set(PointClearance(id: "more", position: position, posted: "3")) == .unsnapped(.tooFar))
    }

    // MARK: What follows

    @Test("the hazards of the overlaid network are those of a map that always had the clearance, and go with it")
    func hazards() throws {
        let grid = """
            a 0 0
            b 500 0
            c 1000 0
            d 1500 0
            e 500 300
            f 1000 300
            ab residential
            bc residential HEIGHT
            cd residential
            befc residential
            """
        let mapped = HazardTable(
            try SnappingDrawing(grid.replacing("HEIGHT", with: "maxheight=3.2")).network, height: 400)
        var live = try LiveDrawing(grid.replacing(" HEIGHT", with: ""))
        #expect(HazardTable(live.drawn.network, height: 400).hazards.isEmpty)
        try live.set("@p 750 10 3.2")
        let table = HazardTable(live.drawn.network, height: 400)
        #expect(table.hazards.map(\.entry) == mapped.hazards.map(\.entry))
        #expect(table.hazards.map(\.detours) == mapped.hazards.map(\.detours))
        #expect(!table.hazards.isEmpty && table.decisions.keys == mapped.decisions.keys)
        #expect(HazardTable(live.drawn.network, height: 320).hazards.isEmpty)
        live.remove("p")
        #expect(HazardTable(live.drawn.network, height: 400).hazards.isEmpty)
    }

    @Test("edges may be told apart by what is known of their height")
    func unknown() throws {
        var live = try LiveDrawing(SnappingTests.road + "c 0 300\nd 1000 300\ncd residential maxheight=default")
        try live.set("@p 400 0 low")
        let network = live.drawn.network
        func count(_ height: Centimetres) -> Int {
            let low = TooLowEdges(
                network,
                unknown: { id in
                    network.reading(id).verdict(height: height, legalDefault: 400) == .unknown
                })
            return low.edges.count
        }
        #expect(count(400) == 2)
        #expect(count(401) == 4)
        #expect(TooLowEdges(network, height: 600).edges.isEmpty)
    }
}
