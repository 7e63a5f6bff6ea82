import Evaluation
import Fleet
import Foundation
import Messages
import Testing

/// Whatever is published, the gateway counts it by reason, says so once a minute, and goes on.
struct BadInputEndToEndTests {
    private struct Message {
        var topic: String
        var payload: String
        var reason: String
    }

    private static let bad = [
        Message(topic: "fleet/T1/location", payload: #"{"lat": 42.28, "#, reason: "malformed-json"),
        Message(topic: "fleet/T1/location", payload: "not JSON at all", reason: "malformed-json"),
        Message(topic: "fleet/T2/location", payload: "", reason: "malformed-json"),
        Message(topic: "fleet/T1/location", payload: #"{"lat": 91, "lon": -83.75}"#, reason: "out-of-range"),
        Message(topic: "fleet/T1/location", payload: #"{"lon": -83.75}"#, reason: "missing-field"),
        Message(topic: "fleet/T1/location", payload: #"{"lat": "42.28", "lon": -83.75}"#, reason: "wrong-type"),
        Message(topic: "fleet/T1/location", payload: "[[]]", reason: "wrong-type"),
        Message(
            topic: "fleet/T1/location", payload: String(repeating: "[", count: 1 << 20), reason: "too-large"),
        Message(topic: "fleet/location", payload: #"{"lat": 42.28, "lon": -83.75}"#, reason: "unknown-topic"),
        Message(topic: "fleet/T1/more/location", payload: #"{"lat": 42.28, "lon": -83.75}"#, reason: "unknown-topic"),
        Message(topic: "fleet/T1/profile", payload: #"{"height": "tall"}"#, reason: "unreadable-height"),
        Message(topic: "fleet/T1/profile", payload: #"{"height": 0}"#, reason: "implausible-height"),
    ]

    @Test(
        "Bad input is counted by reason, each kind of it is logged once, and nothing else is lost",
        .timeLimit(.minutes(6)))
    func counted() async throws {
        let scratch = try Scratch()
        let broker = try await BrokerProcess.started(scratch)
        let gateway = try GatewayProcess(scratch, broker: broker.url, roads: try await demoRoads(scratch))
        try await gateway.start()
        let listener = try await broker.listener(["fleet/T1/state"])
        for message in Self.bad { try await broker.publish(message.topic, message.payload) }
        try await broker.publish("fleet/T1/profile", DemoTruck.profile, retain: true)
        let fix = Fix(position: try DemoTruck().trip.place(at: 1).position, time: .now)
        try await broker.publish("fleet/T1/location", fix.json)

        try await eventually(within: .seconds(10), "no state with the good fix and height: \(listener.heard)") {
            listener.heard.contains { heard in
                let height = heard.object?["height"] as? [String: Any]
                return heard.object?["last_fix"] is String && height?["value"] as? Double == 4.12
            }
        }
        let expected = Dictionary(grouping: Self.bad, by: \.reason).mapValues { Double($0.count) }
        let counted = try await gateway.metric("headroom_rejected_total")
        #expect(counted == Dictionary(uniqueKeysWithValues: expected.map { ("{reason=\"\($0)\"}", $1) }))
        #expect(try await gateway.metric("headroom_fixes_total") == ["": 1])
        for reason in expected.keys {
            let lines = gateway.errors.split(separator: "\n").filter {
                $0.contains("Rejected ") && ($0.contains("(\(reason))") || $0.contains(": \(reason)"))
            }
            #expect(
                !lines.isEmpty && lines.count <= Int(expected[reason] ?? 0), "\(reason) is logged \(lines.count) times")
        }
        #expect(try await gateway.get("/readyz").status == 200)
        #expect(try await gateway.stop().status == 0)
    }
}
