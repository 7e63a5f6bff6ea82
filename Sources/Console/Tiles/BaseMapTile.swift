import Geo
import Roads

/// The base map of one tile, in three layers: `areas`, `lines` and `places`.
struct BaseMapTile {
    /// Beyond so many bytes, what a telephone loads in a second, the kinds that matter least are left out.
    static let bytesMax = 200_000
    private static let margin = 128.0
    /// Smaller areas are not drawn: two pixels by two, of 16 units each.
    private static let areaMin = 1024.0
    /// The most important first.
    private static let kinds: [BaseMapKind] = [
        .city, .town, .water, .river, .country, .state, .village, .railway, .suburb, .district, .wood, .builtUp, .canal,
        .municipality, .hamlet,
    ]

    private let address: TileAddress

    init(_ address: TileAddress) { self.address = address }

    /// - Throws: `RoadFileError` where the road file is damaged.
    func bytes(of network: RoadNetwork) throws -> [UInt8] {
        let box = address.bounds(margin: Self.margin / Double(VectorTileLayer.extent))
        let features = Dictionary(grouping: try network.baseMap(in: box, zoom: address.zoom), by: \.kind)
        var layers = ["areas", "lines", "places"].map { VectorTileLayer(name: $0) }
        for kind in Self.kinds {
            guard let features = features[kind] else { continue }
            let before = layers
            switch kind.shape {
            case .area: addArea(kind, features, to: &layers[0])
            case .line: addLines(kind, features, to: &layers[1])
            case .place: addPlaces(kind, features, to: &layers[2])
            }
            if layers.reduce(0, { $0 + $1.size }) > Self.bytesMax { return VectorTileLayer.tile(of: before) }
        }
        return VectorTileLayer.tile(of: layers)
    }

    private func addArea(_ kind: BaseMapKind, _ features: [BaseMapFeature], to layer: inout VectorTileLayer) {
        var rings: [[VectorTileLayer.Point]] = []
        for feature in features {
            var hasOuter = false
            for part in feature.parts where !part.isHole || hasOuter {
                let ring = drawn(ring: part)
                if !part.isHole { hasOuter = ring != nil }
                if let ring { rings.append(ring) }
            }
        }
        if !rings.isEmpty { layer.add(rings, as: .rings, [("kind", .text(kind.tag))]) }
    }

    private func drawn(ring part: BaseMapFeature.Part) -> [VectorTileLayer.Point]? {
        let simple = TileLines.simplified(points(part.line), zoom: address.zoom)
        let clipped = TileRings.clipped(simple, size: Double(VectorTileLayer.extent), margin: Self.margin)
        return TileRings.rounded(clipped, isHole: part.isHole, areaMin: Self.areaMin)
    }

    private func addLines(_ kind: BaseMapKind, _ features: [BaseMapFeature], to layer: inout VectorTileLayer) {
        let named = Dictionary(grouping: features, by: \.name)
        for (name, features) in named.sorted(by: { $0.key < $1.key }) {
            var joining = LineJoining(features.flatMap { $0.parts.map(\.line) })
            let lines = joining.joined().flatMap { line in
                let simple = TileLines.simplified(points(line), zoom: address.zoom)
                return TileLines.clipped(simple, size: Double(VectorTileLayer.extent), margin: Self.margin)
                    .compactMap(TileLines.rounded)
            }
            if !lines.isEmpty { layer.add(lines, members(kind, name)) }
        }
    }

    private func addPlaces(_ kind: BaseMapKind, _ features: [BaseMapFeature], to layer: inout VectorTileLayer) {
        for feature in features {
            guard let place = feature.parts.first?.line.first else { continue }
            let point = address.point(place, extent: Double(VectorTileLayer.extent))
            // Its name is drawn by the tile that it lies in alone.
            guard (0..<Double(VectorTileLayer.extent)).contains(point.x),
                (0..<Double(VectorTileLayer.extent)).contains(point.y)
            else { continue }
            let whole = VectorTileLayer.Point(x: Int32(point.x), y: Int32(point.y))
            layer.add([[whole]], as: .points, members(kind, feature.name))
        }
    }

    private func members(_ kind: BaseMapKind, _ name: String) -> [(key: String, value: VectorTileLayer.Value)] {
        [(key: "kind", value: .text(kind.tag))] + (name.isEmpty ? [] : [(key: "name", value: .text(name))])
    }

    private func points(_ line: [Coordinate]) -> [TilePoint] {
        line.map { address.point($0, extent: Double(VectorTileLayer.extent)) }
    }
}

extension BaseMapKind {
    /// As the API has it.
    var tag: String { self == .builtUp ? "built-up" : "\(self)" }
}
