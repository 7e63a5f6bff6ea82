import HTTPTypes
import Hummingbird

/// Refuses a body that says it is too large before any of it is read; one that does not say is counted as a room
/// collects it, up to the context's `maxUploadSize`.
struct BodyLimit<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        if let length = request.headers[.contentLength].flatMap(Int.init), length > context.maxUploadSize {
            throw HTTPError(.contentTooLarge, message: "Expected a body of at most \(context.maxUploadSize) bytes.")
        }
        return try await next(request, context)
    }
}
