import Gateway
import HTTPTypes
import Hummingbird
import Messages
import Store

/// Lets a request pass that carries a cab's token, and says in its context which vehicle that speaks for.
struct CabBearer: RouterMiddleware {
    let access: CabAccess

    func handle(
        _ request: Request, context: ConsoleContext, next: (Request, ConsoleContext) async throws -> Response
    ) async throws -> Response {
        guard let text = request.bearer, let token = try await token(text) else {
            throw HTTPError(
                .unauthorized, headers: [.wwwAuthenticate: #"Bearer error="invalid_token""#],
                message: "This phone is not paired with a vehicle any more. Ask dispatch for a new link.")
        }
        var context = context
        context.cab = token
        return try await next(request, context)
    }

    private func token(_ text: String) async throws -> CabToken? {
        do {
            return try await access.token(text, at: .now)
        } catch is CabAccess.UnavailableError {
            throw HTTPError.gatewayCannotBeAsked
        }
    }
}

extension ConsoleContext {
    /// Of a request that has passed `CabBearer`.
    ///
    /// - Throws: 401 where it has not.
    var pairedCab: CabToken {
        get throws(HTTPError) {
            guard let cab else { throw HTTPError(.unauthorized) }
            return cab
        }
    }
}
