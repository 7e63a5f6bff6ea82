import Gateway
import HTTPTypes
import Hummingbird
import Wire

/// `PUT /api/v1/alerts/{id}/handling`: a dispatcher takes an alert, which then nobody else has to.
struct HandlingRoutes {
    private struct Body: Decodable {
        enum Status: String, Decodable { case taken }

        var status: Status
    }

    let taker: AlertTaker

    func add(to routes: some RouterMethods<ConsoleContext>) {
        routes.put("alerts/:id/handling") { request, context in
            let id = try Request.decoded("id", context)
            guard let body = try? await request.decode(as: Body.self, context: context), body.status == .taken else {
                throw HTTPError.unprocessable("Expected {\"status\": \"taken\"}, got another body.")
            }
            switch await taker.take(id) {
            case .taken: return Response.json(JSONWriter.answer { $0.member("status", "taken") })
            case .unknown:
                throw HTTPError(.notFound, message: "There is no such alert to be taken; somebody may have taken it.")
            case .unavailable:
                throw HTTPError(
                    .serviceUnavailable,
                    message: "The gateway does not take changes now; nothing was changed. Try again.")
            }
        }
    }
}
