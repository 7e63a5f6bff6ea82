import Broker
import Foundation
import Messages
import PostgreSQLTestSupport
import Store
import Testing

/// Two gateways that share a fleet over RabbitMQ and PostgreSQL.
struct ClusterGatewayTests {
    @Test("A second gateway is given half of the queues, and all when the first stops; the status names their owners")
    func balance() async throws {
        let cluster = try await GatewayCluster()
        let (north, south) = (try cluster.gateway("north"), try cluster.gateway("south"))
        try await cluster.start(north, south)
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
            try await cluster.owned(south) == GatewayCluster.queues
        }
        #expect(try await south.metric("headroom_cluster_queue_lag_seconds").values.allSatisfy { $0 < 5 })
        #expect(try await south.stop().status == 0)
    }

    @Test(
        "A message that RabbitMQ cannot deliver is put aside, and no other one is; the gateways go on",
        .timeLimit(.minutes(6)),
        arguments: [
            String(repeating: "\u{1D518}", count: 64) + "/location",
            "T1/" + String(repeating: "x", count: 260) + "/location",
        ])
    func undeliverable(topic: String) async throws {
        let cluster = try await GatewayCluster()
        let (north, south) = (try cluster.gateway("north"), try cluster.gateway("south"))
        try await cluster.start(north, south)
        func report(_ vehicles: Range<Int>) -> [FleetSpeaker.Message] {
            let fix = DepotScene.drive(1, age: 0)[0].json
            return vehicles.map { .init(topic: "\(cluster.fleet)/V\($0)/location", payload: fix) }
        }
        let poison = FleetSpeaker.Message(topic: "\(cluster.fleet)/\(topic)", payload: "{}")
        try await cluster.publish(report(0..<40) + [poison] + report(40..<80))
        try await eventually(within: .seconds(240), "not all others arrive: \(north.errors.suffix(2_000))") {
            var count = 0.0
            for gateway in [north, south] { count += try await gateway.metric("headroom_vehicles")[""] ?? 0 }
            return count == 80
        }
        try await eventually(within: .seconds(60), "it is not put aside, or not alone") {
            let status = try await run(
                Repository.program, ["cluster", "status", "--config", north.configuration], cluster.scratch)
            return status.status == 0 && status.output.contains("  1 put aside")
        }
        let doctor = try await run(
            Repository.program, ["doctor", "--config", north.configuration, "--listen", "0 s"], cluster.scratch)
        #expect(doctor.output.contains("look at them before you remove any"), "\(doctor)")
        for gateway in [north, south] { #expect(try await gateway.stop().status == 0) }
    }

    @Test(
        "After fleet.topic was changed vehicles keep their height, and those that refused consent stay unknown",
        .timeLimit(.minutes(4)))
    func otherTopic() async throws {
        let cluster = try await GatewayCluster()
        let (vehicles, silent) = ((1...20).map { "T\($0)" }, (1...20).map { "S\($0)" })
        func positions(_ fleet: String, age: Double) -> [FleetSpeaker.Message] {
            let fix = DepotScene.drive(1, age: age)[0].json
            return (vehicles + silent).map { .init(topic: "\(fleet)/\($0)/location", payload: fix) }
        }
        /// Until the vehicles are known, each with its height, and the positions of the others were refused.
        func knows(_ gateway: GatewayProcess) async throws {
            let console = ConsoleClient(gateway: gateway, scratch: cluster.scratch)
            try await eventually(within: .seconds(30), "not as said: \(gateway.errors.suffix(2_000))") {
                let refused = try await gateway.metric("headroom_rejected_total")["{reason=\"no-consent\"}"]
                let known = try await console.get("/vehicles?limit=1000").items
                let heights = known.compactMap { ($0["height"] as? [String: Any])?["value"] as? Double }
                return refused == 20 && known.count == 20 && heights == [Double](repeating: 3.9, count: 20)
            }
        }
        let before = try cluster.gateway("north")
        try await cluster.declare(before)
        try await before.start()
        try await cluster.ownsAll(before, within: .seconds(20))
        try await cluster.publish(
            vehicles.map { .init(topic: "\(cluster.fleet)/\($0)/profile", payload: #"{"height": "3.9 m"}"#) }
                + silent.map { .init(topic: "\(cluster.fleet)/\($0)/consent", payload: #"{"status": "denied"}"#) })
        try await eventually(within: .seconds(20), "not all is read: \(before.errors.suffix(800))") {
            try await before.metric("headroom_messages_received_total")[""] ?? 0 >= 40
        }
        try await cluster.publish(positions(cluster.fleet, age: 10))
        try await knows(before)
        #expect(try await before.stop().status == 0)

        let trucks = "\(cluster.prefix)/trucks"
        let after = try cluster.gateway("south", fleet: trucks)
        try await cluster.declare(after)
        try await after.start()
        try await cluster.ownsAll(after, within: .seconds(20))
        try await cluster.publish(positions(trucks, age: 5))
        try await knows(after)
        #expect(try await after.stop().status == 0)
    }

    @Test("A gateway whose database does not exist ends with exit 1, and consumes nothing")
    func noDatabase() async throws {
        let cluster = try await GatewayCluster()
        let other = cluster.store.url.replacing("@/postgres?", with: "@/nothing?")
        let gateway = try cluster.gateway("north", store: other)
        try await cluster.declare(try cluster.gateway("south"))
        try gateway.launch()
        #expect(try await gateway.end(within: .seconds(30)).status == 1)
        #expect(gateway.errors.contains("refuses the connection") && !gateway.errors.contains("owns the queue"))
    }

    @Test(
        "A gateway that PostgreSQL no longer lets in takes over nothing, says so, and leaves the queues to one that can",
        .timeLimit(.minutes(3)))
    func refused() async throws {
        let cluster = try await GatewayCluster()
        let role = "south_\(cluster.prefix)"
        try PostgreSQLServer.run("CREATE ROLE \(role) LOGIN SUPERUSER", at: cluster.store)
        let north = try cluster.gateway("north")
        let south = try cluster.gateway("south", store: cluster.store.url.replacing("postgres@", with: "\(role)@"))
        try await cluster.start(north, south)
        try PostgreSQLServer.run(
            "ALTER ROLE \(role) NOLOGIN; SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '\(role)'",
            at: cluster.store)
        try await north.stop(SIGKILL)
        try await eventually(within: .seconds(30), "it says nothing of its store: \(south.errors.suffix(2_000))") {
            let answer = try await south.get("/readyz")
            return answer.status == 503 && answer.body.contains("it refuses the connection")
        }
        try north.launch()
        try await cluster.ownsAll(north, within: .seconds(40))
        try PostgreSQLServer.run("ALTER ROLE \(role) LOGIN", at: cluster.store)
        try await south.becomeReady(within: .seconds(30))
        for gateway in [north, south] { #expect(try await gateway.stop().status == 0) }
    }

    @Test(
        "A gateway that starts while PostgreSQL can be read and not be written consumes nothing until it can",
        .timeLimit(.minutes(3)))
    func readOnly() async throws {
        let cluster = try await GatewayCluster()
        let role = "writer_\(cluster.prefix)"
        func set(onlyRead: Bool) throws {
            let setting = "ALTER ROLE \(role) SET default_transaction_read_only = \(onlyRead ? "on" : "off")"
            try PostgreSQLServer.run(setting, at: cluster.store)
        }
        try PostgreSQLServer.run("CREATE ROLE \(role) LOGIN SUPERUSER", at: cluster.store)
        try set(onlyRead: true)
        let north = try cluster.gateway("north", store: cluster.store.url.replacing("postgres@", with: "\(role)@"))
        try await cluster.declare(north)
        try north.launch()
        try await eventually(within: .seconds(30), "it says nothing of its store: \(north.errors.suffix(2_000))") {
            north.errors.contains("can be read and not be written")
        }
        let fix = DepotScene.drive(1, age: 0)[0].json
        try await cluster.publish((0..<20).map { .init(topic: "\(cluster.fleet)/V\($0)/location", payload: fix) })
        let answer = try await north.get("/readyz")
        #expect(answer.status == 503 && answer.body.contains("it can only be read"), "\(answer)")
        #expect(!north.errors.contains("owns the queue"))
        try set(onlyRead: false)
        try await north.becomeReady(within: .seconds(30))
        try await eventually(within: .seconds(30), "not all vehicles are known: \(north.errors.suffix(2_000))") {
            try await north.metric("headroom_vehicles")[""] == 20
        }
        #expect(try await north.stop().status == 0)
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
        let cluster = try await GatewayCluster()
        let roads = try await roads(of: BridgeDrive.map, named: "depot", cluster.scratch)
        let (north, south) = (try cluster.gateway("north", roads: roads), try cluster.gateway("south", roads: roads))
        try await cluster.declare(north)
        let listener = try await cluster.clients.listener(["\(cluster.fleet)/#"])
        try await north.start()
        try await cluster.ownsAll(north, within: .seconds(20))
        try await south.start()
        let whole = try await DepotScene(roads: roads)

        try await FleetSpeaker.publish(drive.beginning(), port: whole.broker.port)
        try await cluster.publish(drive.beginning(fleet: cluster.fleet, headroom: cluster.prefix))
        try await eventually(within: .seconds(30), "not all profiles are read: \(north.errors.suffix(800))") {
            var count = 0.0
            for gateway in [north, south] {
                count += try await gateway.metric("headroom_messages_received_total")[""] ?? 0
            }
            return count >= Double(drive.vehicles.count * 6 / 5 + GatewayCluster.queues)
        }
        var time = Timestamp.now
        for (number, place) in DepotScene.drive(60).enumerated() {
            // A second after the one before; or later, where so many take longer, for alerts are about fixes of the last minute.
            time = max(time.adding(1), .now)
            var fix = place
            fix.time = time
            let report = fix.json
            func messages(_ fleet: String) -> [FleetSpeaker.Message] {
                drive.vehicles.map { FleetSpeaker.Message(topic: "\(fleet)/\($0)/location", payload: report) }
            }
            try await FleetSpeaker.publish(messages("fleet"), port: whole.broker.port)
            try await cluster.publish(messages(cluster.fleet))
            guard number == 30 else { continue }
            switch loss {
            case .killed:
                try await north.stop(SIGKILL)
                try await cluster.ownsAll(south, within: .seconds(10))
            case .frozen:
                north.send(SIGSTOP)
                try await cluster.ownsAll(south, within: .seconds(20))
                north.send(SIGCONT)
            }
        }
        let expected = try await drive.said(to: whole.listener, within: .seconds(60))
        let said = try await drive.said(to: listener, within: .seconds(60))
        #expect(Set(said.keys) == Set(expected.keys))
        let others = drive.vehicles.filter { said[$0].map(Set.init) != expected[$0].map(Set.init) }
        #expect(others == [], "\(others.prefix(1).map { (said[$0], expected[$0]) })")
        let disordered = drive.vehicles.filter { !BridgeDrive.isInOrder(said[$0] ?? []) }
        #expect(disordered == [], "\(disordered.prefix(1).map { said[$0] })")
        #expect(expected.values.joined().count { $0.kind == "alert" } >= drive.vehicles.count / 10 * 9)
        #expect(expected.values.joined().count { $0.kind == "event" } >= 2 * drive.vehicles.count)
        // The route goes around the bridge.
        let attentions = Set(
            drive.routed.map { expected[$0, default: []].filter { $0.kind == "alert" }.compactMap(\.attention) })
        #expect(attentions == [["notice", "alarm", "alarm"]])
        let routed = Set(drive.routed)
        #expect(expected.allSatisfy { routed.contains($0.key) || !$0.value.contains { $0.attention == "notice" } })
        let running = [whole.gateway, south] + (loss == .frozen ? [north] : [])
        for gateway in running { #expect(try await gateway.stop().status == 0) }
    }
}
