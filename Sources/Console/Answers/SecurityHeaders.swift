import HTTPTypes
import Hummingbird

/// What every answer tells a browser, unless its route has said otherwise: it is no page, loads nothing, stands in no
/// frame, is kept by no cache and read by no other site.
struct SecurityHeaders<Context: RequestContext>: RouterMiddleware {
    private static var headers: HTTPFields {
        [
            .contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'",
            .xContentTypeOptions: "nosniff",
            .cacheControl: "no-store",
            HTTPField.Name("Referrer-Policy")!: "no-referrer",
            HTTPField.Name("Cross-Origin-Resource-Policy")!: "same-origin",
            HTTPField.Name("X-Frame-Options")!: "DENY",
        ]
    }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        for field in Self.headers where response.headers[field.name] == nil {
            response.headers.append(field)
        }
        return response
    }
}
