import Broker
import Fleet
import FleetTestSupport
import Foundation
import GatewayTestSupport
import Logging
import MQTT
import Messages
import Roads
import Store
import Testing

@testable import FaultCampaign
@testable import Gateway

/// A gateway of a cluster of two queues, with a store that fails when it is told to, and a clock that is set.
private final class TakeOverScene: @unchecked Sendable {
    // Sendable: one thread uses it.
    static let queues = 2

    private let folder: URL
    private let network: RoadNetwork?
    private let configuration: GatewayConfiguration
    let rabbitMQ: SimulatedRabbitMQ
    private let broker: TestBroker
    private let origin = ContinuousClock.now
    private var seconds = 0.0
    /// Why the shards cannot be taken over.
    var failures: [Int: StoreError] = [:]
    /// Why the store is found unusable before queues are consumed.
    var problem: StoreError?
    private(set) var shared = SharedState(version: "1")
    private(set) var pipeline: Pipeline!

    init(network: RoadNetwork? = nil) throws {
        self.network = network
        folder = FileManager.default.temporaryDirectory.appending(path: "take-over-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        configuration = try GatewayConfiguration.north(store: folder.appending(path: "headroom.sqlite").path)
        rabbitMQ = SimulatedRabbitMQ(try ClusterTopology(configuration, queues: Self.queues))
        broker = TestBroker(configuration.topics)
        try start()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Another process in the place of this one, which has ended.
    func start() throws {
        if pipeline != nil { try pipeline.finish() }
        var configuration = configuration
        configuration.cluster = ClusterSettings(queues: Self.queues, prefetch: 1_000) { [unowned self] in
            SimulatedQueueConnection(rabbitMQ) { _ in }
        }
        shared = SharedState(version: "1")
        shared.readiness.setStoreProblem(nil)
        pipeline = try Pipeline(
            configuration, parts: [],
            takeOver: { [unowned self] index in
                if let error = failures[index] { throw error }
                let store = try Store(path: folder.appending(path: "\(index).sqlite").path)
                return (Engine(configuration.engine, network: network), store)
            },
            requireStore: { [unowned self] in if let problem { throw problem } },
            connection: broker.connection(), shared: shared,
            clock: GatewayClock(
                time: { [unowned self] in .at(seconds) },
                elapsed: { [unowned self] in origin + .milliseconds(Int64(seconds * 1_000)) }),
            storePause: { _ in false }, logger: Logger(label: "cluster") { _ in SwiftLogNoOpLogHandler() })
    }

    var time: Timestamp { .at(seconds) }

    func publish(_ messages: [Script.Message]) {
        for message in messages { rabbitMQ.publish(topic: message.topic, Array(message.payload.utf8)) }
    }

    /// Positions of so many vehicles.
    func report(_ count: Int) {
        let fix = Fix(position: Drawing.place(0, 0), time: time, accuracy: 5, speed: 10, course: 90)
        publish((0..<count).map { Script.location("T\($0)", fix) })
    }

    func pass(for duration: Double, every pause: Double = 0.5) throws {
        let end = seconds + duration
        while seconds < end {
            try pipeline.pass(timeout: .zero)
            seconds += pause
        }
    }

    func letPass(_ duration: Double) { seconds += duration }

    var vehicleCounts: [Int: Int] {
        Dictionary(uniqueKeysWithValues: pipeline.shards.map { ($0.place.index, $0.engine.vehicleCount) })
    }
    var certainties: [AlertMessage.Certainty] {
        get throws {
            try broker.published.filter { $0.topic == "fleet/T42/alert" }.map {
                try JSONDecoder().decode(Alert.self, from: Data($0.payload)).certainty
            }
        }
    }

    private struct Alert: Decodable {
        let certainty: AlertMessage.Certainty
    }
}

struct TakeOverTests {
    private let failure = StoreError.diskFull(path: "store")

    @Test("However long shards cannot be taken over, whatever the check of the store says, no message is put aside")
    func failing() throws {
        let scene = try TakeOverScene()
        scene.failures = [0: failure, 1: failure]
        scene.report(20)
        try scene.pass(for: 3_600)
        #expect(scene.rabbitMQ.undelivered == [])
        #expect(scene.shared.readiness.problems.contains { $0.contains("its disk is full") })
        scene.failures = [:]
        try scene.pass(for: 605)
        #expect(scene.vehicleCounts.values.reduce(0, +) == 20)
    }

    @Test("As long as the store is found unusable nothing is consumed; once it is usable all is, within seconds")
    func unusable() throws {
        let scene = try TakeOverScene()
        (scene.failures, scene.problem) = ([0: failure, 1: failure], failure)
        scene.report(20)
        try scene.pass(for: 10)
        let deliveries = scene.rabbitMQ.deliveryCount
        try scene.pass(for: 3_600)
        #expect(scene.rabbitMQ.deliveryCount == deliveries)
        (scene.failures, scene.problem) = ([:], nil)
        try scene.pass(for: 5)
        #expect(scene.vehicleCounts.values.reduce(0, +) == 20)
        #expect(!scene.shared.readiness.problems.contains { $0.contains("store") })
    }

    @Test("A shard that cannot be taken over, as where there are too few connections, costs the others nothing")
    func oneOfTwo() throws {
        let scene = try TakeOverScene()
        let refused = StoreError.refused(path: "store", reason: "too many connections for role")
        (scene.failures, scene.problem) = ([1: refused], refused)
        scene.report(20)
        try scene.pass(for: 10)
        let count = try #require(scene.vehicleCounts[0])
        #expect(scene.vehicleCounts[1] == nil && count > 0 && count < 20)
        scene.report(40)
        try scene.pass(for: 600)
        #expect(try #require(scene.vehicleCounts[0]) > count)
        #expect(scene.shared.readiness.problems.contains { $0.contains("it refuses the connection") })
        (scene.failures, scene.problem) = ([:], nil)
        try scene.pass(for: 10)
        #expect(scene.vehicleCounts.values.reduce(0, +) == 40)
        #expect(scene.rabbitMQ.undelivered == [])
    }

    private static let fixes = Journey(line: [Drawing.place(2_600, 0), Drawing.place(3_000, 0)]).fixes

    /// A gateway that has taken over the shard of a truck that is too tall for a bridge, with a fix before it in the queue, and has
    /// not gone on to anything else.
    private func takenOver() throws -> TakeOverScene {
        let scene = try TakeOverScene(network: Drawing.bridge("3.5").network)
        let profile = Script.Message(topic: "fleet/T42/profile", payload: #"{"height": 3.8, "source": "driver"}"#)
        scene.publish([profile, Script.location("T42", Self.fixes[0])])
        try scene.pass(for: 5)
        try scene.start()
        try scene.pipeline.doMapWorkElsewhere()
        var fix = Self.fixes[1]
        fix.time = scene.time
        scene.publish([Script.location("T42", fix)])
        try scene.pipeline.receive(timeout: .zero)
        return scene
    }

    @Test("Fixes of a shard that has been taken over wait in its queue for the hazards of its vehicles")
    func hazards() throws {
        let scene = try takenOver()
        #expect(!scene.pipeline.shards.isEmpty && scene.pipeline.waitingCount == 0)
        for _ in 0..<100 where scene.pipeline.shards.contains(where: \.engine.awaitsHazards) {
            Thread.sleep(forTimeInterval: 0.05)
            try scene.pass(for: 0.01, every: 0.01)
        }
        try scene.pass(for: 5)
        #expect(try !scene.certainties.isEmpty && scene.certainties.allSatisfy { $0 == .likely })
    }

    @Test("They wait for ten seconds at most")
    func hazardsTooLate() throws {
        let scene = try takenOver()
        scene.letPass(9.5)
        try scene.pipeline.receive(timeout: .zero)
        #expect(scene.pipeline.waitingCount == 0)
        scene.letPass(1)
        try scene.pipeline.receive(timeout: .zero)
        #expect(scene.pipeline.waitingCount > 0)
    }
}
