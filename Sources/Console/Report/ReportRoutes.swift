import Gateway
import HTTPTypes
import Hummingbird
import Messages
import Reports
import Store

/// `GET /api/v1/report`: what happened in a span of time.
struct ReportRoutes {
    /// Of alert messages; they take some five seconds.
    static let messagesMax = 100_000
    /// Where no start is named.
    private static let days: Double = 7

    let view: LiveView
    let history: HistoryReader

    func add(to routes: some RouterMethods<ConsoleContext>) {
        routes.get("report") { request, _ in
            let query = try RequestQuery(request, ["from", "to", "format"])
            let (from, to, format) = (try query.time("from"), try query.time("to"), try query.reportFormat())
            let end = if let to { to } else { await view.snapshot().time }
            let start = from ?? end.adding(-Self.days * 86_400)
            guard start < end else { throw HTTPError.bad("from: expected a time before to, got a later one.") }
            do {
                let report = try await history.report(start..<end, limit: Self.messagesMax)
                return Response.tagged(format.document(report), format.contentType, for: request)
            } catch let error as ReportError {
                throw HTTPError.bad("\(error).")
            }
        }
    }
}

extension RequestQuery {
    /// By `format`, else by what the client accepts, else JSON.
    fileprivate func reportFormat() throws(HTTPError) -> ReportFormat {
        if let format: ReportFormat = try choice("format") { return format }
        return accepts(ReportFormat.csv.contentType) ? .csv : .json
    }
}
