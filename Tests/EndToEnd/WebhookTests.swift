import Foundation
import Testing

struct WebhookEndToEndTests {
    @Test(
        "Every stage is posted once, signed and as published, though the receiver fails and the gateway is killed",
        .timeLimit(.minutes(6)))
    func stages() async throws {
        let scratch = try Scratch()
        let broker = try await BrokerProcess.started(scratch)
        let receiver = try WebhookReceiver(scratch)
        let nobody = "http://127.0.0.1:\(try LoopbackPort.free())/"
        let secret = WebhookReceiver.secret
        let gateway = try GatewayProcess(
            scratch, broker: broker.url, roads: try await demoRoads(scratch),
            more: """
                hooks:
                  - {url: "\(receiver.url)", secret: \(secret)}
                  - {url: "\(nobody)", secret: \(secret), stages: [stop, passed]}
                """)
        let listener = try await broker.listener(["fleet/+/alert"])
        try await receiver.start(failures: 2)
        try await gateway.start()
        try await broker.publish("fleet/T42/profile", DemoTruck.profile, retain: true)
        let truck = try RushingTruck(broker, gateway)
        try await truck.report()
        try await truck.drive { !listener.heard.isEmpty }
        try await eventually(within: .seconds(30), "posted: \(receiver.requests)") {
            receiver.requests.map(\.status) == [500, 500, 200]
        }

        // Neither a receiver that is gone nor one that never was holds up what is published.
        try await receiver.stop()
        try await truck.drive()
        try await eventually(within: .seconds(30), "told: \(listener.heard.compactMap(\.alert?.stage))") {
            listener.heard.contains { $0.alert?.stage == "passed" }
        }
        try await gateway.stop(SIGKILL)
        try await receiver.start(failures: 0)
        try await gateway.start()

        let told = listener.heard.compactMap(\.alert).map { "\($0.id)-\($0.sequence)" }
        var taken: [WebhookReceiver.Request] { receiver.requests.filter { $0.status == 200 } }
        try await eventually(within: .seconds(30), "posted: \(taken.map(\.id))") { taken.count >= Set(told).count }
        #expect(taken.map(\.id) == told)
        #expect(taken.map(\.body) == listener.heard.map(\.payload))
        #expect(receiver.requests.filter { !$0.isSigned }.isEmpty)
        try await eventually(within: .seconds(10), "the one waits that nobody takes") {
            try await gateway.metric("headroom_hook_pending") == [#"{hook="1"}"#: 2]
        }
        // Until the connection has been tried for ten seconds.
        try await eventually(within: .seconds(30), "no failure is counted") {
            try await gateway.metric("headroom_hook_failures_total")[#"{hook="1"}"#] != nil
        }
    }
}
