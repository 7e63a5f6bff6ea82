import Broker
import Fleet
import Foundation
import GatewayTestSupport
import Logging
import Messages
import MQTT
import Roads
import Store
import Wire

@testable import Gateway

/// Where in a turn a gateway may be killed.
enum CrashPoint: CaseIterable, Sendable {
    /// The messages are taken from the connection.
    case taken
    case decided
    case committed
    /// The broker has half of what is published, and no acknowledgement.
    case publishedInPart
    /// The broker has all that is published, and no acknowledgement.
    case published
    /// The broker has the acknowledgements, and the gateway not those of its publications.
    case acknowledged
}

/// The time, which goes on when it is told to.
private final class Clock {
    var now = Timestamp(milliseconds: 0)
    private let start = ContinuousClock.now

    var gateway: GatewayClock {
        GatewayClock(time: { self.now }, elapsed: { self.start + .milliseconds(self.now.milliseconds) })
    }
}

/// Which run is to be asked while the store fails.
private final class StorePause: @unchecked Sendable {
    // Sendable: a run and its store are used by one thread.
    weak var run: PipelineRun?
}

/// A gateway on a store of its own and a broker in memory, which is killed and started again at will.
final class PipelineRun {
    let broker: TestBroker
    private var configuration: GatewayConfiguration
    private let folder: URL
    var storePath: String { configuration.store }
    private let clock = Clock()
    private(set) var connection: TestConnection
    private var stores: [Store]
    /// Of the first shard.
    var store: Store { stores[0] }
    private var pipeline: Pipeline
    /// Of the latest start.
    private(set) var shared = SharedState(version: "1")
    private let limits: StoreLimits
    private let network: RoadNetwork?
    /// Called before the store is tried again.
    var whileStoreFails: () -> Void = { Thread.sleep(forTimeInterval: 0.1) }

    private let logger: Logger

