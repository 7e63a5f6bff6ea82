import Fleet
import FleetTestSupport
import Foundation
import GatewayTestSupport
import Geo
import Messages
import Store
import Synchronization
import Testing
import Wire

@testable import Gateway

@Suite("Alerts that dispatch has to take")
struct UntakenAlertsTests {
    private final class Answer: Sendable {
        let outcome = Mutex<HandlingOutcome?>(nil)
    }

    private static func take(_ id: String, _ run: PipelineRun, at time: Timestamp) throws -> HandlingOutcome? {
        try put(.taking(id, by: "Desk 1") { $0 == nil }, run, at: time)
    }

    /// Passes until the dispatcher is answered.
    static func put(_ request: HandlingRequest, _ run: PipelineRun, at time: Timestamp) throws -> HandlingOutcome? {
        let (queue, answer) = (run.shared.handling, Answer())
        // The task begins once other tests leave it a thread; passes until then would cost them more than this one.
        let (isAdded, isAnswered) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        queue.begin { isAdded.signal() }
        Task {
            let outcome = await queue.put(request)
            answer.outcome.withLock { $0 = outcome }
            isAnswered.signal()
        }
        isAdded.wait()
        repeat { try run.go([], at: time, passes: 1) } while isAnswered.wait(timeout: .now() + 1) == .timedOut
        return answer.outcome.withLock(\.self)
    }

    private struct Taking {
        var kept: [UntakenAlert] = []
        var afterCrash: [UntakenAlert] = []
        var afterTaking: [UntakenAlert] = []
        var outcomes: [HandlingOutcome?] = []
        var handling: [HistoryEntry] = []

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
            handling = try run.store.loadHandling()
            try run.kill()
            outcomes.append(try UntakenAlertsTests.take(id, run, at: end))
        }
    }

    @Test(
        "A passed bridge stays one over a crash, until one dispatcher takes it; a second is told that somebody was faster"
    )
    func taking() async throws {
        // A store belongs to one thread.
        let taking = try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result { try Taking() }) }.start()
        }
        #expect(taking.kept.map(\.stage) == [.passed] && taking.kept.map(\.vehicle.text) == ["T42"])
        #expect(taking.afterCrash == taking.kept && taking.afterTaking == [])
        let handling = try #require(taking.handling.first.flatMap { Handling(payload: $0.payload) })
        #expect(handling.by == "Desk 1" && handling.status == .taken && !handling.isAlertOpen)
        #expect(taking.outcomes == [.unknown, .stored(handling), .changed, .changed])
    }

    /// Whether a `stop` is to be taken: before its driver acknowledges it, and after.
    private struct Acknowledging {
        var untaken: [[AlertMessage.Stage]] = []

        init() throws {
            let run = try PipelineRun()
            for step in Script.steps where untaken.isEmpty {
                try run.take(step.messages, at: step.time)
                guard let stop = try run.store.loadUntaken().first(where: { $0.stage == .stop }) else { continue }
                untaken.append([stop.stage])
                let payload = #"{"alert": "\#(stop.id)", "sequence": \#(stop.sequence)}"#
                try run.take([Script.Message(topic: "fleet/T42/ack", payload: payload)], at: step.time)
                untaken.append(try run.store.loadUntaken().map(\.stage))
            }
        }
    }

    @Test("A stop that its driver acknowledges has to be taken by nobody")
    func acknowledging() async throws {
        // A store belongs to one thread.
        let untaken = try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result { try Acknowledging().untaken }) }.start()
        }
        #expect(untaken == [[.stop], []])
    }

    @Test("Of more than anybody goes through by hand the oldest at stop go, before any that passed")
    func limit() throws {
        let engine = Engine(EngineSettings(), network: nil)
        let old = (0..<UntakenAlerts.countMax).map { number in
            var alert = UntakenAlert(.example(at: .at(Seconds(number))))
            alert.id = "\(number)"
            alert.stage = number == 0 ? .passed : .stop
            return alert
        }
        var untaken = UntakenAlerts(old)
        var effects = Effects()
        effects.envelopes = [
            Envelope(
                address: VehicleAddress(vehicle: VehicleID("T1")!), message: .alert(.example(at: .at(5_000))))
        ]
        let changes = untaken.changes(effects, of: engine, at: .at(5_000))
        #expect(changes.untaken.count == 1 && changes.taken == ["1"])
        untaken.note(StoreBatch(time: .at(5_000), untaken: changes.untaken, taken: changes.taken))
        #expect(untaken.all.count == UntakenAlerts.countMax && !untaken.contains("1"))
        #expect(untaken.changes(Effects(), before: .at(2), of: engine, at: .at(5_000)).taken == ["0"])
    }

    @Test(
        "A queue without a gateway, and one whose gateway has ended, does not keep anybody waiting",
        .timeLimit(.minutes(5)))
    func ending() async {
        let (queue, request) = (HandlingQueue(), HandlingRequest.taking("a", by: "Desk 1"))
        #expect(await queue.put(request) == .unavailable)
        queue.begin {}
        queue.end()
        #expect(await queue.put(request) == .unavailable)
    }
}

extension HandlingRequest {
    /// Of T42.
    static func taking(
        _ alert: String, _ status: Handling.Status = .taken, by name: String, note: String? = nil,
        isExpected: @escaping @Sendable (Int?) -> Bool = { _ in true }
    ) -> HandlingRequest {
        HandlingRequest(
            alert: alert, vehicle: VehicleID("T42")!, status: status, by: name, note: note, isExpected: isExpected)
    }
}

extension AlertMessage {
    static func example(at time: Timestamp) -> AlertMessage {
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
