import RoadsTestSupport
import Testing

@testable import Fleet

struct HazardTablesTests {
    @Test("However many heights a fleet has, what was found for one is kept when it is found for the next")
    func manyHeights() throws {
        // One more limit with each centimetre.
        let heights = 301...420
        let roads = heights.map { "ab residential maxheight=\($0 / 100).\($0 % 100 / 10)\($0 % 10)" }
        let network = try DrawnNetwork((["a 0 0", "b 200 0"] + roads).joined(separator: "\n")).network
        var tables = HazardTables(network, EngineSettings(), shared: nil)
        for height in heights { tables.hazards(for: height) }
        #expect(heights.allSatisfy { tables.known($0) != nil })
        #expect(Set(heights.compactMap { tables.known($0).map(ObjectIdentifier.init) }).count == heights.count)
    }
}
