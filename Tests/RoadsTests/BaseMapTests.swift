import Clearances
import Geo
import Roads
import Testing

@Suite("The base map of a road file")
struct BaseMapTests {
    private static func square(_ south: Degrees, _ west: Degrees, _ size: Degrees) -> [Coordinate] {
        [(0, 0), (0, size), (size, size), (size, 0), (0, 0)].map {
            Coordinate(latitude: south + $0.0, longitude: west + $0.1)
        }
    }

    private static let lake = BaseMapFeature(
        source: .relation(7), kind: .water, name: "See",
        parts: [.init(line: square(49, 8, 0.04)), .init(isHole: true, line: square(49.01, 8.01, 0.01))])
    private static let pond = BaseMapFeature(
        source: .way(7), kind: .water, parts: [.init(line: square(49.2, 8, 0.002))])
    private static let village = BaseMapFeature(
        source: .node(7), kind: .village, name: "Straße",
        parts: [.init(line: [Coordinate(latitude: 49.1, longitude: 8.1)])])
    private static let everywhere = Bounds(south: 48, west: 7, north: 50, east: 9)

    private func build(_ features: [BaseMapFeature]) -> (file: [UInt8], report: ImportReport) {
        var builder = RoadNetworkBuilder()
        for feature in features { builder.add(feature) }
        builder.finishWays()
        return builder.build()
    }

    private func network(_ features: [BaseMapFeature]) throws -> RoadNetwork {
        let network = try RoadNetwork(RoadFileBuffer(build(features).file))
        try network.verify()
        return network
    }

    @Test("What is put in comes back near, with its holes, name and source; far away what is seen there")
    func roundTrip() throws {
        let features = [Self.village, Self.lake, Self.pond]
        let network = try network(features)
        let near = try network.baseMap(in: Self.everywhere, zoom: 14)
        #expect(near.map(\.kind) == [.water, .water, .village])
        #expect(Set(near.map(\.source)) == Set(features.map(\.source)))
        let lake = try #require(near.first { $0.source == .relation(7) })
        #expect(lake.name == "See" && lake.parts.map(\.isHole) == [false, true])
        for (read, written) in zip(lake.parts, Self.lake.parts) {
            #expect(read.line.count == written.line.count)
            for (a, b) in zip(read.line, written.line) { #expect(a.distance(to: b) < 0.1) }
        }
        // At zoom 8 a pixel is 400 m: the lake of 4.4 km is seen and its hole of 1.1 km, the pond of 220 m is not.
        let far = try network.baseMap(in: Self.everywhere, zoom: 8)
        #expect(far.map(\.source) == [.relation(7)])
        #expect(try network.namedPlaces().map(\.name) == ["Straße"])
        #expect(network.baseMapCounts.map { "\($0.count) \($0.kind)" } == ["2 water", "1 village"])
    }

    @Test("Only what a box meets is given, whatever cells it lies in")
    func boxes() throws {
        let network = try network([Self.village, Self.lake, Self.pond])
        func found(_ south: Degrees, _ west: Degrees, _ north: Degrees, _ east: Degrees) throws -> Int {
            try network.baseMap(in: Bounds(south: south, west: west, north: north, east: east), zoom: 14).count
        }
        #expect(try found(49.02, 8.02, 49.021, 8.021) == 1)
        #expect(try found(49.15, 8, 49.16, 8.1) == 0)
        #expect(try found(49.03, 8.03, 49.3, 8.2) == 2)
        #expect(try found(-10, -10, -9, -9) == 0)
    }

    @Test("A line bent by less than half a pixel is stored straight; simplifying it again changes nothing")
    func simplified() throws {
        let line = (0...100).map { Coordinate(latitude: 49 + Double($0 % 2) * 1e-5, longitude: 8 + Double($0) * 1e-3) }
        let river = BaseMapFeature(source: .way(1), kind: .river, parts: [.init(line: line)])
        let first = try network([river])
        let once = try first.baseMap(in: Self.everywhere, zoom: 15)
        #expect(once.map { $0.parts[0].line.count } == [2])
        #expect(build(once).file.elementsEqual(build([river]).file))
    }

    @Test("Of a feature that is given twice, as by two extracts, the one with more points is kept, in either order")
    func merged() throws {
        let cut = BaseMapFeature(source: .relation(7), kind: .water, name: "cut", parts: [Self.lake.parts[0]])
        for features in [[cut, Self.lake], [Self.lake, cut]] {
            let network = try network(features)
            #expect(try network.baseMap(in: Self.everywhere, zoom: 14).map(\.name) == ["See"])
        }
        #expect(build([cut, Self.lake]).file.elementsEqual(build([Self.lake, cut]).file))
    }

    @Test("A feature over half a continent is left out and counted")
    func tooLarge() throws {
        let sea = BaseMapFeature(source: .way(1), kind: .water, parts: [.init(line: Self.square(0, 0, 40))])
        let (_, report) = build([sea, Self.lake])
        #expect(report.baseMapLeftOut == 1 && report.baseMap == ["water": 1])
    }

    @Test("A file without a base map has the version and the sections of before, and says that it has none")
    func without() throws {
        let (with, without) = (build([Self.lake]).file, build([]).file)
        #expect(without[8] == 3 && without[12] == 23)
        #expect(with[8] == 4 && with[12] == 27)
        let network = try RoadNetwork(RoadFileBuffer(without))
        #expect(!network.hasBaseMap && network.baseMapCounts.isEmpty)
        #expect(try network.baseMap(in: Self.everywhere, zoom: 14).isEmpty)
    }

    @Test("Damage in the layer is found by the check, and ends no program that draws it")
    func damage() throws {
        let bytes = build([Self.lake, Self.pond, Self.village]).file
        let whole = try RoadNetwork(RoadFileBuffer(bytes))
        let length = whole.baseMapBytes
        #expect(length > 100)
        var found: Set<String> = []
        // The layer's points stand at the file's end.
        for position in (bytes.count - 64)..<(bytes.count - 8) {
            var damaged = bytes
            damaged[position] ^= 0xFF
            let network = try RoadNetwork(RoadFileBuffer(damaged))
            if case .damaged(let section) = #expect(
                throws: RoadFileError.self, "\(position)", performing: { try network.verify() })
            {
                found.insert(section)
            }
            _ = try? network.baseMap(in: Self.everywhere, zoom: 14)
        }
        #expect(found == ["baseMapShapes"])
    }
}
