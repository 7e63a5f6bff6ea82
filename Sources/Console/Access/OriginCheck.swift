import HTTPTypes
import Hummingbird

/// Refuses changes that a page of another site asks for (cross-site request forgery).
///
/// A browser sends such a request without asking where the page could have made it by a form, and names in `Origin` the
/// site that the page came from (RFC 6454 §7). A program other than a browser sends none. The scheme is not compared: TLS
/// may end at a proxy in front.
struct OriginCheck<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        if Self.changing.contains(request.method), let origin = request.headers[Self.origin] {
            guard let host = request.head.authority, Self.authority(of: origin) == host.lowercased() else {
                throw HTTPError(
                    .forbidden,
                    message:
                        "Expected an Origin of this host, \(request.head.authority ?? "none"), got \(origin.prefix(64))."
                )
            }
        }
        return try await next(request, context)
    }

    private static var changing: Set<HTTPRequest.Method> { [.post, .put, .patch, .delete] }
    private static var origin: HTTPField.Name { HTTPField.Name("Origin")! }

    /// Host and port of `scheme://host:port`, in lower case; nil for what has none, such as `null`.
    private static func authority(of origin: String) -> String? {
        guard let mark = origin.firstRange(of: "://") else { return nil }
        return origin[mark.upperBound...].lowercased()
    }
}
