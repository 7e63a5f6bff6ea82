import Fleet
import Foundation
import Geo
import Messages
import Testing

/// Brokers that speak MQTT 3.1.1, and one of other making than Mosquitto.
struct OtherBrokerEndToEndTests {
    private struct Scene {
        let scratch: Scratch
        let broker: BrokerProcess
        let gateway: GatewayProcess
        let listener: Listener

        init(_ kind: BrokerProcess.Kind, clientID: String = "gateway") async throws {
            scratch = try Scratch()
            broker = try await BrokerProcess.started(scratch, kind)
            gateway = try GatewayProcess(
                scratch, broker: broker.url, access: ["protocol: 3.1.1"], roads: try await demoRoads(scratch),
                clientID: clientID, more: "fixes: {reorder: 1 s, hysteresis_time: 2 s}")
            listener = try await broker.listener(["fleet/#", "headroom/#"])
        }

        var statuses: [String] {
            listener.heard("headroom/status/gateway").compactMap { $0.object?["status"] as? String }
        }
    }

    @Test(
        "Over MQTT 3.1.1 the demo's truck is told every stage once, over a stop and a kill of the gateway",
        .timeLimit(.minutes(6)), arguments: [BrokerProcess.Kind.nats, .mosquitto])
    func stages(kind: BrokerProcess.Kind) async throws {
        let scene = try await Scene(kind)
        // Retained before the gateway is there: without it the truck would be judged as assumed.
        try await scene.broker.publish("fleet/T42/profile", DemoTruck.profile, retain: true)
        try await scene.gateway.start()
        try await RushingTruck(scene.broker, scene.gateway).driveOverStopAndKill(scene.listener)
        // A clean stop publishes `offline`, and the will does after a kill.
        try await eventually(within: .seconds(5), "status: \(scene.statuses)") {
            scene.statuses == ["online", "offline", "online", "offline", "online"]
        }
        #expect(!scene.gateway.errors.contains("error"), "\(scene.gateway.errors)")
        #expect(try await scene.gateway.stop().status == 0)
    }

    @Test("A broker that does not speak MQTT 5 ends the gateway with 1, and the message names the setting")
    func version() async throws {
        let scratch = try Scratch()
        let broker = try await BrokerProcess.started(scratch, .nats)
        let gateway = try GatewayProcess(scratch, broker: broker.url, roads: nil)
        try gateway.launch()
        #expect(try await gateway.end(within: .seconds(10)).status == 1)
        #expect(gateway.errors.contains("set `broker.protocol`"), "\(gateway.errors)")
    }

