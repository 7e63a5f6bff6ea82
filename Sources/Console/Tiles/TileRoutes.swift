import Gateway
import HTTPTypes
import Hummingbird

/// `GET /api/v1/tiles/roads/{z}/{x}/{y}`: the road file as Mapbox Vector Tiles with one layer, `roads`.
struct TileRoutes {
    let view: LiveView
    private let tiles = RoadTiles()

    init(view: LiveView) { self.view = view }

    func add(to routes: some RouterMethods<ConsoleContext>) {
        routes.get("tiles/roads/:z/:x/:y") { request, context in
            _ = try RequestQuery(request, [])
            let numbers = ["z", "x", "y"].map { context.parameters.get($0, as: Int.self) ?? -1 }
            guard let address = TileAddress(zoom: numbers[0], column: numbers[1], row: numbers[2]) else {
                let (least, most) = (TileAddress.zooms.lowerBound, TileAddress.zooms.upperBound)
                throw HTTPError(.notFound, message: "There is no such tile; zooms are \(least) to \(most).")
            }
            guard let tile = try await tiles.tile(address, of: await view.snapshot().map) else {
                throw HTTPError(.notFound, message: "There is no road file.")
            }
            let type = "application/vnd.mapbox-vector-tile"
            return Response.tagged(tile.bytes, type, for: request, tag: tile.tag, caching: .own)
        }
    }
}
