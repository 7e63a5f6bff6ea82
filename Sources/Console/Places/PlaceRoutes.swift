import Fleet
import Gateway
import Geo
import HTTPTypes
import Hummingbird
import NIOPosix
import Roads
import Wire

/// `GET /api/v1/places`: streets, places and bridges by name.
struct PlaceRoutes {
    /// One letter is in nearly every name.
    private static let lengths = 2...100
    private static let limits = 1...50

    let view: LiveView
    let mapCache: MapCache
    private let indexes = Cached<UInt64, PlaceIndex>()

    init(view: LiveView, mapCache: MapCache) { (self.view, self.mapCache) = (view, mapCache) }

    func add(to routes: some RouterMethods<ConsoleContext>) {
        routes.get("places") { request, _ in
            let query = try RequestQuery(request, ["q", "near", "limit"])
            let (origin, limit) = (try query.place("near"), try query.integer("limit", in: Self.limits) ?? 10)
            guard let text = query.text("q"), Self.lengths.contains(text.count) else {
                throw HTTPError.bad("q: expected \(Self.lengths.lowerBound) to \(Self.lengths.upperBound) letters.")
            }
            let map = try await view.knownWithMap().map
            guard let network = map.network else {
                throw HTTPError(.notFound, message: "There is no road file.")
            }
            // Some hundredths of a second for a large country, and a second for its first search: on a thread of its own.
            let found = try await NIOThreadPool.singleton.runIfActive {
                indexes.value(for: network.fingerprint) { PlaceIndex(of: network) }
                    .search(text, mapCache.clearances(map), from: origin, limit: limit)
            }
            let bytes = JSONWriter.answer { writer in
                writer.member("items", each: found) { writer, item in
                    writer.object { writer in
                        writer.member("kind", item.kind)
                        writer.member("name", item.name)
                        writer.member("near", item.near)
                        writer.position(item.position)
                    }
                }
            }
            return Response.tagged(bytes, Listing.json, for: request)
        }
    }
}
