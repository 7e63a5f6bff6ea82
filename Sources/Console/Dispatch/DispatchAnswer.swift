import Gateway
import HTTPTypes
import Hummingbird
import Wire

extension DispatchOutcome {
    /// What the client is told; 200 only where the gateway goes by the change.
    func answer() throws(HTTPError) -> Response {
        switch self {
        case .inForce(let note, let was, let unknown):
            let bytes = JSONWriter.answer { writer in
                writer.member("status", "in-force")
                writer.member("note", note)
                writer.height("was", was)
                if !unknown.isEmpty {
                    writer.name("unknown")
                    writer.array(unknown) { $0.string($1) }
                }
            }
            return .json(bytes)
        case .failed: throw HTTPError(.unprocessableContent, message: problem)
        case .refused: throw HTTPError(.badGateway, message: problem)
        case .notConnected, .storeFails, .busy: throw HTTPError(.serviceUnavailable, message: problem)
        case .timedOut: throw HTTPError(.gatewayTimeout, message: problem)
        }
    }

    /// In one sentence, what kept it from being in force.
    var problem: String {
        switch self {
        case .inForce: ""
        case .failed(let reason): "It is not used: \(reason)."
        case .refused(let reason): "The broker does not let the gateway publish there: \(reason)."
        case .notConnected: "The gateway is not connected to its broker; nothing was changed. Try again."
        case .storeFails: "The gateway's store does not work; nothing was changed. Try again."
        case .busy: "Too many changes are under way; nothing was changed. Try again."
        case .timedOut: "The broker has not sent it back yet; it may still come into force."
        }
    }
}
