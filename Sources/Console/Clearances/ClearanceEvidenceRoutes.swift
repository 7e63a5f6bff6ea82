import Fleet
import Gateway
import Hummingbird
import Messages
import Reports
import Wire

/// `GET /api/v1/clearances/{id}/evidence`: what the fleet's alerts say of a clearance.
struct ClearanceEvidenceRoutes {
    /// Where no start is named; `privacy.keep_events` says how far back there is anything.
    private static let days: Double = 30

    let view: LiveView
    let mapCache: MapCache
    let history: HistoryReader

    func add(to routes: some RouterMethods<ConsoleContext>) {
        routes.get("clearances/:id/evidence") { request, context in
            let query = try RequestQuery(request, ["from", "to"])
            let id = try Request.decoded("id", context)
            let snapshot = try await view.knownWithMap()
            guard !mapCache.clearances(snapshot.map).withID(id).isEmpty else { throw HTTPError.unknown("clearance") }
            let span = try query.span(days: Self.days, until: snapshot.time)
            do {
                let evidence = try await history.evidence(of: id, in: span, limit: ReportRoutes.messagesMax)
                let bytes = JSONWriter.answer { writer in
                    writer.member("from", span.lowerBound)
                    writer.member("to", span.upperBound)
                    evidence.write(&writer)
                }
                return Response.tagged(bytes, Listing.json, for: request)
            } catch let error as ReportError {
                throw HTTPError.bad("\(error).")
            }
        }
    }
}
