import Geo
import Roads
import RoadsTestSupport
import Testing

@testable import Fleet

struct HazardTablesTests {
    @Test("However many heights a fleet has, what was found for one is kept when it is found for the next")
    func manyHeights() throws {
        // One more limit with each centimetre.
        let heights = 301...366
        let roads = heights.map { "ab residential maxheight=\($0 / 100).\($0 % 100 / 10)\($0 % 10)" }
        let network = try DrawnNetwork((["a 0 0", "b 200 0"] + roads).joined(separator: "\n")).network
        var tables = HazardTables(network, EngineSettings(), shared: nil)
        for height in heights { tables.hazards(for: height) }
        #expect(heights.allSatisfy { tables.known($0) != nil })
        #expect(Set(heights.compactMap { tables.known($0).map(ObjectIdentifier.init) }).count == heights.count)
    }

    @Test("Hazards near a place are those of the whole map that are entered there, found in the same way")
    func nearby() throws {
        let network = try DrawnNetwork(
            """
            a 0 0
            b 500 0
            c 1000 0
            d 60000 0
            e 60500 0
            f 61000 0
            ab residential
            bc residential maxheight=3.5
            cd residential
            de residential maxheight=3.5
            ef residential
            """
        ).network
        let tables = HazardTables(network, EngineSettings(), shared: nil)
        let whole = HeightHazards(network, height: 400, EngineSettings()).low.table
        let place = NearbyPlace(height: 400, square: MapSquare(network.coordinate(NodeID(0))))
        let near = tables.hazards(near: place, .complete).low.table
        #expect(whole.hazards.count == 4)
        #expect(near.hazards.count == 2)
        #expect(near.hazards.allSatisfy(whole.hazards.contains))
    }

    @Test("Of more places than are kept the oldest are forgotten, and all of a height whose hazards are there")
    func nearbyMax() throws {
        let network = try DrawnNetwork(
            """
            a 0 0
            b 500 0
            ab residential maxheight=3.5
            """
        ).network
        var tables = HazardTables(network, EngineSettings(), shared: nil)
        let places = (0...HazardTables.nearbyMax).map { number in
            NearbyPlace(height: 400, square: MapSquare(Coordinate(latitude: 40, longitude: Double(number))))
        }
        let made = tables.hazards(near: places[0], .soon)
        for place in places { tables.add(made, near: place, .soon) }
        #expect(
            places.map { tables.nearby($0) != nil } == [false] + Array(repeating: true, count: HazardTables.nearbyMax))
        tables.hazards(for: 400)
        #expect(places.allSatisfy { tables.nearby($0) == nil })
    }
}
