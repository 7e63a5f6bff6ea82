import Fleet
import Gateway
import HTTPTypes
import Hummingbird
import Messages
import NIOCore
import Roads
import Wire

/// `PUT` and `DELETE` of fences, clearances and height profiles: each is published to its retained topic, and answered once it
/// has come back and is in force.
struct DispatchRoutes {
    let view: LiveView
    let publisher: RetainedPublisher
    let topics: GatewayTopics
    let pattern: TopicPattern

    func add(to routes: some RouterMethods<ConsoleContext>) {
        routes.put("fences/:id") { request, context in
            let id = try Self.entryID(context)
            return try await put(try await FenceBody(request, context, id: id).bytes, on: topics.fence(id))
        }
        routes.put("clearances/:id") { request, context in
            let id = try Self.entryID(context)
            return try await put(try await ClearanceBody(request, context, id: id).bytes, on: topics.clearance(id))
        }
        routes.put("vehicles/:vehicle/profile") { request, context in
            let topic = try await profileTopic(context)
            return try await put(try await ProfileBody(request, context, topic: topic, pattern).bytes, on: topic)
        }
        routes.delete("fences/:id") { _, context in try await removeFence(context) }
        routes.delete("clearances/:id") { _, context in try await removeClearance(context) }
        routes.delete("vehicles/:vehicle/profile") { _, context in
            try await put([], on: try await profileTopic(context))
        }
        routes.delete("fences") { request, _ in try await FenceRemoval(self, request).answer() }
    }

    private func put(_ payload: [UInt8], on topic: String) async throws -> Response {
        try await publisher.put(payload, on: topic).answer()
    }

    // MARK: Taking back

    private func removeFence(_ context: ConsoleContext) async throws -> Response {
        let id = try Self.entryID(context)
        guard let origin = await view.snapshot().map.fences[id]?.origin else { throw HTTPError.unknown("fence") }
        guard origin == .topic else { throw Self.standsInFile("fence") }
        let outcome = await publisher.put([], on: topics.fence(id))
        return try await noting(outcome) { $0.fences[id]?.origin == .file }.answer()
    }

    private func removeClearance(_ context: ConsoleContext) async throws -> Response {
        let id = try Self.entryID(context)
        guard let origin = await view.snapshot().map.clearances[id]?.origin else {
            throw HTTPError.unknown("clearance")
        }
        guard origin == .topic else { throw Self.standsInFile("clearance") }
        let outcome = await publisher.put([], on: topics.clearance(id))
        return try await noting(outcome) { $0.clearances[id]?.origin == .file }.answer()
    }

    /// - Parameter isBack: whether what a file says under the same id holds again.
    private func noting(_ outcome: DispatchOutcome, _ isBack: (MapSnapshot) -> Bool) async -> DispatchOutcome {
        guard case .inForce(note: nil, _, _) = outcome, isBack(await view.snapshot().map) else { return outcome }
        return .inForce(note: "what a file of the gateway says under this id holds again")
    }

    private static func standsInFile(_ kind: String) -> HTTPError {
        HTTPError(
            .conflict, message: "This \(kind) stands in a file of the gateway; who can write that can take it back.")
    }

    // MARK: Where things are kept

    private static func entryID(_ context: ConsoleContext) throws(HTTPError) -> String {
        let id = try Request.decoded("id", context)
        guard Fence.isValidID(id) else {
            throw .unprocessable(
                "Expected an id of 1 to 128 bytes without / + # and control characters, got \"\(id.prefix(64))\".")
        }
        return id
    }

    /// The topic of a vehicle's profile; of a vehicle that was never heard of only where its id alone says the topic.
    private func profileTopic(_ context: ConsoleContext) async throws -> String {
        let id = try Request.decoded("vehicle", context)
        guard let vehicle = VehicleID(id) else {
            throw HTTPError.unprocessable(
                "Expected a vehicle id of 1 to 64 characters without / + #, got \"\(id.prefix(64))\".")
        }
        let known = await view.snapshot().vehicles[vehicle]?.snapshot.address
        let address = known ?? VehicleAddress(vehicle: vehicle)
        guard let topic = pattern.topic(for: address, .profile) ?? pattern.topic(for: .init(vehicle: vehicle), .profile)
        else {
            let message = "This vehicle was not heard of yet under \(pattern), so its other levels are not known."
            throw HTTPError(.notFound, message: message)
        }
        return topic
    }
}

extension HTTPError {
    static func unprocessable(_ message: String) -> HTTPError { HTTPError(.unprocessableContent, message: message) }
}
