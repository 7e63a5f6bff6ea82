import Geo
import Roads

/// The roads of one tile, with what limits them.
struct RoadTile {
    /// Round the tile, in its units: a line of eight pixels must not end where it leaves the tile.
    private static let margin = 128.0
    /// Bytes above which the least class of road is left out: what a telephone loads in a second.
    static let bytesMax = 200_000

    private let address: TileAddress

    init(_ address: TileAddress) { self.address = address }

    /// The least class of road that a zoom shows, if it does not come to too much.
    static func leastClass(zoom: Int) -> RoadClass {
        switch zoom {
        case ...6: .motorway
        case 7: .trunk
        case 8: .primary
        case 9, 10: .secondary
        case 11: .tertiary
        case 12: .unclassified
        case 13: .livingStreet
        default: .service
        }
    }

    /// Names and limits are told from here on; below they would only cut the roads into pieces.
    private var tellsDetails: Bool { address.zoom >= 11 }

    /// What roads have in common that are drawn as one feature.
    fileprivate struct Kind: Hashable {
        var roadClass: RoadClass
        var isLink: Bool
        var name: String?
        var low: Centimetres?
    }

    /// - Parameter candidates: edges that may lie in the tile, one for each piece of road.
    func bytes(of network: RoadNetwork, _ candidates: [EdgeID]) -> [UInt8] {
        let least = Self.leastClass(zoom: address.zoom)
        let box = bounds
        var lines: [RoadClass: [Kind: [[Coordinate]]]] = [:]
        for edge in candidates {
            let roadClass = network.roadClass(edge)
            guard roadClass.rawValue >= least.rawValue else { continue }
            let line = network.line(edge)
            guard line.count > 1, Bounds(line: line)?.meets(box) ?? false else { continue }
            lines[roadClass, default: [:]][kind(of: edge, roadClass, network), default: []].append(line)
        }
        var layer = VectorTileLayer(name: "roads")
        for roadClass in RoadClass.allCases.reversed() {
            guard let kinds = lines[roadClass] else { continue }
            let before = layer
            add(kinds, to: &layer)
            if layer.size > Self.bytesMax, before.size > 0 { return before.tile }
        }
        return layer.tile
    }

    /// The tile and its margin.
    var bounds: Bounds { address.bounds(margin: Self.margin / Double(VectorTileLayer.extent)) }

    private func kind(of edge: EdgeID, _ roadClass: RoadClass, _ network: RoadNetwork) -> Kind {
        Kind(
            roadClass: roadClass, isLink: network.isLink(edge), name: tellsDetails ? network.title(edge) : nil,
            low: tellsDetails ? network.lowestLimit(edge) : nil)
    }

    private func add(_ kinds: [Kind: [[Coordinate]]], to layer: inout VectorTileLayer) {
        // In an order of their own, so that the same roads are the same bytes.
        for (kind, lines) in kinds.sorted(by: { $0.key.order < $1.key.order }) {
            var joining = LineJoining(lines)
            let drawn = joining.joined().flatMap(drawn)
            guard !drawn.isEmpty else { continue }
            var members = [("class", VectorTileLayer.Value.text(kind.roadClass.tag + (kind.isLink ? "_link" : "")))]
            if let name = kind.name { members.append(("name", .text(name))) }
            if let low = kind.low { members.append(("low", .number(Metres(low) / 100))) }
            layer.add(drawn, members)
        }
    }

    private func drawn(_ line: [Coordinate]) -> [[VectorTileLayer.Point]] {
        let extent = Double(VectorTileLayer.extent)
        let points = line.map { address.point($0, extent: extent) }
        let simple = TileLines.simplified(points, zoom: address.zoom)
        return TileLines.clipped(simple, size: extent, margin: Self.margin).compactMap(TileLines.rounded)
    }
}

extension RoadTile.Kind {
    fileprivate var order: (String, Int, Int) { (name ?? "", isLink ? 1 : 0, low ?? 0) }
}

extension RoadClass {
    /// As `highway` has it.
    var tag: String {
        switch self {
        case .service: "service"
        case .livingStreet: "living_street"
        case .road: "road"
        case .residential: "residential"
        case .unclassified: "unclassified"
        case .tertiary: "tertiary"
        case .secondary: "secondary"
        case .primary: "primary"
        case .trunk: "trunk"
        case .motorway: "motorway"
        }
    }
}
