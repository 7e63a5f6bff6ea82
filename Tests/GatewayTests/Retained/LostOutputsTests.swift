import FleetTestSupport
import Foundation
import GatewayTestSupport
import Geo
import Hashing
import MQTT
import Messages
import Testing

@testable import Gateway

@Suite("A broker that has lost what the gateway retains about vehicles")
struct LostOutputsTests {
    private struct Output: Decodable {
        var id: String
        var sequence: Int?
        var version: Int?
    }

    /// What the broker retains about vehicles, by topic: what tells a repeat. The time of regions is not kept, and so not their id.
    private static func retained(_ run: PipelineRun) throws -> [BytewiseText: String] {
        let outputs = run.broker.retained.filter { topic, _ in
            ["state", "regions", "tracking", "handling"].contains { topic.wrappedValue.hasSuffix("/\($0)") }
        }
        return try outputs.mapValues { publication in
            let output = try JSONDecoder().decode(Output.self, from: Data(publication.payload))
            return output.version.map { "version \($0)" } ?? "\(output.id) \(output.sequence ?? 0)"
        }
    }

    private static func report(_ vehicle: String) -> Script.Message {
        Script.location(vehicle, Fix(position: Drawing.place(0, 0), time: .at(0), accuracy: 5, speed: 0))
    }

    private static func lose(_ run: PipelineRun) {
        run.connection.lose()
        run.broker.restore(nil)
    }

    @Test(
        "All is published again as it was, but nothing about a vehicle that has denied consent or was forgotten",
        arguments: [1, 3], [false, true])
    func published(shards: Int, isRestarted: Bool) throws {
        let run = try PipelineRun(shards: shards)
        try run.take([Script.fence("yard", east: 0, "")], at: .at(-10))
        try run.take(["T1", "T2", "T3", "T4"].map(Self.report), at: .at(0))
        let denial = Script.Message(
            topic: "fleet/T2/consent", payload: #"{"status": "denied"}"#, isRetained: true)
        try run.take([denial, Script.Message(topic: "headroom/forget/T3", payload: "{}")], at: .at(100))
        // Nothing falls due any more.
        try run.take([], at: .at(4_000))
        let before = try Self.retained(run)
        let topics = ["T1", "T4"].flatMap { ["fleet/\($0)/regions", "fleet/\($0)/state"] }
        #expect(before.keys.map(\.wrappedValue).sorted() == topics)
        for round: Seconds in [1, 2] {
            Self.lose(run)
            if isRestarted { try run.kill() }
            try run.take([], at: .at(4_000 + 20 * round))
            try run.take([], at: .at(4_010 + 20 * round))
            #expect(try Self.retained(run) == before, "round \(round)")
        }
    }

    @Test("That a dispatcher sees to an open alert is published again, too")
    func handling() async throws {
        // A store belongs to one thread.
        let (before, after) = try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result { try Self.handled() }) }.start()
        }
        #expect(before != nil && after == before)
    }

    private static func handled() throws -> (before: String?, after: String?) {
        let run = try PipelineRun()
        var steps = Script.steps[...]
        while !run.broker.published.contains(where: { $0.topic == "fleet/T42/alert" }), let step = steps.popFirst() {
            try run.take(step.messages, at: step.time)
        }
        let now = try #require(steps.first?.time)
        let message = try #require(run.broker.published.last { $0.topic == "fleet/T42/alert" })
        let alert = try JSONDecoder().decode(Output.self, from: Data(message.payload)).id
        _ = try UntakenAlertsTests.put(.taking(alert, by: "Desk 1"), run, at: now)
        try run.take([], at: now)
        let topic = "fleet/T42/handling"
        let before = try retained(run)[BytewiseText(topic)]
        lose(run)
        try run.take([], at: now.adding(3))
        try run.take([], at: now.adding(4))
        return (before, try retained(run)[BytewiseText(topic)])
    }

    @Test(
        "Of a large fleet some follow others, and none is missing after a crash in between",
        arguments: [nil, 14, 20] as [Int?])
    func paced(crash: Int?) throws {
        let run = try PipelineRun()
        try run.take([], at: .at(-10))
        try run.take((0..<600).map { Self.report("T\($0)") }, at: .at(0))
        try run.take([], at: .at(4_000))
        let before = try Self.retained(run)
        #expect(before.count == 600)
        Self.lose(run)
        for pass in 0..<100 {
            if pass == crash { try run.kill() }
            let waiting = run.outboxCount
            try run.go([], at: .at(4_010 + Seconds(pass)), passes: 1)
            #expect(run.outboxCount - waiting <= 256)
        }
        #expect(try Self.retained(run) == before)
    }

    @Test("A session that goes on has nothing published again")
    func resumed() throws {
        let run = try PipelineRun()
        try run.take([Script.fence("yard", east: 0, "")], at: .at(-10))
        try run.take([Self.report("T1")], at: .at(0))
        try run.take([], at: .at(4_000))
        let count = run.broker.published.count { $0.topic.hasPrefix("fleet/") }
        run.connection.lose()
        try run.take([], at: .at(4_010))
        #expect(run.broker.published.count { $0.topic.hasPrefix("fleet/") } == count)
    }
}
