import Clearances
import Geo
import Roads
import RoadsTestSupport
import Testing

@Suite("Consecutive too-low edges are one zone")
struct LowZoneTests {
    /// The bridge's way is cut in its middle by a yard's drive.
    private static let cut = DetourTests.drawing.replacing(
        "ab residential maxheight=3.2",
        with: """
            m 350 0
            z 350 -100
            amb residential maxheight=3.2
            mz service
            """)

    @Test("consecutive too-low edges are one zone; its far side is where the straight continuation leaves it")
    func severalEdges() throws {
        let hazards = try DrawnHazards(Self.cut)
        #expect(try hazards.zone("am") == ["am", "mb"])
        #expect(try hazards.zone("bm") == ["bm", "ma"])
        try hazards.expect(before: "am", from: "sj", at: "j", distance: 300, length: 1100, extra: 400)
        #expect(try hazards.hazard("am").clearances.count == 1)
    }

    @Test("a zone that is entered from its side is a hazard of its own there, with nothing to decide at a dead end")
    func enteredFromTheSide() throws {
        let hazards = try DrawnHazards(Self.cut)
        #expect(hazards.entries == ["am", "bm", "ma", "mb"])
        #expect(try hazards.zone("mb") == ["mb"])
        #expect(try hazards.hazard("mb").detours.isEmpty)
        #expect(try hazards.decisions("mb") == [])
        #expect(try hazards.tooLate("mb") == ["zm": 0])
    }

    /// A street with a dead end at `o`.
    private static let deadEnd = """
        o 0 0
        c 900 0
        m 900 900
        n 900 -900
        mcn secondary

        """
    private static let beginnings: [(drawing: String, entries: [String])] = [
        (deadEnd + "l 500 0 maxheight=3.2\nolc residential", ["cl", "ol"]),
        (deadEnd + "oc residential maxheight=3.2", ["co", "oc"]),
        // The extract ends at b.
        ("b 0 0\nl 1000 0 maxheight=3.2\ng 2500 0\nxblg primary", ["bl", "gl"]),
    ]

    @Test(
        "a low edge at which the network begins is an entry: a truck may set off there, or come in over the border",
        arguments: beginnings)
    func beginning(drawing: String, entries: [String]) throws {
        let hazards = try DrawnHazards(drawing)
        #expect(hazards.entries == entries)
        let first = try #require(entries.first { $0.hasPrefix("o") || $0.hasPrefix("b") })
        #expect(try hazards.zone(first) == [first])
        #expect(try hazards.decisions(first).isEmpty)
        #expect(try hazards.tooLate(first).isEmpty)
        #expect(SlowReference.disagreements(hazards.drawn.network, height: 400) == [])
    }

    @Test("clearances are in driving order, an edge's lowest first, each once")
    func clearances() throws {
        let hazards = try DrawnHazards(Self.cut.replacing("m 350 0", with: "m 350 0 maxheight=3.0"))
        let network = hazards.drawn.network
        let way = "osm:way:\(try hazards.drawn.id(way: "amb"))"
        let node = "osm:node:\(try hazards.drawn.id(node: "m"))"
        #expect(try hazards.hazard("am").clearances.map { network.clearance($0).id } == [node, way])
        #expect(try hazards.hazard("bm").clearances.map { network.clearance($0).id } == [node, way])
    }

    @Test("ways that have passed the far side are no approaches")
    func passedTheFarSide() throws {
        let hazards = try DrawnHazards(
            DetourTests.drawing + """
                p 400 -300
                q 0 -300
                bpqj residential oneway=yes
                no_turn bpqj j juvk
                """)
        // From b round by the south one comes to j without a detour, and may go on to s there.
        #expect(try hazards.tooLate("ab") == ["ja": 0])
        #expect(try hazards.decision("ab", from: "bj").detour == nil)
        #expect(try hazards.approaches("ab") == ["ek", "sj"])
    }
}
