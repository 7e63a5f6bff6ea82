import Fleet
import Foundation
import Geo
import Messages
import Testing

/// One RabbitMQ for all tests of a suite: it takes ten seconds to start.
struct RabbitMQSuite: SuiteTrait, TestScoping {
    /// Used by one test at a time.
    private struct Shared: @unchecked Sendable {
        let scratch: Scratch
        let broker: BrokerProcess
    }

    @TaskLocal private static var shared: Shared?

    static var broker: BrokerProcess { get throws { try #require(shared).broker } }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let scratch = try Scratch()
        let shared = Shared(scratch: scratch, broker: try await BrokerProcess.started(scratch, .rabbitMQ))
        try await Self.$shared.withValue(shared) { try await function() }
        try await shared.broker.stop(SIGKILL)
    }
}

extension Trait where Self == RabbitMQSuite {
    static var rabbitMQ: Self { Self() }
}

/// RabbitMQ's MQTT plugin, which sends retained messages to subscriptions without a wildcard only.
@Suite(.serialized, .rabbitMQ)
struct RabbitMQEndToEndTests {
    private static let place = Coordinate(latitude: 42.2803, longitude: -83.7290)
    private static let fence = #"""
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [-83.7290, 42.2803]}, "properties": {"radius": 200}}
        """#

    /// A gateway, and who hears all that is said.
    private struct Scene {
        let scratch: Scratch
        let broker: BrokerProcess
        let gateway: GatewayProcess
        let listener: Listener

        init(_ name: String, roads: Bool = false) async throws {
            scratch = try Scratch()
            broker = try RabbitMQSuite.broker
            let roads = roads ? try await demoRoads(scratch) : nil
            gateway = try Self.gateway(scratch, broker, name, roads: roads, store: "\(name).sqlite")
            listener = try await broker.listener(["fleet/#", "headroom/#"])
        }

        static func gateway(
            _ scratch: Scratch, _ broker: BrokerProcess, _ name: String, roads: String? = nil, store: String
        ) throws -> GatewayProcess {
            try GatewayProcess(
                scratch, broker: broker.url, access: ["protocol: 3.1.1"], roads: roads, name: name, store: store,
                more: "fixes: {reorder: 1 s, hysteresis_time: 2 s}")
        }

        /// Ids of the fences that events of a vehicle tell of.
        func fences(_ vehicle: String) -> Set<String> {
            let events = listener.heard("fleet/\(vehicle)/event").compactMap { $0.object?["fence"] as? [String: Any] }
            return Set(events.compactMap { $0["id"] as? String })
        }

        func report(_ vehicle: String) async throws {
            try await broker.publish(
                "fleet/\(vehicle)/location",
                Fix(position: RabbitMQEndToEndTests.place, time: Timestamp.now, accuracy: 5).json)
        }

        /// - Parameter count: of fixes since the gateway's start.
        func untilRefused(_ count: Double) async throws {
            try await eventually(within: .seconds(10), "not refused: \(gateway.errors.suffix(500))") {
                try await gateway.metric("headroom_rejected_total")[#"{reason="no-consent"}"#] == count
            }
        }

        func enter(_ fence: String) async throws {
            try await broker.publish("headroom/fences/\(fence)", RabbitMQEndToEndTests.fence, retain: true)
            try await eventually(within: .seconds(10), "no answer: \(gateway.errors.suffix(500))") {
                !listener.heard("headroom/fences/\(fence)/result").isEmpty
            }
        }
    }

    @Test(
        "A truck's retained height is known and a retained refusal honoured, over a stop and a kill of the gateway",
        .timeLimit(.minutes(6)))
    func truck() async throws {
        let scene = try await Scene("one", roads: true)
        try await scene.broker.publish("fleet/T42/profile", DemoTruck.profile, retain: true)
        try await scene.broker.publish("fleet/DENIES/consent", #"{"status": "denied"}"#, retain: true)
        try await scene.gateway.start()
        let ready = try await scene.gateway.get("/readyz").body
        #expect(ready.contains("sends no retained messages to wildcard subscriptions"), "\(ready)")
        #expect(scene.gateway.errors.contains("sends no retained messages to wildcard subscriptions"))

        for _ in 0..<3 { try await scene.report("DENIES") }
        try await scene.untilRefused(3)
        try await RushingTruck(scene.broker, scene.gateway).driveOverStopAndKill(scene.listener)
        // Since the kill.
        try await scene.report("DENIES")
        try await scene.untilRefused(1)
        #expect(scene.listener.heard("fleet/DENIES/state").isEmpty)
        #expect(!scene.gateway.errors.contains("DENIES"))
        #expect(try await scene.gateway.stop().status == 0)
    }

    @Test(
        "Fences outlive a restart of the broker and a lost session; what changed meanwhile is found topic by topic",
        .timeLimit(.minutes(6)))
    func sessions() async throws {
        let scene = try await Scene("two")
        try await scene.gateway.start()
        for fence in ["stays", "lost"] { try await scene.enter(fence) }
        try await scene.report("T51")
        try await eventually(within: .seconds(10), "no event") { scene.fences("T51") == ["stays", "lost"] }

        try await scene.broker.stop()
        try await scene.broker.start()
        try await scene.gateway.becomeReady(within: .seconds(60))
        let ear = try await scene.broker.listener(["fleet/#", "headroom/#"])
        try await scene.report("T52")
        try await eventually(within: .seconds(10), "no event after the restart: \(scene.gateway.errors.suffix(800))") {
            ear.heard("fleet/T52/event").count == 2
        }
        #expect(try await scene.gateway.metric("headroom_retained_missing").isEmpty)
        try await scene.gateway.stop()

        // While no session of this gateway's is there: the one is emptied, the other's name is new, a truck refuses.
        try await scene.broker.publish("headroom/fences/lost", "", retain: true)
        let renamed = Self.fence.replacing(#""radius""#, with: #""name": "anew", "radius""#)
        try await scene.broker.publish("headroom/fences/stays", renamed, retain: true)
        try await scene.broker.publish("fleet/T51/consent", #"{"status": "denied"}"#, retain: true)
        let heir = try Scene.gateway(scene.scratch, scene.broker, "heir", store: "two.sqlite")
        try await heir.start()
        try await eventually(within: .seconds(10), "nothing is published again: \(heir.errors.suffix(800))") {
            try await heir.metric("headroom_retained_republished_total") == ["": 1]
        }
        try await eventually(within: .seconds(10), "still missing") {
            try await heir.metric("headroom_retained_missing").isEmpty
        }
        try await eventually(within: .seconds(10), "T51 is still told of") {
            ear.heard("fleet/T51/state").last?.payload.isEmpty == true
        }
        let fences = try await heir.get("/api/v1/fences").body
        #expect(fences.contains(#""anew""#) && fences.contains(#""lost""#), "\(fences)")
        try await scene.report("T53")
        try await eventually(within: .seconds(10), "no event") { ear.heard("fleet/T53/event").count == 2 }
        let retained = try await scene.broker.listener(["headroom/fences/stays", "headroom/fences/lost"])
        #expect(Set(retained.heard.map(\.payload)) == [renamed, Self.fence])
        try await heir.stop()
    }

    @Test(
        "Where it closes an MQTT 5 connection without a reason code, the log names the setting", .timeLimit(.minutes(6))
    )
    func version() async throws {
        let scratch = try Scratch()
        let gateway = try GatewayProcess(scratch, broker: try RabbitMQSuite.broker.url, roads: nil, name: "five")
        try gateway.launch()
        try await eventually(within: .seconds(10), "\(gateway.errors)") {
            gateway.errors.contains("set `broker.protocol: 3.1.1`")
        }
        try await gateway.stop()
    }
}
