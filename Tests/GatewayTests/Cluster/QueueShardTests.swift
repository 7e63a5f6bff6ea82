import Broker
import Fleet
import FleetTestSupport
import Foundation
import GatewayTestSupport
import Logging
import MQTT
import Messages
import Store
import Testing
import Wire

@testable import Gateway

/// A part of a fleet whose messages come out of a queue of RabbitMQ's.
struct QueueShardTests {
    @Test(
        "A part of a cluster's store says by which topics the queues divide the vehicles, whichever are in use",
        arguments: [true, false])
    func keyPattern(isQueue: Bool) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "queue-shard-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try Store(path: folder.appending(path: "headroom.sqlite").path)
        var configuration = try GatewayConfiguration.north(store: store.path)
        configuration.keyPattern = try TopicPattern("trucks/{v}")
        let shard = Shard(
            configuration.part(isQueue ? ShardPlace(0, of: 2, isQueue: true) : .whole),
            engine: Engine(configuration.engine, network: nil), store: store, shared: SharedState(version: "1"),
            clock: GatewayClock(), deliveryWait: .zero, wake: {},
            logger: Logger(label: "shard") { _ in SwiftLogNoOpLogHandler() })
        try shard.restore(retryingWith: StoreRetry(failed: { _, _ in false }, recovered: {}))
        #expect(try store.meta(Decider.keyPatternKey) == (isQueue ? "trucks/{v}" : nil))
        #expect(try store.meta(TopicPatterns.storeKey) == "fleet/{v}")
    }

    @Test(
        "A new MQTT session holds back no fix that comes out of a queue, and one that comes over MQTT",
        arguments: [true, false])
    func newSession(isQueue: Bool) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "queue-shard-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try Store(path: folder.appending(path: "headroom.sqlite").path)
        let configuration = try GatewayConfiguration.north(store: store.path)
        let time = Timestamp(milliseconds: 1_784_000_000_000)
        let shard = Shard(
            configuration.part(isQueue ? ShardPlace(0, of: 2, isQueue: true) : .whole),
            engine: Engine(configuration.engine, network: nil), store: store, shared: SharedState(version: "1"),
            clock: GatewayClock(time: { time }, elapsed: { .now }), deliveryWait: .zero, wake: {},
            logger: Logger(label: "shard") { _ in SwiftLogNoOpLogHandler() })
        try shard.restore(retryingWith: StoreRetry(failed: { _, _ in false }, recovered: {}))
        shard.settle(.reconnected(.new))
        let fix = Script.location(
            "T1", Fix(position: Drawing.place(0, 0), time: time, accuracy: 5, speed: 10, course: 90))
        let message = ReceivedMessage(
            topic: fix.topic, payload: Array(fix.payload.utf8), qos: .atLeastOnce, retained: false)
        shard.receive([message], isUpToDate: true, isOverloaded: false, mark: nil) { _ in false }
        try shard.decide(share: 1, endsAtChange: false) { _ in false }
        #expect(shard.engine.vehicleCount == (isQueue ? 1 : 0))
    }
}
