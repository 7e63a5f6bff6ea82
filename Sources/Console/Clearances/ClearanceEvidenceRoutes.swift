import Fleet
import Gateway
import Hummingbird
import Messages
import Reports
import Wire

/// `GET /api/v1/clearances/{id}/evidence`: what the fleet's alerts say of a clearance.
struct ClearanceEvidenceRoutes {
    /// Where no start is named; the history is kept for 30 days unless set otherwise.
    private static let days: Double = 30

    let view: LiveView
    let mapCache: MapCache
    let history: HistoryReader

    func add(to routes: some RouterMethods<ConsoleContext>) {
        routes.get("clearances/:id/evidence") { request, context in
            let query = try RequestQuery(request, ["from", "to"])
            let id = try Request.decoded("id", context)
            let snapshot = await view.snapshot()
            guard !mapCache.clearances(snapshot.map).withID(id).isEmpty else { throw HTTPError.unknown("clearance") }
            let end = try query.time("to") ?? snapshot.time
            let start = try query.time("from") ?? end.adding(-Self.days * 86_400)
            guard start < end else { throw HTTPError.bad("from: expected a time before to, got a later one.") }
            do {
                let evidence = try await history.evidence(of: id, in: start..<end, limit: ReportRoutes.messagesMax)
                let bytes = JSONWriter.answer { writer in
                    writer.member("from", start)
                    writer.member("to", end)
                    evidence.write(&writer)
                }
                return Response.tagged(bytes, Listing.json, for: request)
            } catch let error as ReportError {
                throw HTTPError.bad("\(error).")
            }
        }
    }
}
