import Clearances
import Fleet
import Geo
import Hashing
import HTTPTypes
import Messages
import Roads
import Testing

@testable import Console

@Suite("Road tiles")
struct TileTests {
    /// The demo's bridge over W Washington Street.
    private static let bridge = Coordinate(latitude: 42.280597, longitude: -83.751891)

    private static func address(zoom: Int, at place: Coordinate = bridge) throws -> TileAddress {
        let (point, tiles) = (MercatorPoint(place), Double(1 << zoom))
        return try #require(TileAddress(zoom: zoom, column: Int(point.x * tiles), row: Int(point.y * tiles)))
    }

    private func tile(zoom: Int) async throws -> DecodedTile {
        let address = try Self.address(zoom: zoom)
        let fixture = try ConsoleFixture(Stage())
        let answer = try await fixture.get("/api/v1/tiles/roads/\(zoom)/\(address.column)/\(address.row)")
        #expect(answer.headers[.contentType] == "application/vnd.mapbox-vector-tile")
        return try DecodedTile(answer.bytes)
    }

    @Test("A tile can be read by the specification, and its streets lie where the road file has them")
    func places() async throws {
        let tile = try await tile(zoom: 15)
        #expect((tile.name, tile.version, tile.extent) == ("roads", 2, 4096))
        let street = try #require(
            tile.features.first { $0.members["name"] == .text("W Washington Street") && $0.members["low"] != nil })
        #expect(street.members["low"] == .number(3.2))
        let address = try Self.address(zoom: 15)
        let bridge = address.point(Self.bridge, extent: 4096)
        // Within a unit and the tolerance: half a metre each.
        let nearest = street.lines.flatMap { line in
            zip(line, line.dropFirst()).map { a, b in
                distance(bridge, TilePoint(Double(a.x), Double(a.y)), TilePoint(Double(b.x), Double(b.y)))
            }
        }.min()
        #expect(try #require(nearest) < 1.5)
    }

    private func distance(_ point: TilePoint, _ start: TilePoint, _ end: TilePoint) -> Double {
        let way = end - start
        let fraction = min(max(((point - start) * way).sum() / (way * way).sum(), 0), 1)
        let rest = point - start - way * fraction
        return (rest * rest).sum().squareRoot()
    }

    @Test(
        "Small roads and details are left to high zooms",
        arguments: [(9, false, false), (12, true, false), (14, true, true)])
    func zooms(zoom: Int, hasNames: Bool, hasService: Bool) async throws {
        let address = try Self.address(zoom: zoom)
        let fixture = try ConsoleFixture(Stage())
        let bytes = try await fixture.get("/api/v1/tiles/roads/\(zoom)/\(address.column)/\(address.row)").bytes
        // The demo has no large road: what is seen from far above is nothing.
        let features = bytes.isEmpty ? [] : try DecodedTile(bytes).features
        #expect(features.contains { $0.members["name"] != nil } == hasNames)
        #expect(features.contains { $0.members["class"] == .text("service") } == hasService)
    }

    @Test("Every line stays within the tile and its margin", arguments: [13, 14, 15])
    func clipping(zoom: Int) async throws {
        for line in try await tile(zoom: zoom).features.flatMap(\.lines) {
            #expect(line.allSatisfy { (-128...4224).contains($0.x) && (-128...4224).contains($0.y) })
        }
    }

    @Test(
        "Clipping keeps what is inside, as often as a line comes in",
        arguments: [
            ([(0, 5), (10, 5)], [[(0, 5), (10, 5)]]), ([(-20, 5), (20, 5)], [[(-1, 5), (11, 5)]]),
            ([(-20, 5), (-10, 5)], []), ([(5, -20), (20, 5)], []),
            ([(5, 5), (30, 5), (30, 8), (5, 8)], [[(5, 5), (11, 5)], [(11, 8), (5, 8)]]),
            ([(5, 5), (8, 5), (8, 20)], [[(5, 5), (8, 5), (8, 11)]]),
        ] as [([(Double, Double)], [[(Double, Double)]])])
    func clip(line: [(Double, Double)], parts: [[(Double, Double)]]) {
        let clipped = TileLines.clipped(line.map { TilePoint($0.0, $0.1) }, size: 10, margin: 1)
        #expect(clipped == parts.map { $0.map { TilePoint($0.0, $0.1) } })
    }

    @Test("Simplifying moves no point farther than the tolerance, and keeps both ends")
    func simplify() {
        var random = SplitMix64(seed: 7)
        for _ in 0..<50 {
            var line: [TilePoint] = []
            for x in 0..<200 { line.append(TilePoint(Double(x), 6 * random.fraction())) }
            let simple = LineSimplification.kept(line, tolerance: 2).map { line[$0] }
            #expect(simple.first == line.first && simple.last == line.last && simple.count < line.count)
            for point in line {
                let nearest = zip(simple, simple.dropFirst()).map { distance(point, $0, $1) }.min() ?? .infinity
                #expect(nearest <= 2)
            }
            #expect(LineSimplification.kept(simple, tolerance: 2) == Array(simple.indices))
        }
    }

    @Test("Pieces that meet end to end become one line; at a junction lines end")
    func joining() {
        let places = (0...6).map { Coordinate(latitude: 0, longitude: Double($0)) }
        let side = Coordinate(latitude: 1, longitude: 2.5)
        let pieces = [[places[1], places[0]], [places[1], places[2]], [places[2], places[3]], [places[2], side]]
        var joining = LineJoining(pieces)
        let joined = joining.joined().map { $0.first!.longitude < $0.last!.longitude ? $0 : $0.reversed() }
        #expect(Set(joined) == [[places[0], places[1], places[2]], [places[2], places[3]], [places[2], side]])
        var ring = LineJoining([[places[0], places[1]], [places[1], side], [side, places[0]]])
        #expect(ring.joined().map(\.count) == [4])
    }

    @Test("A tile is not sent again to who has it, and is another once a clearance is")
    func tag() async throws {
        let stage = try Stage()
        let fixture = try ConsoleFixture(stage)
        let address = try Self.address(zoom: 15)
        let path = "/api/v1/tiles/roads/15/\(address.column)/\(address.row)"
        let tag = try #require(try await fixture.get(path).headers[.eTag])
        #expect(try await fixture.get(path, headers: [.ifNoneMatch: tag]).status == .notModified)
        let survey = PointClearance(id: "osm:way:1003", position: Self.bridge, posted: "2.9 m")
        try stage.take([.clearances([ClearanceChange(id: survey.id, clearance: survey)], at: stage.now)])
        let other = try await fixture.get(path, headers: [.ifNoneMatch: tag])
        #expect(other.status == .ok)
        let lows = try DecodedTile(other.bytes).features.compactMap { $0.members["low"] }
        #expect(lows.contains(.number(2.9)) && !lows.contains(.number(3.2)))
    }

    @Test(
        "What is no tile is not found",
        arguments: ["4/0/0", "16/0/0", "5/32/0", "5/0/32", "5/-1/0", "5/x/0"])
    func noTile(path: String) async throws {
        #expect(try await ConsoleFixture(Stage()).get("/api/v1/tiles/roads/\(path)").status == .notFound)
    }

    @Test("Without a road file there is no tile")
    func noRoads() async throws {
        #expect(try await ConsoleFixture().get("/api/v1/tiles/roads/5/0/0").status == .notFound)
    }

    @Test("The cache keeps what was used last, within its bytes")
    func cache() throws {
        var cache = TileCache(bytesMax: 3000)
        let addresses = try (0..<4).map { try #require(TileAddress(zoom: 5, column: $0, row: 0)) }
        func tile() -> TileCache.Tile {
            let bytes = [UInt8](repeating: 1, count: 800)
            return TileCache.Tile(bytes: bytes, tag: EntityTag(of: bytes))
        }
        for address in addresses.prefix(3) { cache.put(tile(), at: address) }
        #expect(cache.bytes == 3000)
        #expect(cache.tile(addresses[0]) != nil)
        cache.put(tile(), at: addresses[3])
        #expect(addresses.map { cache.tile($0) != nil } == [true, false, true, true])
        #expect(cache.bytes == 3000)
    }
}
