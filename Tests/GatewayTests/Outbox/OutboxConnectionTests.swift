import FleetTestSupport
import Foundation
import GatewayTestSupport
import MQTT
import Testing

@testable import Gateway

/// What the outbox sends where the connection ends meanwhile.
struct OutboxConnectionTests {
    @Test("What had not left goes out once over the next connection", arguments: [QoS.atMostOnce, .atLeastOnce])
    func reconnected(qos: QoS) throws {
        let run = try PipelineRun(qos: qos)
        try run.go([Script.fence("yard", east: 0, "")], at: .at(-10), passes: 8)
        let before = run.broker.published.count
        var mayLeave = false
        run.connection.mayGo = { if case .transmit = $0 { mayLeave } else { true } }
        let messages = (0..<30).map {
            Script.Message(topic: "fleet/T\($0)/location", payload: #"{"lat": 42.28, "lon": -83.75, "accuracy": 5}"#)
        }
        try run.go(messages, at: .at(0), passes: 6)
        #expect(run.connection.waiting >= 30)
        run.connection.lose()
        // It is connected again, and the broker has answered for nothing yet.
        try run.go([], at: .at(1), passes: 6)
        mayLeave = true
        try run.take([], at: .at(2))
        let said = run.broker.published.dropFirst(before)
        let counts = Dictionary(
            said.map { ("\($0.topic) \(String(decoding: $0.payload, as: UTF8.self))", 1) }, uniquingKeysWith: +)
        #expect(counts.count >= 30)
        #expect(counts.values.allSatisfy { $0 == 1 }, "\(counts.filter { $0.value > 1 })")
    }
}
