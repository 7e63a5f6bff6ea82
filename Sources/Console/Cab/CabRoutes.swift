import Gateway
import HTTPTypes
import Hummingbird
import Messages
import Store
import Wire

/// What a paired phone may do: publish what its vehicle says, and read what the vehicle is told. Every route speaks for the
/// vehicle of the token and for no other.
struct CabRoutes {
    let view: LiveView
    let fleetLanguage: Language
    let publisher: InputPublisher
    let topics: VehicleTopics

    func add(to routes: some RouterMethods<ConsoleContext>) {
        routes.get("cab") { request, context in
            _ = try RequestQuery(request, [])
            return Response.json(
                try await CabSummary(vehicle: try context.pairedCab.vehicle, view: view, fleetLanguage: fleetLanguage)
                    .json())
        }
        routes.post("cab/fixes") { try await publish($0, $1, .location, isRetained: false) }
        routes.post("cab/ack") { try await publish($0, $1, .ack, isRetained: false) }
        for input in [TopicSuffix.profile, .consent, .presence] {
            routes.put("cab/\(input.rawValue)") { try await publish($0, $1, input, isRetained: true) }
        }
    }

    /// Answers once the broker has it and it has come back from there, so that nothing of it can be lost any more.
    private func publish(
        _ request: Request, _ context: ConsoleContext, _ input: TopicSuffix, isRetained: Bool
    ) async throws -> Response {
        _ = try RequestQuery(request, [])
        let topic = try await topics.topic(of: input, try context.pairedCab.vehicle)
        let body = try await VehicleInputBody(request, context, on: topic, isRetained: isRetained, topics.pattern)
        let outcome =
            isRetained
            ? await publisher.putEntry(body.bytes, on: topic) : await publisher.putMessage(body.bytes, on: topic)
        return try outcome.answer()
    }
}
