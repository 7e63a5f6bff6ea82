import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Refuses a body that says it is too large before any of it is read; one that does not say is counted as a room
/// collects it, up to the context's `maxUploadSize`.
struct BodyLimit<Context: RequestContext>: RouterMiddleware {
    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        if let length = request.headers[.contentLength].flatMap(Int.init), length > context.maxUploadSize {
            throw HTTPError.bodyTooLarge(context)
        }
        return try await next(request, context)
    }
}

extension Request {
    /// The whole body.
    ///
    /// - Throws: 413 beyond the console's limit.
    func collectedBody(_ context: some RequestContext) async throws -> ByteBuffer {
        do {
            return try await body.collect(upTo: context.maxUploadSize)
        } catch is NIOTooManyBytesError {
            throw HTTPError.bodyTooLarge(context)
        }
    }

    /// The body as JSON; nil where it is none of this type.
    ///
    /// - Throws: 413 beyond the console's limit.
    func json<Body: Decodable>(_ type: Body.Type, _ context: some RequestContext) async throws -> Body? {
        let buffer = try await collectedBody(context)
        return try? JSONDecoder().decode(type, from: Data(buffer.readableBytesView))
    }
}

extension HTTPError {
    fileprivate static func bodyTooLarge(_ context: some RequestContext) -> HTTPError {
        HTTPError(.contentTooLarge, message: "Expected a body of at most \(context.maxUploadSize) bytes.")
    }
}
