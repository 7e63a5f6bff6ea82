import Fleet
import FleetTestSupport
import GatewayTestSupport
import Geo
import Hashing
import Messages
import MQTT
import Store
import Testing

@testable import Gateway

/// The gateway is started with another `consent.default`, by which vehicles that never said anything may not be kept.
struct EndedConsentTests {
    private static func report(_ vehicle: String, at seconds: Seconds) -> Script.Message {
        Script.location(vehicle, Fix(position: Drawing.place(0, 0), time: .at(seconds), accuracy: 5, speed: 0))
    }

    private static func consent(_ vehicle: String) -> Script.Message {
        Script.Message(topic: "fleet/\(vehicle)/consent", payload: #"{"status": "always"}"#, isRetained: true)
    }

    /// Of which vehicles the gateway has anything retained.
    private static func retained(_ run: PipelineRun) -> Set<String> {
        let topics = run.broker.retained.keys.map(\.wrappedValue).filter { topic in
            ["state", "regions", "tracking", "handling"].contains { topic.hasSuffix("/\($0)") }
        }
        return Set(topics.map { String($0.split(separator: "/")[1]) })
    }

    private static func stored(_ run: PipelineRun) throws -> [String] {
        var vehicles: [String] = []
        _ = try run.store.loadVehicles { vehicles.append($0.address.vehicle.text) }
        return vehicles.sorted()
    }

    @Test(
        "Nothing of them is stored, retained or said any more; who has consented stays",
        arguments: [Consent.Status.denied, .notDetermined])
    func ended(status: Consent.Status) throws {
        let run = try PipelineRun()
        try run.take([Script.fence("yard", east: 0, "")], at: .at(-10))
        let profile = Script.Message(topic: "fleet/T1/profile", payload: #"{"height": 3.8}"#, isRetained: true)
        try run.take([Self.consent("T2"), profile] + ["T1", "T2", "T3"].map { Self.report($0, at: 0) }, at: .at(0))
        // These are in the journal.
        try run.take(["T1", "T2", "T3"].map { Self.report($0, at: 20) }, at: .at(20))
        #expect(Self.retained(run) == ["T1", "T2", "T3"])
        let count = run.broker.published.count
        try run.kill { $0.engine.consent = status }
        // Its consent has waited at the broker.
        try run.take([Self.consent("T3")], at: .at(30))
        for second in [32.0, 34] { try run.take([Self.report("T1", at: second)], at: .at(second)) }
        #expect(Self.retained(run) == ["T2", "T3"])
        #expect(try Self.stored(run) == ["T2", "T3"])
        let vehicle = try #require(VehicleID("T1"))
        #expect(try run.store.storedData(of: vehicle) { $0.hasPrefix("fleet/T1/") }.isNothing)
        let journaled = try run.store.loadJournal().map { try JournalRecord(encoded: $0.record) }
        #expect(journaled.allSatisfy { record in record == record.removing { $0 == vehicle } })
        let said = run.broker.published[count...].filter { $0.topic.hasPrefix("fleet/T1/") }
        #expect(!said.isEmpty && said.allSatisfy(\.payload.isEmpty))
    }

    @Test(
        "Of a large fleet some follow others, and none is left after a crash in between", arguments: [nil, 5] as [Int?])
    func paced(crash: Int?) throws {
        let run = try PipelineRun()
        try run.take([], at: .at(-10))
        try run.take((0..<600).map { Self.report("T\($0)", at: 0) }, at: .at(0))
        try run.take([], at: .at(4_000))
        #expect(try Self.stored(run).count == 600)
        try run.kill { $0.engine.consent = .denied }
        for pass in 0..<250 {
            if pass == crash { try run.kill() }
            let (waiting, count) = (run.outboxCount, try Self.stored(run).count)
            try run.go([], at: .at(4_010 + 0.2 * Seconds(pass)), passes: 1)
            #expect(run.outboxCount - waiting <= 256)
            #expect(try count - Self.stored(run).count <= TurnBudget.envelopesMax / TurnBudget.envelopesPerForgotten)
        }
        #expect(try Self.stored(run) == [] && Self.retained(run) == [])
    }
}
