import Fleet
import FleetTestSupport
import Foundation
import GatewayTestSupport
import Geo
import MQTT
import Messages
import Store
import Synchronization
import Testing
import ThreadTestSupport
import Wire

@testable import Gateway

/// When positions are judged by a clearance that was changed just before them.
struct MapWaitTests {
    private static let fixes =
        Journey(line: [Drawing.place(2_400, 0), Drawing.place(2_900, 0)], every: 2).fixes.map {
            Script.location("T42", $0)
        }
    private static let change = change("low")

    private static func change(_ id: String) -> Script.Message {
        Script.Message(
            topic: "headroom/clearances/\(id)",
            payload: #"""
                {"type": "Feature", "geometry": {"type": "Point", "coordinates": \#(Script.pair(4_320, 0))}, "properties":
                 {"clearance": "3.2 m"}}
                """#, isRetained: true)
    }

    private func run() throws -> PipelineRun {
        let run = try PipelineRun(network: Drawing.bridge("4.5").network)
        let profile = Script.Message(
            topic: "fleet/T42/profile", payload: #"{"height": 3.8, "source": "driver"}"#, isRetained: true)
        try run.take([profile], at: .at(-10))
        return run
    }

    private func alerts(_ run: PipelineRun) throws -> [String] {
        try run.broker.published.filter { $0.topic == "fleet/T42/alert" }.map {
            let payload = try #require(try JSONSerialization.jsonObject(with: Data($0.payload)) as? [String: Any])
            return "\(payload["id"] ?? "") \(payload["sequence"] ?? "")"
        }
    }

    /// Ids of the alerts where the clearance changes behind the third of many positions that have waited.
    ///
    /// - Parameter waitMax: nil: what follows from the change is made at once.
    private func alerts(waitMax: Duration?) throws -> [String] {
        let run = try run()
        if let waitMax { try run.doMapWorkElsewhere(waitMax: waitMax) }
        let messages = Self.fixes.prefix(3) + [Self.change] + Self.fixes.dropFirst(3)
        try run.take(Array(messages), at: .at(25))
        return try alerts(run)
    }

    @Test("What was sent after a changed clearance is judged by it, where that is made soon")
    func judgedAfter() throws {
        let expected = try alerts(waitMax: nil)
        #expect(!expected.isEmpty)
        #expect(try alerts(waitMax: .seconds(10)) == expected)
    }

    @Test("Changes that come one right after the other are waited for once, and what comes behind them waits too")
    func inARow() throws {
        let run = try run()
        try run.doMapWorkElsewhere(waitMax: .seconds(10))
        let changes = ["a", "b", "c", "d"].map(Self.change)
        try run.go([Self.fixes[0]] + changes.prefix(3) + [Self.fixes[1], changes[3]], at: .at(25), passes: 1)
        let topics = try run.store.retainedTopics().filter { $0.hasPrefix("headroom/clearances/") }
        #expect(topics.sorted() == changes.prefix(3).map(\.topic))
    }

    @Test("Who says nothing is judged by a changed clearance once few messages wait to be sent")
    func outbox() throws {
        let run = try run()
        try run.doMapWorkElsewhere(waitMax: .seconds(10))
        try run.take(Array(Self.fixes.prefix(3)), at: .at(24))
        run.connection.publicationsAtOnce = 0
        let fix = Journey(line: [Drawing.place(2_400, 0), Drawing.place(2_900, 0)]).fixes[0]
        let others = (0..<1_000).map { Script.location("other-\($0)", fix) }
        try run.go(others, at: .at(24.5), passes: 5)
        let waiting = run.outboxCount
        #expect(waiting >= 1_000)
        try run.go([Self.change], at: .at(25), passes: 5)
        // The answer to the change alone.
        #expect(run.outboxCount == waiting + 1)
        run.connection.publicationsAtOnce = .max
        try run.take([], at: .at(26))
        #expect(try !alerts(run).isEmpty)
    }

    /// What became of something that another task does; nil: it is not done yet.
    private final class Outcome: Sendable {
        let value = Mutex<DispatchOutcome?>(nil)
    }

    @Test("Who enters a fence behind a changed clearance is answered once the fence is stored", .timeLimit(.minutes(1)))
    func answered() async throws { try await onThread { try answer() } }

    private func answer() throws {
        let run = try run()
        try run.doMapWorkElsewhere(waitMax: .seconds(10))
        let (publisher, topic, outcome) = (run.shared.publisher, "headroom/fences/yard", Outcome())
        publisher.begin {}
        let fence = #"""
            {"type": "Feature", "geometry": {"type": "Point", "coordinates": \#(Script.pair(0, 0))}, "properties":
             {"radius": 100}}
            """#
        Task.detached {
            let found = await publisher.putEntry(Array(fence.utf8), on: topic)
            outcome.value.withLock { $0 = found }
        }
        run.connection.publicationsAtOnce = 0
        while run.connection.waiting == 0 {
            try run.go([], at: .at(24), passes: 1)
            Thread.sleep(forTimeInterval: 0.005)
        }
        try run.go([Self.change], at: .at(25), passes: 0)
        run.connection.publicationsAtOnce = .max
        run.connection.transmit(run.connection.waiting)
        try run.go([], at: .at(25), passes: 1)
        Thread.sleep(forTimeInterval: 0.05)
        #expect(outcome.value.withLock { $0 } == nil)
        #expect(try !run.store.retainedTopics().contains(topic))
        while outcome.value.withLock({ $0 }) == nil {
            try run.go([], at: .at(25), passes: 1)
            Thread.sleep(forTimeInterval: 0.005)
        }
        #expect(outcome.value.withLock { $0 } == .inForce(note: nil))
        #expect(try run.store.retainedTopics().contains(topic))
    }

    @Test("Killed before what follows from a changed clearance is in force, it judges by that before what comes then")
    func killed() throws {
        let run = try run()
        try run.doMapWorkElsewhere(waitMax: .seconds(10))
        try run.go(Array(Self.fixes.prefix(3)) + [Self.change], at: .at(25), passes: 1)
        #expect(try run.store.meta(TurnComposer.changedPlacesKey)?.isEmpty == false)
        try run.kill()
        try run.doMapWorkElsewhere(waitMax: .seconds(10))
        try run.take(Array(Self.fixes.dropFirst(3)), at: .at(27))
        #expect(try alerts(run) == alerts(waitMax: nil))
        #expect(try run.store.meta(TurnComposer.changedPlacesKey) == "")
    }

    @Test("A clearance that ended while the gateway was down is not in force when it starts")
    func endedMeanwhile() throws {
        let run = try run()
        let end = #"3.2 m", "valid_until": "\#(RFC3339.text(.at(20)))""#
        let payload = Self.change.payload.replacing(#"3.2 m""#, with: end)
        try run.take([Script.Message(topic: Self.change.topic, payload: payload, isRetained: true)], at: .at(-5))
        #expect(try run.store.retainedTopics().contains(Self.change.topic))
        try run.go([], at: .at(21), passes: 0)
        try run.kill()
        try run.doMapWorkElsewhere(waitMax: .zero)
        try run.take(Self.fixes, at: .at(25))
        #expect(try alerts(run) == [])
    }

    @Test("Waiting takes a tenth of the time at most, of which two seconds can be saved")
    func rest() throws {
        var wait = MapWait()
        let start = ContinuousClock.now
        #expect(wait.deadline(at: start) == start + .milliseconds(500))
        for count in 1...4 {
            #expect(wait.deadline(at: start) != nil, "\(count)")
            wait.note(waited: .milliseconds(500), until: start)
        }
        #expect(wait.deadline(at: start + .milliseconds(4_999)) == nil)
        #expect(wait.deadline(at: start + .seconds(5)) != nil)
        wait.note(waited: .milliseconds(50), until: start + .seconds(1_000))
        #expect(wait.deadline(at: start + .seconds(1_000)) != nil)
    }
}
