import Fleet
import FleetTestSupport
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
    private func take(_ id: String, _ run: PipelineRun, at time: Timestamp) async throws -> TakingOutcome? {
        let (taker, answer) = (run.shared.taker, Answer())
        taker.begin {}
        Task {
            let outcome = await taker.take(id)
            answer.outcome.withLock { $0 = outcome }
        }
        while answer.outcome.withLock(\.self) == nil {
            try run.go([], at: time, passes: 1)
            await Task.yield()
        }
        return answer.outcome.withLock(\.self)
    }

    @Test("A passed bridge stays one over a crash, until one dispatcher takes it; a second is told that there is none")
    func taking() async throws {
        let run = try PipelineRun()
        for step in Script.steps { try run.take(step.messages, at: step.time) }
        let end = try #require(Script.steps.last?.time)
        let kept = try run.store.loadUntaken()
        #expect(kept.map(\.stage) == [.passed] && kept.map(\.vehicle.text) == ["T42"])
        try run.kill()
        #expect(try run.store.loadUntaken() == kept)
        let id = try #require(kept.first?.id)
        #expect(try await take("nobody's", run, at: end) == .unknown)
        #expect(try await take(id, run, at: end) == .taken)
        #expect(try run.store.loadUntaken() == [])
        #expect(try await take(id, run, at: end) == .unknown)
        try run.kill()
        #expect(try await take(id, run, at: end) == .unknown)
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
        .timeLimit(.minutes(1)))
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
            id: "alert-\(time.milliseconds)", sequence: 3, stage: .stop, vehicle: VehicleID("T1")!, time: time,
            expiresAt: time, clearance: clearance, vehicleHeight: 412, margin: 0, heightSource: "driver", distance: 0,
            eta: 0, sideRoad: false, detour: nil, chain: [], urgency: .immediate, severity: .extreme,
            certainty: .observed, text: "STOP.")
    }
}