    @Test(
        "In a new session what is retained is found again, and a fence that the broker has no more is kept and retained anew",
        .timeLimit(.minutes(6)), arguments: [BrokerProcess.Kind.nats, .mosquitto])
    func newSession(kind: BrokerProcess.Kind) async throws {
        let scene = try await Scene(kind)
        let fence = #"""
            {"type": "Feature", "geometry": {"type": "Point", "coordinates": [-83.7290, 42.2803]},
             "properties": {"radius": 200}}
            """#
        try await scene.gateway.start()
        for id in ["kept", "lost"] {
            try await scene.broker.publish("headroom/fences/\(id)", fence, retain: true)
            try await eventually(within: .seconds(5), "no answer") {
                !scene.listener.heard("headroom/fences/\(id)/result").isEmpty
            }
        }
        try await scene.gateway.stop()
        try await scene.broker.publish("headroom/fences/lost", "", retain: true)

        // Another client id is another session, to which nothing of the old one is sent.
        let heir = try GatewayProcess(
            scene.scratch, broker: scene.broker.url, access: ["protocol: 3.1.1"], roads: nil, name: "heir",
            store: "gateway.sqlite", more: "fixes: {reorder: 1 s}")
        try await heir.start()
        let fix = Fix(position: Coordinate(latitude: 42.2803, longitude: -83.7290), time: Timestamp.now, accuracy: 5)
        try await scene.broker.publish("fleet/T42/location", fix.json)
        let told = {
            let events = scene.listener.heard("fleet/T42/event").compactMap { $0.object?["fence"] as? [String: Any] }
            return Set(events.compactMap { $0["id"] as? String })
        }
        try await eventually(within: .seconds(10), "told: \(told()); \(heir.errors)") { told() == ["kept", "lost"] }
        // What is in force already is not answered again.
        for id in ["kept", "lost"] { #expect(scene.listener.heard("headroom/fences/\(id)/result").count == 1) }
        try await eventually(within: .seconds(5), "still missing") {
            try await heir.metric("headroom_retained_missing").isEmpty
        }
        #expect(try await heir.metric("headroom_retained_republished_total") == ["": 1])
        let retained = try await scene.broker.listener(["headroom/fences/+"])
        #expect(Set(retained.heard.map(\.topic)) == ["headroom/fences/kept", "headroom/fences/lost"])
        #expect(try await heir.get("/readyz").body.contains(#""degraded":[]"#))
        try await heir.stop()
    }

    @Test(
        """
        Mosquitto ends the connection under MQTT 3.1.1 for a message that is longer than it takes: that one is put aside, and the \
        gateway goes on
        """,
        .timeLimit(.minutes(6)))
    func tooLong() async throws {
        let scratch = try Scratch()
        let port = try LoopbackPort.free()
        let broker = try BrokerProcess(
            scratch, port: port, configuration: BrokerProcess.mosquitto(port: port) + "max_packet_size 3000")
        try await broker.start()
        let center = Coordinate(latitude: 42.2803, longitude: -83.7290)
        let fences = (0..<60).map { number in
            """
            {"type": "Feature", "id": "fence-\(number)-\(String(repeating: "x", count: 60))", "properties": {"radius": 200},
             "geometry": {"type": "Point", "coordinates": [\(center.longitude), \(center.latitude)]}}
            """
        }
        _ = try scratch.write(
            #"{"type": "FeatureCollection", "features": [\#(fences.joined(separator: ",\n"))]}"#, to: "fences.geojson")
        let gateway = try GatewayProcess(
            scratch, broker: broker.url, access: ["protocol: 3.1.1"], roads: nil,
            more: "fixes: {reorder: 1 s}\nfences: [fences.geojson]")
        let listener = try await broker.listener(["fleet/#"])
        try await gateway.start()
        func report(_ vehicles: ClosedRange<Int>, at place: Coordinate) async throws {
            let fix = Fix(position: place, time: .now, accuracy: 5)
            for number in vehicles { try await broker.publish("fleet/T\(number)/location", fix.json) }
        }
        try await report(1...3, at: center)
        try await report(4...6, at: Coordinate(latitude: 42.3, longitude: -83.7))
        try await eventually(within: .seconds(60), "put aside: \(gateway.errors.suffix(2_000))") {
            try await gateway.metric("headroom_quarantined_total")[#"{kind="message"}"#, default: 0] >= 6
        }
        #expect(listener.heard.allSatisfy { $0.payload.utf8.count < 3_000 })
        // All that is not too long has come, and goes on coming.
        try await eventually(within: .seconds(30), "\(gateway.errors.suffix(2_000))") {
            let entered = (1...3).allSatisfy { listener.heard("fleet/T\($0)/event").count == 60 }
            return entered && (4...6).allSatisfy { !listener.heard("fleet/T\($0)/state").isEmpty }
        }
        try await report(7...7, at: Coordinate(latitude: 42.3, longitude: -83.7))
        try await eventually(within: .seconds(30), "\(gateway.errors.suffix(2_000))") {
            try await gateway.get("/readyz").status == 200 && !listener.heard("fleet/T7/state").isEmpty
        }
        let ends = gateway.errors.split(separator: "\n").count { $0.contains("No connection to the broker") }
        // One that sends the first, three until one at a time is sent, three until it is known which it is, one for each of two others;
        // from then on the length is.
        #expect(ends <= 12, "\(gateway.errors)")
        #expect(try await gateway.stop().status == 0)
    }
}
