import Fleet
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
    let publisher: InputPublisher
    let topics: VehicleTopics

    func add(to routes: some RouterMethods<ConsoleContext>) {
        routes.get("cab") { request, context in
            _ = try RequestQuery(request, [])
            return Response.json(await summary(of: try context.pairedCab.vehicle))
        }
        routes.post("cab/fixes") { try await publish($0, $1, .location, isRetained: false) }
        routes.post("cab/ack") { try await publish($0, $1, .ack, isRetained: false) }
        for input in [TopicSuffix.profile, .consent, .presence] {
            routes.put("cab/\(input.rawValue)") { try await publish($0, $1, input, isRetained: true) }
        }
    }

    private func summary(of vehicle: VehicleID) async -> [UInt8] {
        let known = await view.snapshot().vehicles[vehicle]?.snapshot
        let state = known?.state
        return JSONWriter.answer { writer in
            writer.member("vehicle", vehicle.text)
            writer.name("state")
            if let state {
                writer.object { $0.members(of: state, vehicle, publishedAt: state.time) }
            } else {
                writer.null()
            }
            writer.name("height")
            if let known { known.writeHeight(&writer, known.writeProfile) } else { writer.null() }
            // What dispatch notes of them is not the driver's.
            writer.member("alerts", each: known?.alerts ?? []) { writer, alert in
                writer.object { alert.write(&$0, units: nil, handling: nil) }
            }
        }
    }

    /// Answers once the broker has it and it has come back from there, so that nothing of it can be lost any more.
    private func publish(
        _ request: Request, _ context: ConsoleContext, _ input: TopicSuffix, isRetained: Bool
    ) async throws -> Response {
        let topic = try await topics.topic(of: input, try context.pairedCab.vehicle)
        let body = try await VehicleInputBody(request, context, on: topic, isRetained: isRetained, topics.pattern)
        return try await publisher.put(body.bytes, on: topic, isRetained: isRetained).answer()
    }
}
