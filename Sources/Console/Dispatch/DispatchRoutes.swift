import Fleet
import Gateway
import HTTPTypes
import Hashing
import Hummingbird
import Messages
import NIOCore
import Roads
import Wire

/// `PUT` and `DELETE` of fences, clearances, height profiles and routes: each is published to its retained topic, and answered
/// once it has come back and is in force.
struct DispatchRoutes {
    let view: LiveView
    let mapCache: MapCache
    let publisher: InputPublisher
    let topics: GatewayTopics
    let vehicleTopics: VehicleTopics

    func add(to routes: some RouterMethods<ConsoleContext>) {
        routes.put("fences/:id") { request, context in
            _ = try RequestQuery(request, [])
            let id = try Self.entryID(context)
            let body = try await FenceBody(request, context, id: id)
            return try await put(body.bytes, on: topics.fence(id), request) { try await fenceVersion(id) }
        }
        routes.put("clearances/:id") { request, context in
            _ = try RequestQuery(request, [])
            let id = try Self.entryID(context)
            let body = try await ClearanceBody(request, context, id: id)
            return try await put(body.bytes, on: topics.clearance(id), request) { try await clearanceVersion(id) }
        }
        for input in [TopicSuffix.profile, .route] {
            routes.put("vehicles/:vehicle/\(input.rawValue)") { request, context in
                _ = try RequestQuery(request, [])
                let (vehicle, topic) = try await place(of: input, context)
                let body = try await VehicleInputBody(request, context, on: topic, vehicleTopics.pattern)
                return try await put(body.bytes, on: topic, request) { await version(of: input, vehicle) }
            }
            routes.delete("vehicles/:vehicle/\(input.rawValue)") { request, context in
                _ = try RequestQuery(request, [])
                let (vehicle, topic) = try await place(of: input, context)
                return try await put([], on: topic, request) { await version(of: input, vehicle) }
            }
        }
        routes.delete("fences/:id") { request, context in try await removeFence(request, context) }
        routes.delete("clearances/:id") { request, context in try await removeClearance(request, context) }
        routes.delete("fences") { request, _ in try await FenceRemoval(self, request).answer() }
    }

    /// - Parameter version: of what there is; nil: there is nothing.
    private func put(
        _ payload: [UInt8], on topic: String, _ request: Request, version: () async throws -> String?
    ) async throws -> Response {
        try await publisher.putEntry(payload, on: topic) { try request.requireMatch(await version()) }.answer()
    }

    // MARK: Taking back

    private func removeFence(_ request: Request, _ context: ConsoleContext) async throws -> Response {
        _ = try RequestQuery(request, [])
        let id = try Self.entryID(context)
        let key = BytewiseText(id)
        let outcome = try await publisher.putEntry([], on: topics.fence(id)) {
            guard let origin = try await map.fences[key]?.origin else { throw HTTPError.unknown("fence") }
            guard origin == .topic else { throw Self.standsInFile("fence") }
            try request.requireMatch(await fenceVersion(id))
        }
        return try await noting(outcome) { $0.fences[key]?.origin == .file }.answer()
    }

    private func removeClearance(_ request: Request, _ context: ConsoleContext) async throws -> Response {
        _ = try RequestQuery(request, [])
        let id = try Self.entryID(context)
        let key = BytewiseText(id)
        let outcome = try await publisher.putEntry([], on: topics.clearance(id)) {
            guard let origin = try await map.clearances[key]?.origin else { throw HTTPError.unknown("clearance") }
            guard origin == .topic else { throw Self.standsInFile("clearance") }
            try request.requireMatch(await clearanceVersion(id))
        }
        return try await noting(outcome) { $0.clearances[key]?.origin == .file }.answer()
    }

    /// - Parameter isBack: whether what a file says under the same id holds again.
    private func noting(_ outcome: DispatchOutcome, _ isBack: (MapSnapshot) -> Bool) async -> DispatchOutcome {
        guard case .inForce(note: nil, _, _) = outcome, isBack(await view.snapshot().map) else { return outcome }
        return .inForce(note: "what a file of the gateway says under this id holds again")
    }

    private static func standsInFile(_ kind: String) -> HTTPError {
        HTTPError(
            .conflict, message: "This \(kind) comes from a file of the gateway; remove it there.")
    }

    // MARK: What there is, as a change may name it; nil: nothing

    /// A snapshot of a moment ago might lack the change of somebody else that is not to be overwritten.
    private var current: LiveSnapshot {
        get async { await view.snapshot(noOlderThan: .zero) }
    }

    private var map: MapSnapshot {
        get async throws { try await view.knownWithMap(noOlderThan: .zero).map }
    }

    private func fenceVersion(_ id: String) async throws -> String? {
        try await map.fences[BytewiseText(id)].map { FenceList.Item($0).version }
    }

    private func clearanceVersion(_ id: String) async throws -> String? {
        let list = try await mapCache.clearances(map)
        return list.withID(id).first.map(list.version)
    }

    private func version(of input: TopicSuffix, _ vehicle: VehicleID) async -> String? {
        let snapshot = await current.vehicles[vehicle]?.snapshot
        return input == .route ? snapshot?.routeVersion : snapshot?.profileVersion
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

    private func place(
        of input: TopicSuffix, _ context: ConsoleContext
    ) async throws -> (vehicle: VehicleID, topic: String) {
        let vehicle = try VehicleTopics.vehicle(try Request.decoded("vehicle", context))
        return (vehicle, try await vehicleTopics.topic(of: input, vehicle))
    }
}

extension HTTPError {
    static func unprocessable(_ message: String) -> HTTPError { HTTPError(.unprocessableContent, message: message) }
}
