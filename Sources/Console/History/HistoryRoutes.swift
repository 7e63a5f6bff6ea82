import Fleet
import HTTPTypes
import Hummingbird
import Messages
import Store
import Wire

/// `GET /api/v1/events`, `/visits` and `/handling`: what happened, as it was published, and what dispatchers did about it.
struct HistoryRoutes {
    let history: HistoryReader

    func add(to routes: some RouterMethods<ConsoleContext>) {
        let names = Listing.parameters.union(HistoryFilter.parameters)
        routes.get("events") { request, _ in
            try await history.answer(.event, try RequestQuery(request, names.union(["fence"])), to: request)
        }
        routes.get("visits") { request, _ in
            try await history.answer(.visit, try RequestQuery(request, names), to: request)
        }
        routes.get("handling") { request, _ in
            try await history.answer(.handling, try RequestQuery(request, names), to: request)
        }
    }
}

extension HistoryReader {
    func answer(_ kind: HistoryEntry.Kind, _ query: RequestQuery, to request: Request) async throws -> Response {
        let format: HistoryFormat? = try query.choice("format")
        if format == .csv || format == nil && query.accepts(HistoryFormat.csvContentType) {
            return try await csv(kind, query, to: request)
        }
        let (listing, filter) = (try Listing(query), try HistoryFilter(kind, query))
        let cursor = try listing.cursor(HistoryCursor.self)
        let page = try await page(filter, limit: listing.limit, after: cursor)
        return listing.answer(page.entries, next: page.next?.description, to: request) { writer, entry in
            guard listing.isGeoJSON else { return writer.raw(entry.payload) }
            let place = PublishedPlace(entry)
            writer.feature { writer in
                writer.point(place?.position)
            } properties: { writer in
                writer.member("kind", kind == .alert ? OpenAlert.Part.clearance.rawValue : kind.rawValue)
                writer.member(kind == .alert ? "alert" : "id", entry.id)
                writer.member("vehicle", entry.vehicle.text)
                writer.member("time", entry.time)
                writer.name("message")
                writer.raw(entry.payload)
            }
        }
    }
}
