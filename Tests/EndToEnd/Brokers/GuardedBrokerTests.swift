import Evaluation
import Fleet
import Foundation
import Messages
import Testing

/// The broker configuration that is shipped: who may say and hear what, over TLS.
struct GuardedBrokerEndToEndTests {
    private static let fence = #"""
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [-83.7290, 42.2803]}, "properties": {"radius": 200}}
        """#

    private func state(_ vehicle: String, in listener: Listener) -> [String: Any]? {
        listener.heard("fleet/\(vehicle)/state").last?.object
    }

    @Test(
        "A truck may publish and subscribe to its own topics only; dispatch may subscribe to all",
        .timeLimit(.minutes(6)))
    func rules() async throws {
        let broker = try await GuardedBroker(try Scratch())
        let gateway = try await broker.gateway()
        try await gateway.start()
        let gatekeeper = broker.operators(as: "headroom")
        let dispatch = try await broker.operators(as: "dispatch").listener(
            ["fleet/#", "headroom/#"], sign: "fleet/none/request", herald: gatekeeper)
        let neighbour = try await broker.clients(of: "T43").listener(
            ["fleet/#", "headroom/#"], sign: "fleet/T43/request", herald: gatekeeper)

        let truck = broker.clients(of: "T42")
        try await truck.publish("fleet/T42/profile", DemoTruck.profile, retain: true)
        let fix = Fix(position: try DemoTruck().trip.place(at: 1).position, time: .now)
        try await truck.publish("fleet/T42/location", fix.json)
        for topicSuffix in ["location", "profile", "route", "consent", "presence", "ack", "alert", "state"] {
            let denied = try await truck.published("fleet/T43/\(topicSuffix)", fix.json)
            #expect(denied.errors.contains("Not authorized"), "\(topicSuffix): \(denied.errors)")
        }
        for topic in ["fleet/T42/alert", "fleet/T42/state", "headroom/fences/mine", "headroom/status/headroom"] {
            let denied = try await truck.published(topic, "{}")
            #expect(denied.errors.contains("Not authorized"), "\(topic): \(denied.errors)")
        }
        try await eventually(within: .seconds(10), "no state: \(dispatch.heard)") {
            (self.state("T42", in: dispatch)?["height"] as? [String: Any])?["value"] as? Double == 4.12
        }
        #expect(try await gateway.metric("headroom_fixes_total") == ["": 1])
        // Its own, and whether the gateway is there.
        #expect(Set(neighbour.heard.map(\.topic)) == ["headroom/status/headroom"])

        let own = try await truck.listener(["fleet/#"], sign: "fleet/T42/request", herald: gatekeeper)
        try await eventually(within: .seconds(5), "its state does not come: \(own.heard)") {
            self.state("T42", in: own) != nil
        }
        try await gateway.stop()
    }

    @Test("Dispatch enters fences, heights and routes, and no fixes or answers", .timeLimit(.minutes(6)))
    func dispatch() async throws {
        let broker = try await GuardedBroker(try Scratch())
        let gateway = try await broker.gateway()
        try await gateway.start()
        let listener = try await broker.operators(as: "dispatch").listener(
            ["headroom/#", "fleet/#"], sign: "fleet/none/request", herald: broker.operators(as: "headroom"))
        let dispatch = broker.clients(of: "dispatch")
        try await dispatch.publish("headroom/fences/depot", Self.fence, retain: true)
        try await dispatch.publish("fleet/T42/profile", DemoTruck.profile, retain: true)
        try await eventually(within: .seconds(10), "no answer: \(listener.heard)") {
            listener.heard("headroom/fences/depot/result").map(\.payload) == [#"{"status":"monitoring"}"#]
        }
        for topic in ["fleet/T42/location", "fleet/T42/consent", "fleet/T42/alert", "headroom/fences/depot/result"] {
            let denied = try await dispatch.published(topic, "{}")
            #expect(denied.errors.contains("Not authorized"), "\(topic): \(denied.errors)")
        }
        // The fence is known again after broker and gateway were away.
        try await gateway.stop()
        try await broker.stop()
        try await broker.start()
        try await gateway.start()
        let retained = try await broker.clients(of: "dispatch").listener(
            ["headroom/fences/+"], sign: "fleet/none/request", herald: broker.operators(as: "headroom"))
        #expect(retained.heard.map(\.topic) == ["headroom/fences/depot"])
        try await gateway.stop()
    }

    @Test(
        "The broker refuses a connection without a password, and one with the gateway's client id",
        .timeLimit(.minutes(6)))
    func sessions() async throws {
        let broker = try await GuardedBroker(try Scratch())
        let gateway = try await broker.gateway()
        try await gateway.start()
        let wrong = try await broker.clients(of: "T42", password: "guessed").published("fleet/T42/ack", "{}")
        #expect(wrong.status != 0)
        let rival = broker.clients(of: "T42")
        try await rival.publish("fleet/T42/presence", "online", more: ["-i", "headroom"])
        try await Task.sleep(for: .seconds(1))
        #expect(gateway.errors.split(separator: "\n").count { $0.contains("Connected to the broker") } == 1)
        #expect(!gateway.errors.contains("No connection"), "\(gateway.errors)")
        #expect(try await gateway.stop().status == 0)
    }

    @Test(
        "Without a CA file the system's authorities vouch for the broker, at each connection anew",
        .timeLimit(.minutes(6)))
    func systemAuthorities() async throws {
        let scratch = try Scratch()
        let broker = try await GuardedBroker(scratch)
        let authorities = scratch.directory.appending(path: "authorities")
        try FileManager.default.createDirectory(at: authorities, withIntermediateDirectories: false)
        try FileManager.default.copyItem(
            at: scratch.directory.appending(path: "ca.pem"), to: authorities.appending(path: "ca.pem"))
        let hashed = try await run(Repository.tool("openssl"), ["rehash", authorities.path()], scratch)
        try #require(hashed.status == 0, "openssl rehash: \(hashed.errors)")
        let password = try scratch.write(GuardedBroker.password(of: "headroom") + "\n", to: "broker-password")
        let gateway = try GatewayProcess(
            scratch, broker: "mqtts://localhost:\(broker.encryptedPort)",
            access: ["username: headroom", "password_file: \(password)"], roads: nil, clientID: "headroom",
            environment: ["SSL_CERT_DIR": authorities.path()])
        try await gateway.start()
        for connections in 2...3 {
            try await broker.stop()
            try await eventually(within: .seconds(10), "still ready without a broker") {
                try await gateway.get("/readyz").status == 503
            }
            try await broker.start()
            try await gateway.becomeReady(within: .seconds(35))
            let connected = gateway.errors.split(separator: "\n").count { $0.contains("Connected to the broker") }
            #expect(connected == connections, "\(gateway.errors)")
        }
        #expect(try await gateway.stop().status == 0)
    }
}
