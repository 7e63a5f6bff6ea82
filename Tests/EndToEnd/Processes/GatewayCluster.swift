import Broker
import Foundation
import PostgreSQLTestSupport
import RabbitMQTestSupport
import Store
import Testing

/// Gateways that share a fleet over RabbitMQ and PostgreSQL, under a prefix that no other test uses.
struct GatewayCluster {
    static let queues = 4

    let scratch: Scratch
    let server: RabbitMQServer
    let prefix = "g" + UUID().uuidString.prefix(8).lowercased()
    let store: PostgreSQLAddress
    let clients: BrokerClients
    var fleet: String { "\(prefix)/fleet" }

    init() async throws {
        scratch = try Scratch()
        server = try RabbitMQServer.shared.get()
        store = try PostgreSQLServer.shared.get().newSchema()
        clients = BrokerClients(
            options: ["-h", "127.0.0.1", "-p", "\(server.mqttPort)", "-V", "311"], scratch: scratch)
        _ = try scratch.write(DepotScene.depot, to: "fences.geojson")
    }

    /// - Parameters:
    ///   - roads: a road file; nil: none.
    ///   - store: a database's address; nil: the cluster's.
    ///   - fleet: what the vehicles' topics begin with; nil: the cluster's `fleet`.
    func gateway(_ name: String, roads: String? = nil, store: String? = nil, fleet: String? = nil) throws
        -> GatewayProcess
    {
        try GatewayProcess(
            scratch, broker: "mqtt://127.0.0.1:\(server.mqttPort)", access: ["protocol: 3.1.1"], roads: roads,
            name: name, clientID: "\(prefix)-\(name)", store: #"{url: "\#(store ?? self.store.url)"}"#,
            more: """
                cluster: {url: "amqp://127.0.0.1:\(server.amqpPort)", queues: \(Self.queues)}
                headroom: {topic: \(prefix)}
                fleet: {topic: "\(fleet ?? self.fleet)/{v}"}
                fixes: {reorder: 1 s, hysteresis_time: 2 s}
                fences: [fences.geojson]
                """)
    }

    /// Declares the queues, and starts two gateways, each with half of them.
    func start(_ first: GatewayProcess, _ second: GatewayProcess) async throws {
        try await declare(first)
        try await first.start()
        try await ownsAll(first, within: .seconds(20))
        try await second.start()
        try await eventually(within: .seconds(40), "the queues are not divided: \(first.errors.suffix(3_000))") {
            let counts = (try await owned(first), try await owned(second))
            return counts == (Self.queues / 2, Self.queues / 2)
        }
    }

    func declare(_ gateway: GatewayProcess) async throws {
        // While its machine is busy RabbitMQ gives queues up that it has begun to make.
        var errors = ""
        try await eventually(within: .seconds(60), "the plan cannot be applied: \(errors)") {
            let plan = try await run(
                Repository.program, ["cluster", "plan", "--apply", "--config", gateway.configuration], scratch)
            errors = plan.errors
            return plan.status == 0
        }
    }

    func publish(_ messages: [FleetSpeaker.Message]) async throws {
        try await FleetSpeaker.publish(messages, port: server.mqttPort, version: .v311)
    }

    /// How many queues it owns.
    func owned(_ gateway: GatewayProcess) async throws -> Int {
        try await gateway.metric("headroom_cluster_queue_owned").count
    }

    /// Until it owns all queues.
    func ownsAll(_ gateway: GatewayProcess, within limit: Duration) async throws {
        try await eventually(within: limit, "it does not own all queues: \(gateway.errors.suffix(2_000))") {
            gateway.errors.split(separator: "\n").count { $0.contains("owns the queue") } >= Self.queues
        }
    }
}
