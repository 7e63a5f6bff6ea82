import Fleet
import FleetTestSupport
import Foundation
import Gateway
import GatewayTestSupport
import Logging
import Store

/// A gateway as it runs in production, on one simulated machine: engine, pipeline and store.
final class GatewayProcess {
    private let store: Store
    private var pipeline: Pipeline?
    let connection: TestConnection
    let shared = SharedState(version: "1")

    /// Opens the store; `restore` is still to be called.
    ///
    /// - Parameter pause: waits before a store that has failed is tried again; returns whether to try.
    init(
        _ configuration: GatewayConfiguration, _ scenario: Scenario, _ broker: TestBroker, _ clock: GatewayClock,
        pause: @escaping @Sendable (Duration) -> Bool
    ) throws {
        store = try Store(path: configuration.store, durability: configuration.durability)
        connection = broker.connection()
        let engine = Engine(
            configuration.engine, network: scenario.town.network, fences: scenario.town.fences,
            hazards: scenario.hazards)
        do {
            pipeline = try Pipeline(
                configuration, parts: [(engine, store)], connection: connection, shared: shared, clock: clock,
                storePause: pause, logger: Logger(label: "campaign") { _ in SwiftLogNoOpLogHandler() })
        } catch {
            try? store.close()
            throw error
        }
    }

    /// As `Gateway` does before its first pass.
    func restore() throws {
        try pipeline?.restore()
        try store.checkWritable()
        shared.readiness.setStoreProblem(nil)
        shared.readiness.set(.roadsLoaded, true)
    }

    func pass() throws { try pipeline?.pass() }
    func finish() throws { try pipeline?.finish() }

    /// How many messages are stored and not sent.
    var outboxCount: Int { store.outboxCount }

    /// What is stored of a retained input.
    func retained(_ topic: String) throws -> [UInt8]? { try store.retained(topic) }

    /// The files are left as they are, unless the process may still write them.
    func close() {
        pipeline = nil
        try? store.close()
    }
}
