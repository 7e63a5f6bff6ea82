import Broker
import Fleet
import Foundation
import Logging
import Roads
import Store
import Wire

/// The way of every message, in one order that never changes:
///
///     receive → decode → decide → commit → publish → acknowledge
///
/// Each step may happen twice, after a crash or a lost connection, and nothing may be lost: what was not acknowledged comes
/// again, the engine derives the same ids again, and what was committed and not sent is sent after the restart.
///
/// Runs on one thread, which owns the broker connection, the engine and the store.
final class Pipeline {
    private let configuration: GatewayConfiguration
    private let link: BrokerLink
    private let engine: Engine
    private let store: Store
    private var intake: Intake
    private let encoder: WireEncoder
    private let stateEncoder = JSONEncoder()
    private let metrics: GatewayMetrics
    private let readiness: Readiness
    private var outbox: OutboxSender
    private var rejections: RejectionLog
    private let logger: Logger

    init(
        _ configuration: GatewayConfiguration, engine: Engine, store: Store, metrics: GatewayMetrics,
        readiness: Readiness, logger: Logger
    ) throws {
        self.configuration = configuration
        self.engine = engine
        self.store = store
        self.metrics = metrics
        self.readiness = readiness
        self.logger = logger
        link = try BrokerLink(configuration, readiness: readiness, metrics: metrics, logger: logger)
        intake = Intake(configuration)
        encoder = WireEncoder(pattern: configuration.pattern)
        outbox = OutboxSender(logger: logger)
        rejections = RejectionLog(logger: logger)
    }

    var waker: Waker { link.waker }

    /// Takes up what the store holds.
    func restore() throws {
        let count = try store.loadVehicles { kept in
            do {
                engine.restore(try JSONDecoder().decode(Vehicle.self, from: Data(kept.state)))
            } catch {
                logger.error("The state of vehicle \(kept.address.vehicle) cannot be read and starts anew: \(error)")
            }
        }
        try store.loadRetained { topic, payload in
            for input in intake.restore(topic, payload) { engine.restore(input) }
        }
        var turns: [TurnCounts.Row] = []
        try store.loadTurns { turns.append(TurnCounts.Row($0)) }
        engine.restore(turns)
        engine.prepare()
        metrics.vehicles.set(count)
        logger.info("Restored \(count) vehicles, \(store.outboxCount) messages wait to be sent")
    }

    /// One pass: waits up to a second for messages, then takes all of them the whole way.
    func pass(timeout: Duration = .seconds(1)) throws {
        let delivered = try link.poll(timeout: timeout) { answer in
            if case .reconnected(isNewSession: true) = answer { intake.sessionIsNew() }
            return outbox.settle(answer)
        }
        let now = Timestamp.now
        let batch = take(link.takeMessages(), at: now)
        let effects = engine.handle([.tick(now)] + batch.inputs)
        try commit(effects, batch, delivered: delivered, at: now)
        try send(at: now)
        link.acknowledge()

        account(for: effects, receivedAt: now)
    }

    /// Another road file, or other clearances beside it, are in force from here on.
    func replace(_ network: RoadNetwork?, clearances: [PointClearance]) throws {
        let now = Timestamp.now
        let effects = engine.replace(network, clearances: clearances, at: now)
        try commit(effects, Intake.Batch(), delivered: [], at: now)
    }

    /// Sends what can be sent within two seconds, then says goodbye.
    func finish() throws {
        let deadline = ContinuousClock.now + .seconds(2)
        while link.isConnected, store.outboxCount > 0, ContinuousClock.now < deadline {
            // Whole passes: a message taken and not acknowledged would hold back what is to be sent.
            try pass(timeout: .milliseconds(50))
        }
        link.sayGoodbye()
    }

    // MARK: Steps

    private func take(_ messages: [ReceivedMessage], at now: Timestamp) -> Intake.Batch {
        metrics.messagesReceived.add(messages.count)
        var batch = Intake.Batch()
        for message in messages {
            if link.isProbe(message) {
                intake.retainedAreComplete(at: now, &batch)
            } else {
                intake.take(message, at: now, &batch)
            }
        }
        for (reason, topic) in batch.rejections {
            metrics.rejected[reason].add()
            rejections.note(reason, "on \(topic)", at: now)
        }
        return batch
    }

    private func commit(_ effects: Effects, _ taken: Intake.Batch, delivered: [Int64], at now: Timestamp) throws {
        let results = (taken.registrations + effects.registrations).map { $0.encoded(on: configuration.topics) }
        let messages = (effects.envelopes.compactMap { encoder.encode($0, publishedAt: now) } + results)
            .map { OutboxMessage($0, qos: configuration.qos, at: now) }
        let changed = try effects.changed.sorted().compactMap { engine.vehicle($0) }.map { vehicle in
            StoredVehicle(address: vehicle.address, state: [UInt8](try stateEncoder.encode(vehicle)))
        }
        let batch = StoreBatch(
            time: now, changed: changed, outbox: messages, delivered: delivered, retained: taken.retained,
            turns: effects.turns.map { StoredTurn($0) })
        guard !batch.isEmpty else { return }
        let start = ContinuousClock.now
        let ids = try store.commit(batch)
        metrics.storeCommits.observe((ContinuousClock.now - start).seconds)
        readiness.set(.storeWritable, true)
        outbox.add(zip(ids, messages).map { OutboxEntry(id: $0, message: $1, createdAt: now) })
    }

    private func send(at now: Timestamp) throws {
        try outbox.send(over: link, from: store, at: now)
        metrics.outboxPending.set(store.outboxCount)
    }

    private func account(for effects: Effects, receivedAt: Timestamp) {
        metrics.fixes.add(effects.fixesAccepted)
        metrics.vehicles.set(engine.vehicleCount)
        for (vehicle, reason) in effects.rejections {
            metrics.rejected[reason].add()
            rejections.note(reason, "from \(vehicle)", at: receivedAt)
        }
        for case .alert(let alert) in effects.envelopes.map(\.message) {
            metrics.alerts[alert.stage].add()
            metrics.fixToPublish.observe(Timestamp.now.since(receivedAt))
            logger.info(
                "\(alert.vehicle): \(alert.stage.rawValue) \(alert.clearance.id)",
                metadata: ["alert": "\(alert.id)", "sequence": "\(alert.sequence)"])
        }
    }
}

extension Timestamp {
    /// The wall clock. Only adapters read it; the engine is told the time.
    static var now: Timestamp {
        Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded()))
    }
}

extension Duration {
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}

extension StoredTurn {
    init(_ row: TurnCounts.Row) { self.init(edge: Edge(row.arriving), next: Edge(row.next), count: row.count) }
}

extension StoredTurn.Edge {
    fileprivate init(_ key: EdgeKey) { self.init(way: key.way, from: key.from, to: key.to) }
}

extension TurnCounts.Row {
    init(_ turn: StoredTurn) {
        self.init(arriving: EdgeKey(turn.edge), next: EdgeKey(turn.next), count: turn.count)
    }
}

extension EdgeKey {
    fileprivate init(_ edge: StoredTurn.Edge) { self.init(way: edge.way, from: edge.from, to: edge.to) }
}

extension OutboxMessage {
    init(_ message: OutboundMessage, qos: QoS, at now: Timestamp) {
        self.init(
            topic: message.topic, payload: message.payload, qos: Int(qos.rawValue), retain: message.retain,
            expiresAt: message.expirySeconds.map { now.adding(Double($0)) }, contentType: OutboundMessage.contentType,
            userProperties: message.userProperties.map { UserProperty(name: $0.name, value: $0.value) })
    }
}
