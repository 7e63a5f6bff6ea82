import Fleet
import Gateway
import HTTPTypes
import Hashing
import Hummingbird
import Messages
import Wire

/// `DELETE /api/v1/fences`: takes back all fences that dispatch has entered, or those of a group.
struct FenceRemoval {
    /// Under way at once: as many as the gateway hands to the broker.
    private static let atOnce = 100

    private let routes: DispatchRoutes
    private let group: String?

    init(_ routes: DispatchRoutes, _ request: Request) throws {
        self.routes = routes
        group = try RequestQuery(request, ["group"])
            .textNotEmpty("group", expected: "a group's name, or no such parameter for all fences")
    }

    func answer() async throws -> Response {
        let fences = try await routes.view.knownWithMap().map.fences.values.filter { fence in
            group.map(fence.fence.groups.contains) ?? true
        }.sorted { $0.fence.$id < $1.fence.$id }
        let outcomes = await remove(fences.filter { $0.origin == .topic }.map(\.fence.$id))
        // Nothing was done, and for one reason: that is no answer but a failure.
        if let first = outcomes.values.first, first != .inForce(note: nil), outcomes.values.allSatisfy({ $0 == first })
        {
            return try first.answer()
        }
        let bytes = JSONWriter.answer { writer in
            let ids = fences.map(\.fence.$id)
            writer.member("removed", each: ids.filter { outcomes[$0]?.isInForce ?? false }) { writer, id in
                writer.string(id.wrappedValue)
            }
            writer.member("kept", each: ids.filter { !(outcomes[$0]?.isInForce ?? false) }) { writer, id in
                writer.object { writer in
                    writer.member("id", id.wrappedValue)
                    writer.member("reason", outcomes[id]?.problem ?? "It comes from a file of the gateway.")
                }
            }
        }
        return .json(bytes)
    }

    private func remove(_ ids: [BytewiseText]) async -> [BytewiseText: DispatchOutcome] {
        await withTaskGroup(of: (BytewiseText, DispatchOutcome).self) { group in
            var waiting = ids.makeIterator()
            var outcomes: [BytewiseText: DispatchOutcome] = [:]
            func start(_ id: BytewiseText) {
                group.addTask { (id, await routes.publisher.putEntry([], on: routes.topics.fence(id.wrappedValue))) }
            }
            for _ in 0..<Self.atOnce { if let id = waiting.next() { start(id) } }
            for await (id, outcome) in group {
                outcomes[id] = outcome
                if let id = waiting.next() { start(id) }
            }
            return outcomes
        }
    }
}

extension DispatchOutcome {
    fileprivate var isInForce: Bool { if case .inForce = self { true } else { false } }
}
