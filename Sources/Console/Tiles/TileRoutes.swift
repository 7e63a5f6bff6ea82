import Fleet
import Gateway
import HTTPTypes
import Hummingbird
import Roads

/// `GET /api/v1/tiles/roads/{z}/{x}/{y}` and `/tiles/base/{z}/{x}/{y}`: the road file and its base map as Mapbox Vector Tiles.
struct TileRoutes {
    let view: LiveView
    private let tiles = RoadTiles()
    /// By the road file.
    private let baseTiles = DrawnTiles<UInt64>()

    init(view: LiveView) { self.view = view }

    func add(to routes: some RouterMethods<ConsoleContext>) {
        routes.get("tiles/roads/:z/:x/:y") { request, context in
            let address = try address(request, context)
            guard let tile = try await tiles.tile(address, of: try await view.knownWithMap().map) else {
                throw HTTPError(.notFound, message: "There is no road file.")
            }
            return answer(tile, to: request)
        }
        routes.get("tiles/base/:z/:x/:y") { request, context in
            let address = try address(request, context)
            guard let network = try await view.knownWithMap().map.network, network.hasBaseMap else {
                throw HTTPError(.notFound, message: "There is no base map in the road file.")
            }
            let tile = try await baseTiles.tile(address, revision: network.fingerprint) {
                try BaseMapTile(address).bytes(of: network)
            }
            return answer(tile, to: request)
        }
    }

    private func address(_ request: Request, _ context: ConsoleContext) throws -> TileAddress {
        _ = try RequestQuery(request, [])
        let numbers = ["z", "x", "y"].map { context.parameters.get($0, as: Int.self) ?? -1 }
        guard let address = TileAddress(zoom: numbers[0], column: numbers[1], row: numbers[2]) else {
            let (least, most) = (TileAddress.zooms.lowerBound, TileAddress.zooms.upperBound)
            throw HTTPError(.notFound, message: "There is no such tile; zooms are \(least) to \(most).")
        }
        return address
    }

    private func answer(_ tile: TileCache.Tile, to request: Request) -> Response {
        .tagged(tile.bytes, "application/vnd.mapbox-vector-tile", for: request, tag: tile.tag, caching: .own)
    }
}
