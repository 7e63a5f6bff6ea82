import Broker
import Fleet
import Foundation
import PostgreSQLTestSupport
import RabbitMQTestSupport
import Store
import Testing

/// Two gateways that share a fleet over RabbitMQ and PostgreSQL.
struct ClusterGatewayTests {
    private static let queues = 4

    /// One cluster, under a prefix that no other test uses.
    private struct Cluster {
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

        func gateway(_ name: String) throws -> GatewayProcess {
            try GatewayProcess(
                scratch, broker: "mqtt://127.0.0.1:\(server.mqttPort)", access: ["protocol: 3.1.1"], roads: nil,
                name: name, clientID: "\(prefix)-\(name)", store: #"{url: "\#(store.url)"}"#,
                more: """
                    cluster: {url: "amqp://127.0.0.1:\(server.amqpPort)", queues: \(ClusterGatewayTests.queues)}
                    headroom: {topic: \(prefix)}
                    fleet: {topic: "\(fleet)/{v}"}
                    fixes: {reorder: 1 s, hysteresis_time: 2 s}
                    fences: [fences.geojson]
                    """)
        }

        func declare(_ gateway: GatewayProcess) async throws {
            let plan = try await run(
                Repository.program, ["cluster", "plan", "--apply", "--config", gateway.configuration], scratch)
            try #require(plan.status == 0, "\(plan.errors)")
        }

        func publish(_ messages: [FleetSpeaker.Message]) async throws {
            try await FleetSpeaker.publish(messages, port: server.mqttPort, version: .v311)
        }
    }

    /// Until it owns all queues.
    private func ownsAll(_ gateway: GatewayProcess, within limit: Duration) async throws {
        try await eventually(within: limit, "it does not own all queues: \(gateway.errors.suffix(2_000))") {
            gateway.errors.split(separator: "\n").count { $0.contains("owns the queue") } >= Self.queues
        }
    }

    @Test("A second gateway is given half of the queues, and all when the first stops; the status names their owners")
    func balance() async throws {
        let cluster = try await Cluster()
        let (north, south) = (try cluster.gateway("north"), try cluster.gateway("south"))
        try await cluster.declare(north)
        try await north.start()
        try await ownsAll(north, within: .seconds(20))
        try await south.start()
        func owned(_ gateway: GatewayProcess) async throws -> Int {
            try await gateway.metric("headroom_cluster_queue_owned").count
        }
        try await eventually(
            within: .seconds(40),
            "the queues are not divided: \(north.errors.suffix(3_000)) \(south.errors.suffix(1_000))"
        ) {
            let counts = (try await owned(north), try await owned(south))
            return counts == (2, 2)
        }
        try await eventually(within: .seconds(10), "not every shard is taken over") {
            let status = try await run(
                Repository.program, ["cluster", "status", "--config", north.configuration], cluster.scratch)
            let lines = status.output.split(separator: "\n")
            return status.status == 0
                && ["north", "south"].allSatisfy { name in
                    lines.count { $0.contains("owned by \(cluster.prefix)-\(name), epoch ") } == 2
                }
        }
        #expect(try await north.stop().status == 0)
        try await eventually(within: .seconds(10), "the queues of a gateway that has stopped are not taken") {
            try await owned(south) == Self.queues
        }
        #expect(try await south.metric("headroom_cluster_queue_lag_seconds").values.allSatisfy { $0 < 5 })
        #expect(try await south.stop().status == 0)
    }

    enum Loss: CaseIterable {
        case killed
        /// Until another one owns its queues; then it goes on, with all that it held.
        case frozen
    }

    @Test(
        """
        500 vehicles are told the same as by one gateway, each in order, though queues change hands and one of two gateways is \
        lost under load
        """,
        .timeLimit(.minutes(10)), arguments: Loss.allCases)
    func takeover(_ loss: Loss) async throws {
        let drive = BridgeDrive(vehicles: 500)
        let cluster = try await Cluster()
        let (north, south) = (try cluster.gateway("north"), try cluster.gateway("south"))
        try await cluster.declare(north)
        let listener = try await cluster.clients.listener(["\(cluster.fleet)/#"])
        try await north.start()
        try await ownsAll(north, within: .seconds(20))
        try await south.start()
        let whole = try await DepotScene()

        try await FleetSpeaker.publish(drive.beginning(), port: whole.broker.port)
        try await cluster.publish(drive.beginning(fleet: cluster.fleet, headroom: cluster.prefix))
        try await eventually(within: .seconds(30), "not all profiles are read: \(north.errors.suffix(800))") {
            var count = 0.0
            for gateway in [north, south] {
                count += try await gateway.metric("headroom_messages_received_total")[""] ?? 0
            }
            return count >= Double(drive.vehicles.count + Self.queues)
        }
        let fixes = DepotScene.drive(60, age: -40)
        for (number, fix) in fixes.enumerated() {
            func messages(_ fleet: String) -> [FleetSpeaker.Message] {
                drive.vehicles.map { FleetSpeaker.Message(topic: "\(fleet)/\($0)/location", payload: fix.json) }
            }
            try await FleetSpeaker.publish(messages("fleet"), port: whole.broker.port)
            try await cluster.publish(messages(cluster.fleet))
            guard number == 30 else { continue }
            switch loss {
            case .killed:
                try await north.stop(SIGKILL)
                try await ownsAll(south, within: .seconds(10))
            case .frozen:
                north.send(SIGSTOP)
                try await ownsAll(south, within: .seconds(20))
                north.send(SIGCONT)
            }
        }
        let expected = try await drive.said(to: whole.listener, within: .seconds(60))
        let said = try await drive.said(to: listener, within: .seconds(60))
        #expect(Set(said.keys) == Set(expected.keys))
        for vehicle in drive.vehicles {
            #expect(said[vehicle].map(Set.init) == expected[vehicle].map(Set.init), "\(vehicle)")
            #expect(BridgeDrive.isInOrder(said[vehicle] ?? []), "\(vehicle): \(said[vehicle] ?? [])")
        }
        #expect(expected.values.joined().count { $0.kind == "alert" } >= drive.vehicles.count / 10 * 9)
        #expect(expected.values.joined().count { $0.kind == "event" } >= 2 * drive.vehicles.count)
        let running = [whole.gateway, south] + (loss == .frozen ? [north] : [])
        for gateway in running { #expect(try await gateway.stop().status == 0) }
    }
}
