import Clearances
import Geo
import Roads
import RoadsTestSupport
import Testing

@Suite("Heights in tunnels, over a kilometre of road, and in one direction only")
struct HardHeightTests {
    // MARK: Tunnels

    /// A tunnel under a town, 600 m long, and the streets above it.
    ///
    ///     s────j═══════════k────e      the tunnel from j 0 to k 600 m
    ///          │     x     │
    ///          u─────┼─────v           150 m south; x crosses above the tunnel
    private static let tunnel = """
        s -2000 0
        j 0 0
        k 600 0
        e 2600 0
        u 0 -150
        w 300 -150
        v 600 -150
        x 300 150
        sj primary
        jk primary tunnel=yes layer=-1 maxheight=3.8
        ke primary
        ju residential
        uwv residential
        vk residential
        wx residential
        """

    @Test("a tunnel's height limits the tunnel from end to end; the detour is by the streets above")
    func tunnel() throws {
        let hazards = try DrawnHazards(Self.tunnel)
        #expect(hazards.entries == ["jk", "kj"])
        try hazards.expect(
            before: "jk", from: "sj", at: "j", distance: 0, length: 900, extra: 300, along: ["ju", "uw", "wv", "vk"])
        try hazards.expect(before: "kj", from: "ek", at: "k", distance: 0, length: 900, extra: 300)
    }

    @Test("a street that crosses above a tunnel is neither limited nor its structure, which is shown in the middle")
    func streetAbove() throws {
        let drawn = try DrawnNetwork(Self.tunnel.replacing("wx residential", with: "wx residential name=High+Street"))
        #expect(try drawn.clearances("wx").isEmpty)
        let clearance = try #require(try drawn.clearances("jk").first)
        #expect(clearance.name.isEmpty)
        #expect(clearance.position.distance(to: try drawn.network.coordinate(drawn.edge("jk"), offset: 300)) < 0.5)
    }

    @Test(
        "a road in a tunnel under a low road is not limited by it", arguments: ["tunnel=yes", "layer=-1 covered=yes"])
    func underALowRoad(tags: String) throws {
        let hazards = try DrawnHazards(
            Self.tunnel.replacing("tunnel=yes layer=-1 maxheight=3.8", with: tags)
                .replacing("wx residential", with: "wx residential maxheight=3.0"))
        #expect(hazards.entries == ["wx", "xw"])
    }

    // MARK: A kilometre of road

    /// A road tagged with a height over a kilometre, a side street at its 800th metre, and its bridge at the 700th.
    ///
    ///        u─────────────────────────v
    ///        │             │           │      200 m north
    ///     s──j──a──────────║──m────────b──k──e     a 300, bridge 1,000, m 1,100, b 1,300, k 1,600 m
    private static let kilometre = """
        s -1000 0
        j 0 0
        a 300 0
        m 1100 0
        b 1300 0
        k 1600 0
        e 2600 0
        u 0 200
        v 1600 200
        y 1100 -300
        p 1000 -40
        q 1000 40
        sja residential
        amb residential maxheight=3.2 name=Mill+Lane
        bke residential
        juvk residential
        my residential
        pq none railway=rail bridge=yes layer=1 name=Branch+Line
        """

    @Test("the road limits the truck from its start, however far down it the bridge is")
    func fromItsStart() throws {
        let hazards = try DrawnHazards(Self.kilometre)
        #expect(try hazards.zone("am") == ["am", "mb"])
        try hazards.expect(before: "am", from: "sj", at: "j", distance: 300, length: 2000, extra: 400)
        #expect(try hazards.tooLate("am")["ja"] == 0)
    }

    @Test("the bridge is where it is shown, on both of its edges and in both directions one clearance")
    func shownAtTheBridge() throws {
        let drawn = try DrawnNetwork(Self.kilometre)
        let clearance = try #require(try drawn.clearances("am").first)
        #expect(clearance.name == "Branch Line over Mill Lane")
        #expect(clearance.position.distance(to: try drawn.network.coordinate(drawn.edge("am"), offset: 700)) < 0.5)
        for edge in ["ma", "mb", "bm"] { #expect(try drawn.clearances(edge) == [clearance], "\(edge)") }
        #expect(drawn.network.clearanceCount == 1)
    }

    @Test(
        "a bridge that does not lie higher, or carries the road on, is not its structure",
        arguments: [
            "pq none railway=rail layer=1", "pq none railway=rail bridge=no layer=1",
            "pq none railway=rail bridge=yes layer=0", "ba residential bridge=yes layer=1 name=Branch+Line",
            "bp residential bridge=yes layer=1 name=Branch+Line",
        ])
    func noStructure(bridge: String) throws {
        let drawing = Self.kilometre.split(separator: "\n").dropLast().joined(separator: "\n")
        let drawn = try DrawnNetwork(drawing + "\n\(bridge)")
        let clearance = try #require(try drawn.clearances("am").first)
        #expect(clearance.name == "Mill Lane")
        #expect(clearance.position.distance(to: try drawn.network.coordinate(drawn.edge("am"), offset: 500)) < 0.5)
    }

    @Test("a lower height on a node within it is a structure of its own on the edge that arrives there")
    func nodeWithin() throws {
        let drawing =
            Self.kilometre.replacing("m 1100 0", with: "m 1100 0 maxheight=3.0")
            + "\nz 1100 -600\nyz residential"
        let hazards = try DrawnHazards(drawing, height: 310)
        #expect(hazards.entries == ["am", "bm", "ym"])
        let taller = try DrawnHazards(drawing)
        let way = "osm:way:\(try taller.drawn.id(way: "amb"))"
        let node = "osm:node:\(try taller.drawn.id(node: "m"))"
        #expect(try taller.hazard("am").clearances.map { taller.drawn.network.clearance($0).id } == [node, way])
    }

    // MARK: One direction

    private func oneDirection(_ tags: String) throws -> DrawnHazards {
        try DrawnHazards(
            DetourTests.bypass.replacing("maxheight=3.2", with: tags) + DetourTests.approach + DetourTests.street)
    }

    @Test(
        "a height in one direction is a hazard in that direction alone",
        arguments: [
            ("maxheight:forward=3.2", ["ab"]), ("maxheight:backward=3.2", ["ba"]),
            ("maxheight:physical:forward=3.2", ["ab"]), ("maxheight:lanes:backward=none|3.2", ["ba"]),
            ("maxheight:lanes=none|3.2", ["ab", "ba"]), ("maxheight=4.2 maxheight:backward=3.2", ["ba"]),
            ("maxheight=3.2 maxheight:backward=4.2", ["ab", "ba"]),
        ])
    func direction(tags: String, entries: [String]) throws {
        #expect(try oneDirection(tags).entries == entries)
    }

    @Test("where the two directions differ, each truck is judged by its own")
    func bothDirections() throws {
        let hazards = try oneDirection("maxheight:forward=3.2 maxheight:backward=3.6")
        let network = hazards.drawn.network
        #expect(try hazards.hazard("ab").clearances.map { network.reading($0) } == [.limit(320)])
        #expect(try hazards.hazard("ba").clearances.map { network.reading($0) } == [.limit(360)])
    }

    @Test("a road that is low in one direction may be part of a detour in the other")
    func lowInOneDirection() throws {
        let street = "juvk residential maxheight:backward=3.2"
        let hazards = try DrawnHazards(DetourTests.bypass + DetourTests.approach + street)
        try hazards.expect(before: "ab", from: "sj", at: "j", distance: 300, length: 1100, extra: 400)
        #expect(try !hazards.approaches("ba").contains("ek"))
        #expect(hazards.entries == ["ab", "ba", "kj"])
    }
}
