import Fleet
import Gateway
import Geo
import HTTPTypes
import Hashing
import Hummingbird
import Messages
import Wire

/// `GET /api/v1/fences` and `/fences/{id}`: the fences in force, and how many vehicles are inside.
struct FenceRoutes {
    let view: LiveView
    let mapCache: MapCache

    func add(to routes: some RouterMethods<ConsoleContext>) {
        routes.get("fences") { request, _ in try await list(request) }
        routes.get("fences/:id") { request, context in try await one(request, context) }
    }

    private func list(_ request: Request) async throws -> Response {
        let query = try RequestQuery(request, Listing.parameters.union(["bbox", "q", "group"]))
        let (listing, bounds, words) = (try Listing(query), try query.bounds(), SearchText(query.text("q")))
        let group = query.text("group")
        let snapshot = try await view.knownWithMap()
        let page = Page(mapCache.fences(snapshot.map).items, by: \.fence.id, listing) { item in
            bounds.map { box in item.bounds?.meets(box) ?? false } ?? true
                && group.map(item.fence.groups.contains) ?? true
                && words.match { [item.fence.id, item.fence.name] }
        }
        let inside = snapshot.countsInside
        return listing.answer(page.elements, next: page.next, to: request) { writer, item in
            let count = inside[item.fence.$id] ?? 0
            if listing.isGeoJSON {
                item.writeFeature(&writer, inside: count)
            } else {
                item.write(&writer, inside: count)
            }
        }
    }

    private func one(_ request: Request, _ context: ConsoleContext) async throws -> Response {
        let isGeoJSON = try RequestQuery(request, ["format"]).wantsGeoJSON()
        let id = BytewiseText(try Request.decoded("id", context))
        let snapshot = try await view.knownWithMap()
        guard let fence = snapshot.map.fences[id] else { throw HTTPError.unknown("fence") }
        let item = FenceList.Item(fence)
        let count = snapshot.countsInside[id] ?? 0
        var writer = JSONWriter()
        if isGeoJSON { item.writeFeature(&writer, inside: count) } else { item.write(&writer, inside: count) }
        return .tagged(
            writer.bytes, isGeoJSON ? Listing.geoJSON : Listing.json, for: request,
            tag: EntityTag(of: writer.bytes, version: item.version))
    }
}

extension LiveSnapshot {
    /// By fence: how many vehicles are inside.
    fileprivate var countsInside: [BytewiseText: Int] {
        vehicles.values.reduce(into: [:]) { counts, vehicle in
            for stay in vehicle.snapshot.state?.fences ?? [] { counts[stay.$fence, default: 0] += 1 }
        }
    }
}
