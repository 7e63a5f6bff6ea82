import Fleet
import Foundation
import Messages
import Testing

/// The gateway goes away in the middle of a trip and comes back: nothing is lost and nothing is said under another id.
struct RestartEndToEndTests {
    @Test(
        "Killed twice on a trip, the gateway loses no stage and repeats none under another id", .timeLimit(.minutes(8)))
    func killed() async throws { try await drive(endingBy: SIGKILL) }

    @Test("Stopped in good order and started again, the gateway goes on where it was", .timeLimit(.minutes(8)))
    func stopped() async throws { try await drive(endingBy: SIGTERM) }

    @Test(
        "Stopped while many messages arrive, the gateway publishes that it is offline, and ends within five seconds without error",
        .timeLimit(.minutes(6)))
    func stoppedUnderLoad() async throws {
        let scratch = try Scratch()
        let broker = try await BrokerProcess.started(scratch)
        let gateway = try GatewayProcess(scratch, broker: broker.url, roads: try await demoRoads(scratch))
        let listener = try await broker.listener(["headroom/status/gateway"])
        try await gateway.start()
        // Each of these changes the vehicle's state, which is published.
        let client = try broker.speaker("fleet/T42/presence")
        for number in 0..<20_000 { try client.write(line: number.isMultiple(of: 2) ? "online" : "offline") }
        gateway.send(SIGTERM)
        // A second for the machine, on which other tests run.
        let ending = try await gateway.end(within: .seconds(6))
        #expect(ending.status == 0, "\(gateway.errors.suffix(500))")
        try await eventually(within: .seconds(5), "status: \(Self.statuses(listener))") {
            Self.statuses(listener) == ["online", "offline"]
        }
        #expect(!["Fatal error", "CancellationError", " error "].contains(where: gateway.errors.contains))
    }

    private func drive(endingBy signal: Int32) async throws {
        let scratch = try Scratch()
        let broker = try await BrokerProcess.started(scratch)
        let gateway = try GatewayProcess(scratch, broker: broker.url, roads: try await demoRoads(scratch))
        let listener = try await broker.listener(["fleet/+/alert", "headroom/status/gateway"])
        try await gateway.start()
        try await broker.publish("fleet/T42/profile", DemoTruck.profile, retain: true)
        let client = try broker.speaker("fleet/T42/location")
        let fixes = Array(try DemoTruck().drive(from: Timestamp.now.adding(1)))

        var saboteur = Saboteur(gateway: gateway, signal: signal)
        try await publish(fixes.map { ($0, client) }) {
            try await saboteur.look(at: listener.heard.compactMap(\.alert?.stage))
        }
        #expect(saboteur.isDone)
        try await eventually(within: .seconds(30), "told: \(listener.heard.compactMap(\.alert?.stage))") {
            listener.heard.contains { $0.alert?.stage == "passed" }
        }
        try await gateway.stop()

        let alerts = listener.heard("fleet/T42/alert").compactMap(\.alert)
        let ids = Set(alerts.map(\.id))
        #expect(ids.count == 1)
        let told = Dictionary(grouping: alerts, by: \.sequence).mapValues { Set($0.map(\.stage)) }
        #expect(told == [1: ["ahead"], 2: ["detour"], 3: ["stop"], 4: ["passed"]])
        #expect(alerts.map(\.sequence) == alerts.map(\.sequence).sorted())
        // A clean stop publishes `offline`, and the will does after a kill.
        try await eventually(within: .seconds(5), "status: \(Self.statuses(listener))") {
            Self.statuses(listener) == ["online", "offline", "online", "offline", "online", "offline"]
        }
    }

    private static func statuses(_ listener: Listener) -> [String] {
        listener.heard("headroom/status/gateway").compactMap { $0.object?["status"] as? String }
    }
}

/// Ends the gateway half a minute after `ahead`, and again between `detour` and `stop`; each time it is away for three
/// seconds, in which the truck goes on reporting.
private struct Saboteur {
    private static let away: Duration = .seconds(3)
    private static let afterAhead: Duration = .seconds(30)

    let gateway: GatewayProcess
    let signal: Int32
    private var heardAhead: ContinuousClock.Instant?
    private var endings = 0
    private var backAt: ContinuousClock.Instant?

    init(gateway: GatewayProcess, signal: Int32) {
        self.gateway = gateway
        self.signal = signal
    }

    var isDone: Bool { endings == 2 && backAt == nil }

    mutating func look(at stages: [String]) async throws {
        let now = ContinuousClock.now
        if heardAhead == nil, stages.contains("ahead") { heardAhead = now }
        if let backAt {
            guard now >= backAt else { return }
            self.backAt = nil
            return try gateway.launch()
        }
        let isFirstDue = endings == 0 && heardAhead.map { now - $0 >= Self.afterAhead } ?? false
        let isSecondDue = endings == 1 && stages.contains("detour") && !stages.contains("stop")
        guard isFirstDue || isSecondDue else { return }
        endings += 1
        let ending = try await gateway.stop(signal)
        #expect(ending.status == (signal == SIGTERM ? 0 : nil), "\(gateway.errors.suffix(500))")
        backAt = .now + Self.away
    }
}
