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
            let format = try query.reportFormat()
            let now = try await view.known().time
            let span = try query.span(days: Self.days, until: now)
            do {
                let report = try await history.report(span, at: now, limit: Self.messagesMax)
                return Response.tagged(format.document(report), format.contentType, for: request)
            } catch let error as ReportError {
                throw HTTPError.bad("\(error).")
            }
        }
    }
}

extension RequestQuery {
    /// From `from` to before `to`.
    ///
    /// - Parameters:
    ///   - days: before the end, where no start is named.
    ///   - now: the end, where none is named.
    func span(days: Double, until now: Timestamp) throws(HTTPError) -> Range<Timestamp> {
        let end = try time("to") ?? now
        let start = try time("from") ?? end.adding(-days * 86_400)
        guard start < end else { throw HTTPError.bad("from: expected a time before to, got a later one.") }
        return start..<end
    }

    /// By `format`, else by what the client accepts, else JSON.
    fileprivate func reportFormat() throws(HTTPError) -> ReportFormat {
        if let format: ReportFormat = try choice("format") { return format }
        return accepts(ReportFormat.csv.contentType) ? .csv : .json
    }
}
