import Fleet
import Gateway
import HTTPTypes
import Hummingbird
import Messages
import Store
import Wire

/// `GET` and `PUT /api/v1/alerts/{id}/handling`: who of dispatch sees to an alert.
struct HandlingRoutes {
    let view: LiveView
    let queue: HandlingQueue

    func addReading(to routes: some RouterMethods<ConsoleContext>) {
        routes.get("alerts/:id/handling") { request, context in
            _ = try RequestQuery(request, [])
            let id = try Request.decoded("id", context)
            guard let handling = try await view.known().handlings[id] else { throw HTTPError.unknown("handling") }
            let bytes = JSONWriter.answer { $0.members(of: handling) }
            return Response.tagged(
                bytes, Listing.json, for: request, tag: EntityTag(of: bytes, version: "\(handling.revision)"))
        }
    }

    func addChanges(to routes: some RouterMethods<ConsoleContext>) {
        routes.put("alerts/:id/handling") { request, context in
            _ = try RequestQuery(request, [])
            let id = try Request.decoded("id", context)
            let body = try await HandlingBody(request, context)
            guard let vehicle = try await view.known().vehicle(ofAlert: id) else { throw Self.unknown }
            let precondition = request.precondition
            let change = HandlingRequest(
                alert: id, vehicle: vehicle, status: body.status, by: body.by, note: body.note,
                isExpected: { precondition.isMet(by: $0.map { "\($0)" }) })
            return try Self.answer(await queue.put(change))
        }
    }

    private static func answer(_ outcome: HandlingOutcome) throws(HTTPError) -> Response {
        switch outcome {
        case .stored(let handling): return .json(JSONWriter.answer { $0.members(of: handling) })
        case .unknown: throw unknown
        case .changed: throw Precondition.failure(isThere: true)
        case .full:
            throw HTTPError(
                .conflict, message: "Too many alerts are taken; nothing was changed. Close some of them first.")
        case .unavailable:
            throw HTTPError(
                .serviceUnavailable,
                message: "The gateway does not take changes now; nothing was changed. Try again.")
        }
    }

    private static var unknown: HTTPError {
        HTTPError(
            .notFound,
            message: "There is no such alert that is open, taken or to be taken; somebody may have closed it.")
    }
}

extension LiveSnapshot {
    /// Of an alert that is open, taken or to be taken.
    fileprivate func vehicle(ofAlert id: String) -> VehicleID? {
        if let vehicle = handlings[id]?.vehicle ?? untaken.first(where: { $0.id == id })?.vehicle { return vehicle }
        return vehicles.first { _, vehicle in vehicle.snapshot.alerts.contains { $0.message.id == id } }?.key
    }
}
