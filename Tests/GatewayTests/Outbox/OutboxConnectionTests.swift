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

    private static let fix = #"{"lat": 42.28, "lon": -83.75, "accuracy": 5}"#

    /// Vehicles that report at once, and passes at every second of a minute.
    private func published(
        _ shards: Int, publicationsAtOnce: Int = .max, where endsConnection: @escaping (Publication) -> Bool
    ) throws -> (run: PipelineRun, topics: [String: Int]) {
        let run = try PipelineRun(shards: shards)
        run.broker.endsConnection = endsConnection
        run.connection.publicationsAtOnce = publicationsAtOnce
        let messages = (10..<40).map { Script.Message(topic: "fleet/T\($0)/location", payload: Self.fix) }
        for second in 0..<60 {
            try run.go(second == 1 ? messages : [], at: .at(Double(second)), passes: 8)
        }
        return (run, run.broker.published.reduce(into: [:]) { $0[$1.topic, default: 0] += 1 })
    }

    @Test(
        "A message for which the broker ends the connection without a word is put aside alone; all others arrive",
        arguments: [(1, .max), (2, .max), (1, 1)])
    func refused(shards: Int, publicationsAtOnce: Int) throws {
        let (whole, all) = try published(shards) { _ in false }
        // At one at a time the gateway's own probes are always under way.
        let refused = "fleet/T20/state"
        let (run, topics) = try published(shards, publicationsAtOnce: publicationsAtOnce) { $0.topic == refused }
        #expect(whole.shared.metrics.quarantined[.message].value == 0)
        #expect((1...all[refused, default: 1]).contains(run.shared.metrics.quarantined[.message].value))
        #expect(Set(topics.keys) == Set(all.keys).subtracting([refused]))
        #expect(run.outboxCount == 0)
    }

    @Test("Where it does so for the length, three messages are enough to know of all that are as long")
    func tooLong() throws {
        let (whole, _) = try published(1) { _ in false }
        let states = whole.broker.published.filter { $0.topic.hasSuffix("/state") }
        let limit = try #require(states.map(\.payload.count).min())
        let sendable = Set(whole.broker.published.filter { $0.payload.count < limit }.map(\.topic))
        var ends = 0
        let (run, topics) = try published(1) {
            guard $0.payload.count >= limit else { return false }
            ends += 1
            return true
        }
        #expect(run.shared.metrics.quarantined[.message].value >= 30)
        #expect(Set(topics.keys) == sendable)
        // Of states there are few lengths.
        #expect((5...5 * RefusalSearch.endsMax).contains(ends))
    }

    @Test("Where it does so for the topic, messages that are as long are taken, and none of them is put aside")
    func otherReason() throws {
        let denied: Set = ["fleet/T10/state", "fleet/T20/state", "fleet/T30/state"]
        let (_, all) = try published(1) { _ in false }
        #expect(denied.isSubset(of: all.keys))
        let (run, topics) = try published(1) { denied.contains($0.topic) }
        #expect(Set(topics.keys) == Set(all.keys).subtracting(denied))
        #expect(run.outboxCount == 0)
    }
}
