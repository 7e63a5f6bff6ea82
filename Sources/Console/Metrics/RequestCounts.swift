import Gateway
import HTTPTypes
import Hummingbird

/// Counts requests by group of routes and outcome, and the bytes of answers.
struct RequestCounts<Context: RequestContext>: RouterMiddleware {
    let metrics: ConsoleMetrics

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        metrics.count(.of(request.uri.path), .of(response.status))
        // A stream counts what it sends itself.
        if request.method != .head, let bytes = response.body.contentLength { metrics.sentBytes.add(bytes) }
        return response
    }
}

extension ConsoleMetrics.RouteGroup {
    /// By the first name of a path; below the API by the one that follows it.
    static func of(_ path: String) -> Self {
        let names = path.split(separator: "/").map(String.init)
        guard names.prefix(2) == ["api", "v1"] else {
            return switch names.first {
            case nil, "assets", "cab": .page
            case "healthz", "readyz": .health
            case "metrics": .metrics
            default: .other
            }
        }
        let name = names.dropFirst(2).first ?? ""
        if name.hasSuffix(".json") { return .documents }
        return Self(rawValue: name) ?? .other
    }
}

extension ConsoleMetrics.StatusClass {
    static func of(_ status: HTTPResponse.Status) -> Self {
        switch status.code {
        case ..<300: .success
        case ..<400: .redirection
        case ..<500: .clientError
        default: .serverError
        }
    }
}