    init(
        limits: StoreLimits = .standard, location: StoreLocation? = nil, shards: Int = 1, webhooks: [Webhook] = [],
        network: RoadNetwork? = nil, pattern: TopicPattern = .standard, qos: QoS = .atLeastOnce,
        keepEvents: Double = 86_400,
        logger: Logger = Logger(label: "pipeline") { _ in SwiftLogNoOpLogHandler() }
    ) throws {
        self.logger = logger
        self.limits = limits
        self.network = network
        folder = FileManager.default.temporaryDirectory.appending(path: "pipeline-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var configuration = try GatewayConfiguration.north(
            store: folder.appending(path: "headroom.sqlite").path, keepEvents: keepEvents)
        configuration.location = location ?? .file(configuration.store)
        configuration.webhooks = webhooks
        configuration.shards = shards
        (configuration.pattern, configuration.qos) = (pattern, qos)
        self.configuration = configuration
        broker = TestBroker(configuration.topics)
        connection = broker.connection()
        stores = try Store.open(
            configuration.location, shards: shards, limits: limits, durability: configuration.durability)
        let pause = StorePause()
        pipeline = try Self.pipeline(configuration, stores, network, connection, clock, shared, pause, logger)
        pause.run = self
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static func pipeline(
        _ configuration: GatewayConfiguration, _ stores: [Store], _ network: RoadNetwork?,
        _ connection: TestConnection, _ clock: Clock, _ shared: SharedState, _ pause: StorePause, _ logger: Logger
    ) throws -> Pipeline {
        let pipeline = try Pipeline(
            configuration, parts: stores.map { (Engine(configuration.engine, network: network), $0) },
            connection: connection,
            shared: shared, clock: clock.gateway, deliveryWait: .zero,
            storePause: { _ in
                pause.run?.whileStoreFails()
                return true
            }, logger: logger)
        try pipeline.restore()
        return pipeline
    }

    /// From here on another thread makes what follows from the map.
    ///
    /// - Parameter waitMax: how long a pass waits for what follows from a changed clearance.
    func doMapWorkElsewhere(waitMax: Duration) throws {
        pipeline.mapWait.waitMax = waitMax
        try pipeline.doMapWorkElsewhere()
    }

    /// Everything in memory is lost, and nothing disconnects.
    ///
    /// - Parameter change: what is set otherwise from the next start on.
    func kill(changing change: (inout GatewayConfiguration) throws -> Void = { _ in }) throws {
        for store in stores { try store.close() }
        try change(&configuration)
        stores = try Store.open(
            configuration.location, shards: configuration.shards, limits: limits, durability: configuration.durability)
        connection = broker.connection()
        shared = SharedState(version: "1")
        let pause = StorePause()
        pause.run = self
        pipeline = try Self.pipeline(configuration, stores, network, connection, clock, shared, pause, logger)
    }

    /// Carries out what is published at `time`, to its end.
    ///
    /// - Parameter crash: where the pass that takes it ends in a crash; nil: nowhere.
    func take(_ messages: [Script.Message], at time: Timestamp, crash: CrashPoint? = nil) throws {
        let isFirst = clock.now.milliseconds == 0
        clock.now = time
        if isFirst { try settle() }
        for message in messages { broker.publish(message.topic, message.payload, retain: message.isRetained) }
        if let crash {
            try pass(endingAt: crash)
            try kill()
        }
        try settle()
    }

    /// What has been published, but what was emptied, on topics that end so.
    ///
    /// - Parameter count: of the first publications, which are left out.
    func outputs<Output: Decodable>(
        _ type: Output.Type, _ topicEnding: String, after count: Int = 0
    ) throws -> [Output] {
        try broker.published[count...].filter { $0.topic.hasSuffix(topicEnding) && !$0.payload.isEmpty }
            .map { try JSONDecoder().decode(type, from: Data($0.payload)) }
    }

    /// How many messages are stored and not sent.
    var outboxCount: Int { stores.reduce(0) { $0 + $1.outboxCount } }

    /// The gateway is told to stop at `time`, by a broker that answers nothing from there on, and where each pass takes so long.
    ///
    /// - Returns: when it has stopped.
    func finish(at time: Timestamp, passTakes seconds: Double) throws -> Timestamp {
        clock.now = time
        connection.publicationsAtOnce = 0
        connection.mayGo = { [clock] step in
            if case .poll = step { clock.now = clock.now.adding(seconds) }
            return true
        }
        connection.willDisconnect = { [clock] timeout in
            clock.now = clock.now.adding(timeout / .milliseconds(1_000))
        }
        try pipeline.finish()
        return clock.now
    }

    /// Publishes, and makes some passes at `time`, whatever they leave to be done.
    func go(_ messages: [Script.Message], at time: Timestamp, passes: Int) throws {
        clock.now = time
        for message in messages { broker.publish(message.topic, message.payload, retain: message.isRetained) }
        for _ in 0..<passes { try pipeline.pass(timeout: .zero) }
    }

    /// Whole passes, as the gateway makes them.
    ///
    /// - Returns: of each acknowledgement of a message, how many publications left with it, and how many were stored then.
    func acknowledgements(of messages: [Script.Message], at time: Timestamp) throws -> [(published: Int, stored: Int)] {
        var found: [(published: Int, stored: Int)] = []
        connection.willFlush = { [stores] acknowledged, published in
            if acknowledged > 0 { found.append((published, stores.reduce(0) { $0 + $1.outboxCount })) }
        }
        defer { connection.willFlush = { _, _ in } }
        try take(messages, at: time)
        return found
    }

    /// Whole passes at `time`, until another one would wait for the broker.
    func passWithoutWaiting(at time: Timestamp) throws {
        clock.now = time
        repeat { try pipeline.pass(timeout: .zero) } while !(connection.isQuiet && broker.isDone)
    }

    private func pass(endingAt point: CrashPoint) throws {
        try pipeline.receive(timeout: .zero)
        if point == .taken { return }
        try pipeline.decide()
        if point == .decided { return }
        try pipeline.commit()
        if point == .committed { return }
        try pipeline.publish()
        switch point {
        case .publishedInPart: connection.transmit((connection.waiting + 1) / 2)
        case .published: connection.transmit(connection.waiting)
        default: pipeline.acknowledge()
        }
    }

    /// Passes until nothing is left to do.
    private func settle() throws {
        var quietPasses = 0
        for _ in 0..<100 where quietPasses < 3 {
            try pipeline.pass(timeout: .zero)
            let isQuiet = broker.isDone && connection.isQuiet && outboxCount == 0
            quietPasses = isQuiet ? quietPasses + 1 : 0
        }
        if quietPasses < 3 { throw Unsettled(unsent: outboxCount) }
    }

    /// A hundred passes were not enough.
    struct Unsettled: Error {
        var unsent: Int
    }
}
