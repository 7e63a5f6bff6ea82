import Geo
import RoadsTestSupport
import Testing

@testable import Roads

@Suite("What lies in a part of the map")
struct RoadAreaTests {
    /// A street 3 km long, a bridge over it and a lane far away.
    private let drawing = """
        a 0 0
        b 1500 0
        c 3000 0
        d 1500 1500
        e 9000 9000
        f 9500 9000
        ab primary
        bc primary oneway=yes
        bd residential maxheight=3.2
        ef service
        """

    private func box(_ west: Metres, _ south: Metres, _ east: Metres, _ north: Metres) -> Bounds {
        let metres = 111_319.5
        // Where drawings lie.
        let origin = 9.0
        return Bounds(
            south: south / 110_574, west: origin + west / metres, north: north / 110_574, east: origin + east / metres)
    }

    @Test("Each piece of road is there once, where its cells are met")
    func roads() throws {
        let drawn = try DrawnNetwork(drawing)
        func names(_ edges: [EdgeID]) -> Set<String> {
            Set(edges.map { String(drawn.name($0).sorted()) })
        }
        let network = drawn.network
        let all = network.roads(in: box(-100, -100, 10_000, 10_000))
        #expect(names(all) == ["ab", "bc", "bd", "ef"] && all.count == 4)
        #expect(all == all.sorted())
        #expect(names(network.roads(in: box(100, -50, 200, 50))) == ["ab"])
        #expect(names(network.roads(in: box(1400, -50, 1600, 50))) == ["ab", "bc", "bd"])
        #expect(network.roads(in: box(4000, 4000, 5000, 5000)).isEmpty)
        #expect(names(network.roads(in: Bounds(south: -1, west: -180, north: 1, east: 180))) == names(all))
    }

    @Test(
        "Roads of a class and above, each once",
        arguments: [(RoadClass.service, 4), (.residential, 3), (.primary, 2), (.trunk, 0)])
    func classes(least: RoadClass, count: Int) throws {
        #expect(try DrawnNetwork(drawing).network.roads(from: least).count == count)
    }

    @Test("The bounds hold all roads, to a cell")
    func bounds() throws {
        let bounds = try #require(try DrawnNetwork(drawing).network.bounds)
        let exact = box(0, 0, 9500, 9000)
        let cell = 0.0025
        #expect(bounds.west <= exact.west && bounds.west > exact.west - 2 * cell)
        #expect(bounds.south <= exact.south && bounds.south > exact.south - 2 * cell)
        #expect(bounds.east >= exact.east && bounds.east < exact.east + 2 * cell)
        #expect(bounds.north >= exact.north && bounds.north < exact.north + 2 * cell)
    }

    @Test("The lowest limit counts whichever way a road is driven; where none is known there is none")
    func limits() throws {
        let drawn = try DrawnNetwork(
            drawing.replacing("maxheight=3.2", with: "maxheight:forward=3.2 maxheight:backward=3"))
        for name in ["bd", "db"] { #expect(drawn.network.lowestLimit(try drawn.edge(name)) == 300) }
        #expect(drawn.network.lowestLimit(try drawn.edge("ab")) == nil)
        let unreadable = try DrawnNetwork(drawing.replacing("maxheight=3.2", with: "maxheight=low"))
        #expect(unreadable.network.lowestLimit(try unreadable.edge("bd")) == nil)
    }
}
