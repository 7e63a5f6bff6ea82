import HTTPTypes
import Hummingbird
import Logging
import NIOHTTP1
import Store

/// Turns what the routes throw, and a path that leads nowhere, into a problem (RFC 9457), which also has its sentence as
/// `{"error":{"message":…}}`.
///
/// What was not meant for the client goes to the log; the client learns that it is not to blame.
struct ErrorAnswers<Context: RequestContext>: RouterMiddleware {
    private struct Body: Encodable {
        struct Message: Encodable {
            var message: String
            /// In the client's body.
            var place: String?
        }

        /// The status in words.
        var title: String
        var status: Int
        var detail: String
        var error: Message
    }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError {
            return try Self.answer(error.status, error.body, error.headers)
        } catch let error as BodyError {
            return try Self.answer(.unprocessableContent, error.message, place: error.place)
        } catch let error as any HTTPResponseError {
            return try Self.answer(error.status)
        } catch  where Self.isAbandoned(error) {
            context.logger.debug(
                "A request was abandoned", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            return try Self.answer(.serviceUnavailable)
        } catch let error as StoreError where error.temporaryReason != nil {
            context.logger.error("The store fails", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            return try Self.answer(.serviceUnavailable, HTTPError.storeFails.body, HTTPError.storeFails.headers)
        } catch {
            context.logger.error("A request failed", metadata: ["path": "\(request.uri.path)", "error": "\(error)"])
            return try Self.answer(.internalServerError)
        }
    }

    /// Whether the client has gone, or the console stops: nobody reads the answer, and nothing has failed.
    private static func isAbandoned(_ error: any Error) -> Bool {
        error is CancellationError || error as? HTTPParserError == .invalidEOFState
    }

    private static func answer(
        _ status: HTTPResponse.Status, _ message: String? = nil, _ headers: HTTPFields = [:], place: String? = nil
    ) throws -> Response {
        let message = message ?? "\(status.reasonPhrase)."
        let body = Body(
            title: status.reasonPhrase, status: status.code, detail: message,
            error: .init(message: message, place: place))
        var response = try Response.json(body, status: status)
        response.headers[.contentType] = "application/problem+json"
        response.headers.append(contentsOf: headers)
        return response
    }
}
