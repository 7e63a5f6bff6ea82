import Fleet
import Geo
import Messages
import Roads

/// The road file as tiles, drawn when they are first asked for.
final class RoadTiles: Sendable {
    /// Up to this zoom a tile meets far more pieces of road than it shows.
    private static let majorZoomMax = 10
    /// The revision of the clearances, which the tiles tell, and of the roads.
    private let drawn = DrawnTiles<Int>()
    private let majors = Cached<UInt64, MajorRoads>()

    /// - Parameter map: with a network; nil without one.
    func tile(_ address: TileAddress, of map: MapSnapshot) async throws -> TileCache.Tile? {
        guard let network = map.network else { return nil }
        return try await drawn.tile(address, revision: map.clearanceRevision) { [self] in draw(address, network) }
    }

    private func draw(_ address: TileAddress, _ network: RoadNetwork) -> [UInt8] {
        let tile = RoadTile(address)
        let candidates =
            address.zoom <= Self.majorZoomMax
            ? majors.value(for: network.fingerprint) {
                MajorRoads(of: network, from: RoadTile.leastClass(zoom: Self.majorZoomMax))
            }.roads(in: tile.bounds) : network.roads(in: tile.bounds)
        return tile.bytes(of: network, candidates)
    }
}

/// The pieces of large roads alone, to be found by their boxes.
private struct MajorRoads {
    private let roads: [EdgeID]
    private let index: BoxIndex

    init(of network: RoadNetwork, from least: RoadClass) {
        roads = network.roads(from: least)
        index = BoxIndex(
            roads.enumerated().compactMap { item, edge in Bounds(line: network.line(edge)).map { (box: $0, item: item) }
            })
    }

    /// In the order of edge ids.
    func roads(in box: Bounds) -> [EdgeID] {
        var items: Set<Int> = []
        index.search(box) { items.insert($0) }
        return items.sorted().map { roads[$0] }
    }
}
