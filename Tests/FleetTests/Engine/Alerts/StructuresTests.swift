import FleetTestSupport
import Roads
import Testing

@testable import Fleet

/// Where a vehicle is among the structures of one hazard.
struct StructuresTests {
    /// Three bridges without a way round them, and a road that comes in between the last two.
    ///
    ///     a──t──e=f──g=h──x──k=l──z
    ///        u            w
    @Test(
        "Another hazard tells of the rest of a chain where a road comes in before the next structure, and there alone",
        arguments: [
            ("te", false), ("ef", false), ("fg", false), ("gh", false), ("hx", true), ("xk", true), ("kl", true),
            ("lz", false),
        ])
    func between(edge: String, isBetween: Bool) throws {
        let drawing = try Drawing(
            """
            a -1000 0
            t -500 0
            e 0 0
            f 40 0
            g 300 0
            h 340 0
            x 500 0
            k 700 0
            l 740 0
            z 1500 0
            u -500 400
            w 500 -400
            ate tertiary name=Main+Street
            ef tertiary name=Main+Street maxheight=3.2
            fg tertiary name=Main+Street
            gh tertiary name=Main+Street maxheight=3.2
            hxk tertiary name=Main+Street
            kl tertiary name=Main+Street maxheight=3.2
            lz tertiary name=Main+Street
            tu residential name=Up+Road
            wx residential name=Works+Road oneway=yes
            """)
        let table = HazardTable(drawing.network, height: 412)
        let entry = try drawing.edge("ef")
        let hazard = try #require(table.hazards.first { $0.entry == entry })
        #expect(hazard.clearances.count == 3)
        let position = RoadPosition(edge: try drawing.edge(edge), offset: 10)
        #expect(Structures(drawing.network, table, hazard).isBetween(position) == isBetween)
    }
}
