import Fleet
import Gateway
import HTTPTypes
import Hummingbird
import Messages
import Store
import Wire

/// `GET /api/v1/vehicles/{v}/track`: where a vehicle was.
struct TrackRoutes {
    let view: LiveView
    let history: HistoryReader

    private static let link = HTTPField.Name("Link")!

    func add(to routes: some RouterMethods<ConsoleContext>) {
        routes.get("vehicles/:vehicle/track") { request, context in try await track(request, context) }
    }

    private func track(_ request: Request, _ context: ConsoleContext) async throws -> Response {
        let query = try RequestQuery(request, ["from", "to", "format", "limit"])
        let (from, to, format) = (try query.time("from"), try query.time("to"), try query.trackFormat())
        let limit = try query.integer("limit", in: 1...ConsoleLimits.trackFixes)
        let id = try Request.decoded("vehicle", context)
        guard let vehicle = VehicleID(id), try await view.known().vehicles[vehicle] != nil else {
            throw HTTPError.unknown("vehicle")
        }
        let page = try await history.fixes(
            of: vehicle, from: from, to: to, limit: limit ?? ConsoleLimits.trackFixes)
        guard limit != nil || page.next == nil else {
            throw HTTPError.bad(
                "expected at most \(ConsoleLimits.trackFixes) fixes, got more; narrow from and to, or set limit.")
        }
        var response = Response.tagged(format.document(of: vehicle, page.fixes), format.contentType, for: request)
        if page.next != nil, let last = page.fixes.last {
            response.headers[Self.link] = Self.next(request.uri.path, after: last.time, to, format, limit)
        }
        return response
    }

    /// Where what follows is to be had (RFC 8288): formats for other programs have no place for it.
    private static func next(
        _ path: String, after last: Timestamp, _ to: Timestamp?, _ format: TrackFormat, _ limit: Int?
    ) -> String {
        let from = Timestamp(milliseconds: last.milliseconds + 1)
        let parameters =
            ["from=\(RFC3339.text(from))"] + (to.map { ["to=\(RFC3339.text($0))"] } ?? [])
            + ["format=\(format.rawValue)"] + (limit.map { ["limit=\($0)"] } ?? [])
        return "<\(path)?\(parameters.joined(separator: "&"))>; rel=\"next\""
    }
}
