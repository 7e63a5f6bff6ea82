import Clearances
import Fleet
import Gateway
import Geo
import HTTPTypes
import Hashing
import Hummingbird
import Messages
import Roads
import Wire

/// `GET /api/v1/clearances`, `/clearances/{id}` and `/clearances/preview`: what is low, and who fits.
struct ClearanceRoutes {
    private static let parameters: Set = ["bbox", "q", "height", "vehicle", "verdict", "standing"]

    let view: LiveView
    let mapCache: MapCache
    let legalDefault: Centimetres
    let preview: ClearancePreviewRoute

    func add(to routes: some RouterMethods<ConsoleContext>) {
        routes.get("clearances") { request, _ in try await list(request) }
        routes.get("clearances/:id") { request, context in
            context.parameters.get("id") == ClearancePreviewRoute.name
                ? try await preview.answer(request) : try await one(request, context)
        }
    }

    private func list(_ request: Request) async throws -> Response {
        let query = try RequestQuery(request, Self.parameters.union(Listing.parameters))
        let (listing, bounds, words) = (try Listing(query), try query.bounds(), SearchText(query.text("q")))
        let (verdict, status): (Verdict?, ClearanceList.Status?) = (
            try query.choice("verdict"), try query.choice("standing")
        )
        let snapshot = try await view.knownWithMap()
        let height = try height(query, snapshot)
        if verdict != nil, height == nil { throw HTTPError.bad("verdict needs a height or a vehicle; name one.") }
        let list = mapCache.clearances(snapshot.map)
        let page = Page(list.items, by: \.key, listing, precedes: { BytewiseText($0) < BytewiseText($1) }) { item in
            bounds?.contains(item.position) ?? true
                && verdict.map { $0 == self.verdict(list.reading(item), height) } ?? true
                && status.map { $0 == list.status(item) } ?? true
                && words.match { [item.id, list.clearance(item)?.name, list.road(item)] }
        }
        return listing.answer(page.elements, next: page.next, to: request) { writer, item in
            write(item, of: list, height, asFeature: listing.isGeoJSON, &writer)
        }
    }

    private func one(_ request: Request, _ context: ConsoleContext) async throws -> Response {
        let query = try RequestQuery(request, ["height", "vehicle", "format"])
        let id = try Request.decoded("id", context)
        let snapshot = try await view.knownWithMap()
        let list = mapCache.clearances(snapshot.map)
        guard let item = list.withID(id).first else { throw HTTPError.unknown("clearance") }
        let (height, asFeature) = (try height(query, snapshot), try query.wantsGeoJSON())
        var writer = JSONWriter()
        write(item, of: list, height, asFeature: asFeature, &writer)
        return .tagged(
            writer.bytes, asFeature ? Listing.geoJSON : Listing.json, for: request,
            tag: EntityTag(of: writer.bytes, version: list.version(item)))
    }

    /// Effective: as given, or that of a vehicle with its margin.
    private func height(_ query: RequestQuery, _ snapshot: LiveSnapshot) throws -> Centimetres? {
        let height = try query.height("height")
        guard let vehicle = try query.vehicle("vehicle") else { return height }
        guard height == nil else { throw HTTPError.bad("Name a height or a vehicle, not both.") }
        guard let known = snapshot.vehicles[vehicle] else { throw HTTPError.unknown("vehicle") }
        return known.snapshot.effectiveHeight
    }

    private func verdict(_ reading: ClearanceReading?, _ height: Centimetres?) -> Verdict? {
        height.flatMap { reading?.verdict(height: $0, legalDefault: legalDefault) }
    }

    private func write(
        _ item: ClearanceList.Item, of list: ClearanceList, _ height: Centimetres?, asFeature: Bool,
        _ writer: inout JSONWriter
    ) {
        guard let clearance = list.clearance(item) else { return }
        let verdict = verdict(clearance.reading, height)
        if asFeature {
            writer.feature(id: item.id) { writer in
                writer.point(item.position)
            } properties: { writer in
                // What the Feature of dispatch has, so that it can be changed and put back.
                writer.member("clearance", clearance.posted)
                writer.member("approach", each: clearance.approach) { $0.number($1, decimals: 1) }
                writer.member("detours", each: clearance.detours) { writer, place in
                    writer.array([place.longitude, place.latitude]) { $0.degrees($1) }
                }
                writer.member("passage", list.entry(item)?.passage?.rawValue)
                list.writeMembers(of: clearance, item, verdict, road: list.enteredRoad(item), &writer)
            }
        } else {
            writer.object { writer in
                writer.member("id", item.id)
                writer.position(item.position)
                list.writeMembers(of: clearance, item, verdict, &writer)
            }
        }
    }
}

extension ClearanceList {
    /// Another one for each change that somebody makes.
    func version(_ item: Item) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.position(item.position)
            guard let clearance = clearance(item) else { return }
            writer.member("approach", each: clearance.approach) { $0.number($1, decimals: 1) }
            writeMembers(of: clearance, item, nil, &writer)
            // Not all that was entered is in force, such as the road of a merged one.
            guard let entry = entry(item) else { return }
            writer.name("entry")
            writer.raw(ClearanceGeoJSON.bytes([entry]))
        }
        return EntityTag.hash(writer.bytes)
    }

    fileprivate func writeMembers(
        of clearance: Clearance, _ item: Item, _ verdict: Verdict?, road: String? = nil, _ writer: inout JSONWriter
    ) {
        writer.member("name", clearance.name)
        writer.height("height", clearance.reading.limit)
        writer.member("posted", clearance.posted)
        writer.member("source", clearance.source)
        writer.member("date", clearance.date.isEmpty ? nil : clearance.date)
        let entry = entry(item)
        writer.member("author", entry.flatMap { $0.author.isEmpty ? nil : $0.author })
        writer.member("valid_until", entry?.expiry)
        writer.member("verdict", verdict?.rawValue)
        writer.member("standing", status(item).rawValue)
        writer.member("road", road ?? self.road(item))
        writer.member("origin", item.origin.rawValue)
    }
}

extension ClearanceReading {
    /// Nil where no height is known.
    fileprivate var limit: Centimetres? {
        if case .limit(let limit) = self { limit } else { nil }
    }
}
