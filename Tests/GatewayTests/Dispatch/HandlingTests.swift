import Fleet
import FleetTestSupport
import Foundation
import GatewayTestSupport
import Hashing
import Messages
import MQTT
import Store
import Testing
import Wire

@testable import Gateway

@Suite("Who of dispatch sees to an alert")
struct HandlingTests {
    /// What the topic of T42 retains: who sees to which alert; nil: nothing.
    private static func retained(_ run: PipelineRun) throws -> [String]? {
        struct Message: Decodable {
            struct Alert: Decodable {
                var id: String
                var by: String
                var note: String?
            }

            var alerts: [Alert]
        }
        return try run.broker.retained["fleet/T42/handling"].map { publication in
            try JSONDecoder().decode(Message.self, from: Data(publication.payload)).alerts.map {
                "\($0.by): \($0.note ?? "")"
            }
        }
    }

    private struct Watch {
        var topic: [[String]?] = []
        var outcomes: [HandlingOutcome?] = []
        var log: [String] = []
        var untaken: [String] = []

        init() throws {
            let run = try PipelineRun()
            let (id, steps) = try HandlingTests.firstAlert(run)
            let now = steps.first?.time ?? .at(0)
            func put(_ request: HandlingRequest) throws {
                outcomes.append(try UntakenAlertsTests.put(request, run, at: now))
                topic.append(try HandlingTests.retained(run))
            }
            try put(.taking(id, by: "Desk 1", note: "Called the driver") { $0 == nil })
            try run.kill()
            try put(.taking(id, by: "Desk 2") { $0 == 1 })
            // Who had not heard of Desk 2.
            try put(.taking(id, .closed, by: "Desk 1") { $0 == 1 })
            try put(.taking(id, .closed, by: "Desk 2") { $0 == 2 })
            try put(.taking(id, by: "Desk 3") { $0 == nil })
            for step in steps { try run.take(step.messages, at: step.time) }
            topic.append(try HandlingTests.retained(run))
            untaken = try run.store.loadUntaken().map(\.stage.rawValue)
            log = try run.store.history(type: .handling, limit: 100).entries.compactMap {
                Handling(payload: $0.payload).map { "\($0.revision) \($0.status.rawValue) \($0.by)" }
            }
        }
    }

    /// Goes on until T42 is alerted.
    ///
    /// - Returns: the alert, and what is to come.
    private static func firstAlert(_ run: PipelineRun) throws -> (id: String, steps: ArraySlice<Script.Step>) {
        struct Message: Decodable { var id: String }

        var steps = Script.steps[...]
        while !run.broker.published.contains(where: { $0.topic == "fleet/T42/alert" }), let step = steps.popFirst() {
            try run.take(step.messages, at: step.time)
        }
        let message = try #require(run.broker.published.last { $0.topic == "fleet/T42/alert" })
        return (try JSONDecoder().decode(Message.self, from: Data(message.payload)).id, steps)
    }

    @Test(
        "An open alert is taken, handed over and closed, over a crash too; the topic says so until it is closed or has ended"
    )
    func life() async throws {
        // A store belongs to one thread.
        let watch = try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result { try Watch() }) }.start()
        }
        #expect(watch.topic == [["Desk 1: Called the driver"], ["Desk 2: "], ["Desk 2: "], nil, ["Desk 3: "], nil])
        #expect(watch.outcomes.map { $0 == .changed } == [false, false, true, false, false])
        #expect(
            watch.log == ["1 taken Desk 1", "2 taken Desk 2", "3 closed Desk 2", "4 taken Desk 3", "5 ended Desk 3"])
        // To have passed is another matter.
        #expect(watch.untaken == ["passed"])
    }

    /// What the topic says from the taking of an alert on, and what there is to take in the end.
    private struct WatchWithoutEvents {
        var topic: [[String]?] = []
        var untaken: [String] = []

        init() throws {
            let run = try PipelineRun(keepEvents: 0)
            let (id, steps) = try HandlingTests.firstAlert(run)
            _ = try UntakenAlertsTests.put(.taking(id, by: "Desk 1"), run, at: steps.first?.time ?? .at(0))
            topic.append(try HandlingTests.retained(run))
            for step in steps {
                // The first turn after a start removes what is due.
                if topic.last != .some(nil) { try run.kill() }
                try run.take(step.messages, at: step.time)
                let retained = try HandlingTests.retained(run)
                if topic.last != .some(retained) { topic.append(retained) }
            }
            untaken = try run.store.loadUntaken().map(\.stage.rawValue)
        }
    }

    @Test("Where no events are kept, an alert is its dispatcher's until its end, and a passed bridge stays to be taken")
    func withoutEvents() async throws {
        // A store belongs to one thread.
        let watch = try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result { try WatchWithoutEvents() }) }.start()
        }
        #expect(watch.topic == [["Desk 1: "], nil])
        #expect(watch.untaken == ["passed"])
    }

    @Test("A stop that nobody answers escalates once, when its time is up; a passed bridge does not")
    func escalation() {
        let engine = Engine(EngineSettings(), network: nil)
        var passed = UntakenAlert(.example(at: .at(100)))
        (passed.id, passed.stage) = ("passed", .passed)
        var untaken = UntakenAlerts([UntakenAlert(.example(at: .at(100))), passed])
        func escalated(_ now: Timestamp) -> [Timestamp?] {
            let changes = untaken.changes(Effects(), of: engine, escalating: now.adding(-60), at: now)
            untaken.note(StoreBatch(time: now, untaken: changes.untaken, taken: changes.taken))
            return changes.untaken.map(\.escalatedAt)
        }
        #expect(escalated(.at(159)) == [])
        #expect(escalated(.at(160)) == [.at(160)])
        #expect(escalated(.at(161)) == [])
        #expect(untaken.all.count == 2)
    }

    @Test("A stop of an alert that a dispatcher sees to has to be taken by nobody; to pass has")
    func handled() {
        let engine = Engine(EngineSettings(), network: nil)
        var message = AlertMessage.example(at: .at(100))
        var handlings = Handlings()
        _ = handlings.take(.taking(message.id, by: "Desk 1"), isOpen: true, isUntaken: false, at: .at(90))
        func untaken() -> [AlertMessage.Stage] {
            var effects = Effects()
            effects.envelopes = [Envelope(address: VehicleAddress(vehicle: message.vehicle), message: .alert(message))]
            return UntakenAlerts().changes(effects, handled: handlings, of: engine, at: .at(100)).untaken.map(\.stage)
        }
        #expect(untaken() == [])
        message.stage = .passed
        #expect(untaken() == [.passed])
    }

    @Test("An alert that is neither open nor to be taken is nobody's to take, and nobody sees to more than anybody can")
    func refused() {
        var handlings = Handlings()
        #expect(handlings.take(.taking("a", by: "Desk 1"), isOpen: false, isUntaken: false, at: .at(0)) == .unknown)
        for number in 0..<Handlings.countMax {
            _ = handlings.take(.taking("\(number)", by: "Desk 1"), isOpen: true, isUntaken: false, at: .at(0))
        }
        #expect(handlings.all.count == Handlings.countMax)
        #expect(handlings.take(.taking("a", by: "Desk 1"), isOpen: true, isUntaken: false, at: .at(0)) == .full)
        handlings.remove([VehicleID("T42")!], before: nil)
        #expect(handlings.all.isEmpty)
    }
}
