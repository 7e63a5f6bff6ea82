import Fleet
import FleetTestSupport
import Foundation
import GatewayTestSupport
import Geo
import Messages
import Store
import Synchronization
import Testing

@testable import Gateway

@Suite("Alerts that dispatch has to take")
struct UntakenAlertsTests {
    private final class Answer: Sendable {
        let outcome = Mutex<TakingOutcome?>(nil)
    }

    /// Passes until somebody who takes an alert is answered.
    private static func take(_ id: String, _ run: PipelineRun, at time: Timestamp) throws -> TakingOutcome? {
        let (taker, answer) = (run.shared.taker, Answer())
        taker.begin {}
        Task {
            let outcome = await taker.take(id)
            answer.outcome.withLock { $0 = outcome }
        }
        while answer.outcome.withLock(\.self) == nil {
            try run.go([], at: time, passes: 1)
            Thread.sleep(forTimeInterval: 0.001)
        }
        return answer.outcome.withLock(\.self)
    }

    private struct Taking {
        var kept: [UntakenAlert] = []
        var afterCrash: [UntakenAlert] = []
        var afterTaking: [UntakenAlert] = []
        var outcomes: [TakingOutcome?] = []

        init() throws {
            let run = try PipelineRun()
            for step in Script.steps { try run.take(step.messages, at: step.time) }
            let end = Script.steps.last?.time ?? .at(0)
            kept = try run.store.loadUntaken()
            try run.kill()
            afterCrash = try run.store.loadUntaken()
            let id = kept.first?.id ?? ""
            for id in ["nobody's", id] { outcomes.append(try UntakenAlertsTests.take(id, run, at: end)) }
            afterTaking = try run.store.loadUntaken()
            outcomes.append(try UntakenAlertsTests.take(id, run, at: end))
            try run.kill()
            outcomes.append(try UntakenAlertsTests.take(id, run, at: end))
        }
    }

    @Test("A passed bridge stays one over a crash, until one dispatcher takes it; a second is told that there is none")
    func taking() async throws {
        // A store belongs to one thread.
        let taking = try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result { try Taking() }) }.start()
        }
        #expect(taking.kept.map(\.stage) == [.passed] && taking.kept.map(\.vehicle.text) == ["T42"])
        #expect(taking.afterCrash == taking.kept && taking.afterTaking == [])
        #expect(taking.outcomes == [.unknown, .taken, .unknown, .unknown])
    }

    @Test("Of more than anybody goes through by hand the oldest go")
    func limit() throws {
        let engine = Engine(EngineSettings(), network: nil)
        let old = (0..<UntakenAlerts.countMax).map { number in
            var alert = UntakenAlert(.example(at: .at(Seconds(number))))
            alert.id = "\(number)"
            return alert
        }
        var untaken = UntakenAlerts(old)
        var effects = Effects()
        effects.envelopes = [
            Envelope(
                address: VehicleAddress(vehicle: VehicleID("T1")!), message: .alert(.example(at: .at(5_000))))
        ]
        let changes = untaken.changes(effects, taking: [], before: nil, of: engine)
        #expect(changes.untaken.count == 1 && changes.taken == ["0"])
        untaken.note(StoreBatch(time: .at(5_000), untaken: changes.untaken, taken: changes.taken))
        #expect(untaken.all.count == UntakenAlerts.countMax && !untaken.contains("0"))
        #expect(untaken.changes(Effects(), taking: [], before: .at(2), of: engine).taken == ["1"])
    }

    @Test(
        "A taker without a gateway, and one whose gateway has ended, does not keep anybody waiting",
        .timeLimit(.minutes(5)))
    func ending() async {
        let taker = AlertTaker()
        #expect(await taker.take("a") == .unavailable)
        taker.begin {}
        taker.end()
        #expect(await taker.take("a") == .unavailable)
    }
}

extension AlertMessage {
    fileprivate static func example(at time: Timestamp) -> AlertMessage {
        let clearance = Clearance(
            id: "osm:way:1", name: "", height: 320, posted: "3.2", source: "osm", verdict: .tooLow,
            position: .init(latitude: 42.28, longitude: -83.75))
        return AlertMessage(
            id: "alert-\(time.milliseconds)", sequence: 3, stage: .stop, attention: .alarm, probability: 1,
            vehicle: VehicleID("T1")!, time: time,
            expiresAt: time, clearance: clearance, vehicleHeight: 412, margin: 0, heightSource: "driver", distance: 0,
            eta: 0, sideRoad: false, detour: nil, chain: [], urgency: .immediate, severity: .extreme,
            certainty: .observed, text: "STOP.")
    }
}
