import Gateway
import HTTPTypes
import Hummingbird
import Messages
import QRCode
import Store
import Wire

/// How a phone comes to speak for a vehicle: an editor asks for a link, the phone exchanges its code for a token, an editor
/// revokes that.
struct CabPairingRoutes {
    private struct Body: Decodable { var code: String }

    let access: CabAccess

    /// For everybody: a code is signed, holds for ten minutes and is exchanged once.
    func addPairing(to routes: some RouterMethods<ConsoleContext>) {
        routes.post("cab/pairing") { request, context in
            _ = try RequestQuery(request, [])
            guard let body = try await request.json(Body.self, context) else {
                throw HTTPError.unprocessable("Expected {\"code\": \"…\"}, got another body.")
            }
            switch await access.pair(body.code, at: .now) {
            case .paired(let token, let text):
                return Response.json(
                    JSONWriter.answer { writer in
                        writer.member("vehicle", token.vehicle.text)
                        writer.member("token", text)
                        writer.member("expires_at", token.expiresAt)
                    })
            case .refused:
                throw HTTPError(
                    .gone, message: "This link has expired or was used already. Ask dispatch for a new one.")
            case .unavailable: throw Self.unavailable
            }
        }
    }

    /// For editors.
    func addChanges(to routes: some RouterMethods<ConsoleContext>) {
        routes.post("vehicles/:vehicle/cab-links") { request, context in
            _ = try RequestQuery(request, [])
            guard let code = access.code(for: try Self.vehicle(context), at: .now) else { throw Self.unavailable }
            let path = CabLink.path(code: code.text)
            // Only a browser says by which scheme the console is reached: TLS may end at a proxy in front.
            let link = request.headers[.origin].map { $0 + path }
            return Response.json(
                JSONWriter.answer { writer in
                    writer.member("path", path)
                    writer.member("link", link)
                    writer.member("qr", link.flatMap { QRCode($0)?.svg })
                    writer.member("expires_at", code.expiresAt)
                })
        }
        routes.delete("cab-tokens/:id") { request, context in
            _ = try RequestQuery(request, [])
            guard let id = Int64(try Request.decoded("id", context)) else { throw HTTPError.unknown("cab token") }
            switch await access.revoke(id) {
            case true?: return Response.json(JSONWriter.answer { $0.member("status", "revoked") })
            case false?: throw HTTPError.unknown("cab token")
            case nil: throw Self.unavailable
            }
        }
    }

    /// For viewers.
    func addReading(to routes: some RouterMethods<ConsoleContext>) {
        routes.get("vehicles/:vehicle/cab-tokens") { request, context in
            _ = try RequestQuery(request, [])
            let tokens = access.tokens(of: try Self.vehicle(context), at: .now)
            return Response.json(
                JSONWriter.answer { writer in
                    writer.member("items", each: tokens) { writer, token in
                        writer.object { writer in
                            writer.member("id", Int(token.id))
                            writer.member("created_at", token.createdAt)
                            writer.member("expires_at", token.expiresAt)
                        }
                    }
                })
        }
    }

    private static func vehicle(_ context: ConsoleContext) throws(HTTPError) -> VehicleID {
        try VehicleTopics.vehicle(try Request.decoded("vehicle", context))
    }

    private static var unavailable: HTTPError {
        HTTPError(
            .serviceUnavailable, message: "The gateway does not take changes now; nothing was changed. Try again.")
    }
}

/// Where a phone is sent to be paired.
package enum CabLink {
    /// The code stands behind the mark, so that no server and no proxy writes it into its log.
    package static func path(code: String) -> String { "/cab#\(code)" }
}
