import Foundation
import Geo
import Hashing
import HTTPTypes
import Roads
import Testing

@testable import Console

@Suite("Tiles of the base map")
struct BaseMapTileTests {
    private static let place = Coordinate(latitude: 49.02, longitude: 8.02)
    private static let square = [(0.0, 0.0), (0, 0.04), (0.04, 0.04), (0.04, 0), (0, 0)].map {
        Coordinate(latitude: 49 + $0.0, longitude: 8 + $0.1)
    }

    private func network(_ features: [BaseMapFeature]) throws -> RoadNetwork {
        var builder = RoadNetworkBuilder()
        for feature in features { builder.add(feature) }
        builder.finishWays()
        return try RoadNetwork(RoadFileBuffer(builder.build().file))
    }

    private static func tile(zoom: Int) throws -> TileAddress {
        let (point, tiles) = (MercatorPoint(place), Double(1 << zoom))
        return try #require(TileAddress(zoom: zoom, column: Int(point.x * tiles), row: Int(point.y * tiles)))
    }

    /// Twice the area, above 0 for rings as the specification wants them.
    private func area(_ ring: [DecodedTile.Point]) -> Int {
        ring.indices.reduce(0) { sum, index in
            let (a, b) = (ring[index], ring[(index + 1) % ring.count])
            return sum + a.x * b.y - b.x * a.y
        }
    }

    @Test(
        "Areas, lines and places are layers of their own, and rings turn as the specification says",
        arguments: [11, 13])
    func layers(zoom: Int) throws {
        let hole = Self.square.reversed().map {
            Coordinate(latitude: 49.015 + ($0.latitude - 49) / 4, longitude: 8.015 + ($0.longitude - 8) / 4)
        }
        let network = try network([
            BaseMapFeature(
                source: .way(1), kind: .water, parts: [.init(line: Self.square), .init(isHole: true, line: hole)]),
            BaseMapFeature(
                source: .way(2), kind: .river, name: "Rhein",
                parts: [.init(line: [Self.square[0], Self.place, Self.square[2]])]),
            BaseMapFeature(source: .node(1), kind: .town, name: "Ort", parts: [.init(line: [Self.place])]),
        ])
        let layers = try DecodedTile.layers(BaseMapTile(Self.tile(zoom: zoom)).bytes(of: network))
        #expect(layers.map(\.name) == ["areas", "lines", "places"])
        #expect(layers.map { $0.features.map(\.type) } == [[3], [2], [1]])
        let rings = layers[0].features[0].lines
        #expect(rings.count == 2 && area(rings[0]) > 0 && area(rings[1]) < 0)
        #expect(layers[1].features[0].members == ["kind": .text("river"), "name": .text("Rhein")])
        #expect(layers[2].features[0].members == ["kind": .text("town"), "name": .text("Ort")])
        for point in layers.flatMap(\.features).flatMap(\.lines).joined() {
            #expect((-128...4224).contains(point.x) && (-128...4224).contains(point.y))
        }
    }

    @Test("A clipped ring has the area that lies within the square, for star-shaped rings of any place and size")
    func clipping() {
        var random = SplitMix64(seed: 11)
        for _ in 0..<100 {
            let middle = TilePoint(140 * random.fraction() - 20, 140 * random.fraction() - 20)
            let ring = (0..<24).map { corner in
                let (angle, radius) = (Double(corner) * .pi / 12, 10 + 60 * random.fraction())
                return middle + TilePoint(cos(angle), sin(angle)) * radius
            }
            let clipped = TileRings.clipped(ring + [ring[0]], size: 100, margin: 0)
            #expect(clipped.allSatisfy { (0...100).contains($0.x) && (0...100).contains($0.y) })
            // Counted on a grid of points, as another way to the same area.
            var inside = 0
            for x in 0..<50 {
                for y in 0..<50 where isInside(TilePoint(Double(x) * 2 + 1, Double(y) * 2 + 1), ring) { inside += 1 }
            }
            let area = abs(doubled(clipped)) / 2
            #expect(abs(area - Double(inside * 4)) <= 250, "\(area) and \(inside * 4)")
        }
    }

    private func doubled(_ ring: [TilePoint]) -> Double {
        ring.indices.reduce(0) { sum, index in
            let (a, b) = (ring[index], ring[(index + 1) % ring.count])
            return sum + a.x * b.y - b.x * a.y
        }
    }

    private func isInside(_ point: TilePoint, _ ring: [TilePoint]) -> Bool {
        var isInside = false
        for (index, a) in ring.enumerated() {
            let b = ring[(index + 1) % ring.count]
            if (a.y > point.y) != (b.y > point.y), point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x {
                isInside.toggle()
            }
        }
        return isInside
    }

    @Test("A tile of too many bytes lacks the kinds that matter least")
    func limit() throws {
        var random = SplitMix64(seed: 3)
        let land = (0..<30_000).map { index in
            let (south, west) = (49 + 0.03 * random.fraction(), 8 + 0.03 * random.fraction())
            let corners = [(0, 0), (0, 1), (1, 1), (0.5, 1.4), (1, 0), (0, 0)].map {
                Coordinate(latitude: south + $0.0 * 2e-4, longitude: west + $0.1 * 2e-4)
            }
            return BaseMapFeature(source: .way(Int64(index + 10)), kind: .builtUp, parts: [.init(line: corners)])
        }
        let lake = BaseMapFeature(source: .way(1), kind: .water, parts: [.init(line: Self.square)])
        let network = try network(land + [lake])
        let bytes = try BaseMapTile(Self.tile(zoom: 13)).bytes(of: network)
        #expect(bytes.count < BaseMapTile.bytesMax)
        #expect(try DecodedTile(bytes).features.map { $0.members["kind"] } == [.text("water")])
    }

    @Test("The tile is served under its address, and the status says whether there is a base map")
    func served() async throws {
        let fixture = try ConsoleFixture(Stage())
        let roads = try #require(try await fixture.get("/api/v1/status").object["roads"] as? [String: Any])
        // The demo's railway.
        #expect(roads["base_map"] as? Bool == true)
        let (point, tiles) = (MercatorPoint(Coordinate(latitude: 42.280597, longitude: -83.751891)), Double(1 << 14))
        let path = "/api/v1/tiles/base/14/\(Int(point.x * tiles))/\(Int(point.y * tiles))"
        let answer = try await fixture.get(path)
        #expect(answer.headers[.contentType] == "application/vnd.mapbox-vector-tile")
        #expect(try DecodedTile(answer.bytes).features.contains { $0.members["kind"] == .text("railway") })
        let tag = try #require(answer.headers[.eTag])
        #expect(try await fixture.get(path, headers: [.ifNoneMatch: tag]).status == .notModified)
        #expect(try await ConsoleFixture().get("/api/v1/tiles/base/5/0/0").status == .notFound)
        #expect(try await fixture.get("/api/v1/tiles/base/16/0/0").status == .notFound)
    }
}
