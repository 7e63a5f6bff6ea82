import HTTPTypes
import Hummingbird

/// Lets a request pass that carries a token of `role` or above (RFC 6750).
struct BearerToken<Context: RequestContext>: RouterMiddleware {
    /// Nil: authentication is not in force.
    let tokens: TokenList?
    let role: Role

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        if let tokens { try check(request, against: tokens) }
        return try await next(request, context)
    }

    private func check(_ request: Request, against tokens: TokenList) throws {
        guard let token = request.bearer else {
            throw Self.refusal(.unauthorized, challenge: "Bearer", "This needs a token: Authorization: Bearer TOKEN.")
        }
        guard let granted = tokens.bearer(of: token)?.role else {
            throw Self.refusal(
                .unauthorized, challenge: #"Bearer error="invalid_token""#, "This token is not known here.")
        }
        guard granted >= role else {
            throw Self.refusal(
                .forbidden, challenge: #"Bearer error="insufficient_scope""#, "This needs a token of an \(role).")
        }
    }

    private static func refusal(_ status: HTTPResponse.Status, challenge: String, _ message: String) -> HTTPError {
        HTTPError(status, headers: [.wwwAuthenticate: challenge], message: message)
    }
}

extension TokenList {
    /// Who has the request's token; nil where it carries none that is known.
    func bearer(of request: Request) -> Bearer? { request.bearer.flatMap(bearer) }
}

extension Request {
    /// The token that it carries; nil: none.
    var bearer: String? {
        // The scheme's name is not case-sensitive (RFC 9110 §11.1).
        let words = headers[.authorization]?.split(separator: " ") ?? []
        return words.count == 2 && words[0].lowercased() == "bearer" ? String(words[1]) : nil
    }
}
