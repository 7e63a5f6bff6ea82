import Broker
import Fleet
import Foundation
import Logging
import Messages
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
    private let intake: Intake
    private var retained: RetainedInputs
    private var composer: BatchComposer
    private let board: Switchboard
    private var outbox: OutboxSender
    private var dispatch: DispatchRounds
    private var painter = LivePainter()
    private var rejections: RejectionLog
    private var pace = PassPace()
    /// The newest mark of the broker's that is kept.
    private var storedMark: Int?
    private var rewrittenAt = Timestamp(milliseconds: 0)
    private let logger: Logger

    init(
        _ configuration: GatewayConfiguration, engine: Engine, store: Store, board: Switchboard, logger: Logger
    ) throws {
        self.configuration = configuration
        self.engine = engine
        self.store = store
        self.board = board
        self.logger = logger
        link = try BrokerLink(configuration, readiness: board.readiness, metrics: board.metrics, logger: logger)
        intake = Intake(configuration)
        retained = RetainedInputs(configuration, logger: logger)
        composer = BatchComposer(configuration)
        outbox = OutboxSender(logger: logger)
        dispatch = DispatchRounds(board.desk, qos: configuration.qos, topics: configuration.topics)
        rejections = RejectionLog(logger: logger)
    }

    var waker: Waker { link.waker }
    private var metrics: GatewayMetrics { board.metrics }

    /// Takes up what the store holds.
    func restore() throws {
        let count = try store.loadVehicles { kept in
            do {
                engine.restore(try kept.vehicle())
            } catch {
                logger.error("The state of vehicle \(kept.address.vehicle) cannot be read and starts anew: \(error)")
            }
        }
        engine.restore(try store.loadFences())
        for refusal in try store.loadRefusals() { engine.restore(refusal) }
        try store.loadRetained { topic, payload in
            for input in intake.restore(topic, payload) { engine.restore(input) }
        }
        if configuration.keepPositions <= 0 { try store.removeTracks() }
        var turns: [TurnCounts.Row] = []
        try store.loadTurns { turns.append(TurnCounts.Row($0)) }
        engine.restore(turns)
        engine.prepare()
        storedMark = try store.meta(RetainedInputs.markKey).flatMap { Int($0) }
        link.restore(mark: storedMark)
        retained.restore(
            try store.meta(RetainedInputs.deliveryKey).flatMap(RetainedDelivery.init),
            vehicles: engine.addresses.map(\.vehicle))
        metrics.vehicles.set(count)
        logger.info("Restored \(count) vehicles, \(store.outboxCount) messages wait to be sent")
    }

    /// One pass: waits up to a second for messages, then takes all of them the whole way.
    func pass(timeout: Duration = .seconds(1)) throws {
        link.inboxLimit = pace.messagesMax
        var newSession: Bool?
        let delivered = try link.poll(timeout: timeout) { answer in
            if case .reconnected(let isNewSession) = answer { newSession = isNewSession || newSession == true }
            dispatch.settle(answer)
            return outbox.settle(answer)
        }
        if let newSession { try connected(isNewSession: newSession) }
        let (now, began) = (Timestamp.now, ContinuousClock.now)
        let messages = link.takeMessages()
        let batch = try take(messages, at: now)
        let effects = engine.handle([.tick(now)] + batch.inputs)
        try commit(effects, batch, delivered: delivered, at: now)
        try send(effects, at: now)
        link.acknowledge()
        pace.note(messages.count, took: (ContinuousClock.now - began).seconds)

        account(for: effects, batch, receivedAt: now)
        show(effects, batch, at: now)
        rewriteIfDue(at: now)
    }

    /// Other files are in force from here on.
    func replace(_ files: GatewayFiles) throws {
        let now = Timestamp.now
        let effects = engine.replace(files.network, clearances: files.clearances, fences: files.fences, at: now)
        try commit(effects, Intake.Batch(), delivered: [], at: now)
        show(effects, Intake.Batch(), at: now)
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

    /// Whoever waits for something from this thread waits in vain.
    func dismiss() {
        dispatch.end()
        board.view.end()
    }

    // MARK: Steps

    private func take(_ messages: [ReceivedMessage], at now: Timestamp) throws -> Intake.Batch {
        metrics.messagesReceived.add(messages.count)
        var batch = Intake.Batch()
        for message in messages {
            dispatch.note(message)
            if let answer = link.probeAnswer(message) {
                try settle(answer, &batch)
            } else if try retained.isNews(message, kept: store.retained) {
                let first = batch.inputs.count
                intake.take(message, at: now, &batch)
                retained.hold(&batch, from: first)
            } else {
                link.inputsChanged()
            }
        }
        retained.endWaiting(at: now, isKnown: engine.knows, &batch)
        link.readRetained { retained.nextQuestion() }
        return batch
    }

    private func connected(isNewSession: Bool) throws {
        let review = try store.meta(RetainedInputs.reviewKey).flatMap(RetainedInputs.Review.init)
        if isNewSession {
            retained.sessionIsNew(kept: try store.retainedTopics())
            if review != .unfinished { try note(.unfinished) }
        } else if let review, review != .finished, !retained.isAwaiting {
            // The program ended before that was done: what came before does not come again by itself.
            retained.compare(review, kept: try store.retainedTopics())
        } else {
            retained.sessionIsResumed()
        }
    }

    private func brokerHasEarlierState() throws {
        logger.warning(
            "The broker may have been restored from an earlier state; its retained messages are compared with those kept here"
        )
        try note(.earlierState)
        retained.compare(.earlierState, kept: try store.retainedTopics())
    }

    private func note(_ review: RetainedInputs.Review) throws {
        _ = try store.commit(StoreBatch(time: .now, meta: [RetainedInputs.reviewKey: review.rawValue]))
    }

    /// Inputs that have waited for the answer follow what has come before it.
    private func settle(_ answer: ProbeAnswer, _ batch: inout Intake.Batch) throws {
        let wasAwaiting = retained.isAwaiting
        defer { batch.hasReviewEnded = batch.hasReviewEnded || wasAwaiting && !retained.isAwaiting }
        switch answer {
        case .nothing: break
        case .earlierState: try brokerHasEarlierState()
        case .retainedRead: batch.inputs += retained.answered()
        case .probed(let delivery):
            if delivery != retained.delivery { batch.delivery = delivery }
            board.readiness.set(delivery)
            batch.inputs += retained.probed(delivery, vehicles: engine.addresses)
        }
    }

    private func commit(_ effects: Effects, _ taken: Intake.Batch, delivered: [Int64], at now: Timestamp) throws {
        let holdings = try effects.forgettings.map { forgetting in
            let vehicle = forgetting.request.vehicle
            return try store.holdings(of: vehicle) { configuration.pattern.concerns(vehicle, $0) }
        }
        var batch = composer.batch(
            effects, taken, of: engine, holdings: holdings, delivered: delivered, at: now)
        batch.removedTopics += try keptTopics(of: effects.forgotten)
        if let mark = link.mark, mark != storedMark { batch.meta[RetainedInputs.markKey] = "\(mark)" }
        guard !batch.isEmpty else { return }
        let start = ContinuousClock.now
        let ids = try store.commit(batch)
        metrics.storeCommits.observe((ContinuousClock.now - start).seconds)
        board.readiness.set(.storeWritable, true)
        storedMark = link.mark
        if !batch.retained.isEmpty { link.inputsChanged() }
        outbox.leaveOut(batch.removedTopics)
        retained.forget(batch.removed, topics: batch.removedTopics)
        outbox.add(zip(ids, batch.outbox).map { OutboxEntry(id: $0, message: $1, createdAt: now) })
    }

    /// Topics of which an input of these vehicles is kept beside those of their addresses: other levels may be named there.
    private func keptTopics(of addresses: [VehicleAddress]) throws -> [String] {
        guard configuration.pattern.namedLevelCount > 0 else { return [] }
        return try addresses.flatMap { address in
            try store.holdings(of: address.vehicle) { configuration.pattern.concerns(address.vehicle, $0) }.inputs
        }
    }

    /// What was removed leaves the file for good, once it has been said to whom it concerned; at most once a minute, for
    /// nothing else is done meanwhile.
    private func rewriteIfDue(at now: Timestamp) {
        guard store.isRewriteDue, now.since(rewrittenAt) >= 60 else { return }
        rewrittenAt = now
        do {
            try store.rewriteIfDue()
        } catch {
            logger.warning("What is left in the store of vehicles that were removed stays for now: \(error)")
        }
    }

    private func send(_ effects: Effects, at now: Timestamp) throws {
        try outbox.send(over: link, from: store, at: now)
        dispatch.publish(over: link)
        metrics.retainedRepublished.add(try retained.republish(over: link, from: store))
        metrics.retainedMissing.set(retained.missing)
        board.readiness.setRetainedMissing(retained.missing)
        // Asked again within the hour, if it cannot be asked now.
        for message in composer.fleeting(effects, at: now) { _ = try? link.publish(message) }
        metrics.outboxPending.set(store.outboxCount)
    }

    /// What is committed may be seen; what came back by way of the console is answered.
    private func show(_ effects: Effects, _ taken: Intake.Batch, at now: Timestamp) {
        painter.note(effects)
        for address in effects.forgotten { board.messages.forget(address.vehicle) }
        board.messages.add(composer.told)
        // Who is told that an entry is in force must find it there.
        if dispatch.hasReturned { board.view.expire() }
        if board.view.isAwaited { board.view.show(painter.paint(engine, isConnected: link.isConnected, at: now)) }
        dispatch.answer(effects, taken)
    }

    private func account(for effects: Effects, _ taken: Intake.Batch, receivedAt: Timestamp) {
        metrics.fixes.add(effects.fixesAccepted)
        metrics.vehicles.set(engine.vehicleCount)
        for forgetting in effects.forgettings {
            logger.info("A vehicle was forgotten", metadata: ["request": "\(forgetting.request.id ?? "none")"])
        }
        for rejected in taken.rejections {
            metrics.rejected[rejected.reason].add()
            let mayBeNamed = rejected.vehicle.map(engine.mayBeKept) ?? true
            rejections.note(rejected, mayBeNamed: mayBeNamed, at: receivedAt)
        }
        for other in taken.others { metrics.otherMessages[other].add() }
        for (vehicle, reason) in effects.rejections {
            metrics.rejected[reason].add()
            rejections.note(reason, of: vehicle, at: receivedAt)
        }
        for envelope in effects.envelopes { account(for: envelope, receivedAt: receivedAt) }
    }

    private func account(for envelope: Envelope, receivedAt: Timestamp) {
        switch envelope.message {
        case .alert(let alert):
            metrics.alerts[alert.stage].add()
            metrics.fixToPublish.observe(Timestamp.now.since(receivedAt))
            logger.info(
                "\(alert.vehicle): \(alert.stage.rawValue) \(alert.clearance.id)",
                metadata: ["alert": "\(alert.id)", "sequence": "\(alert.sequence)"])
        case .event(let event):
            metrics.fenceEvents[event.event].add()
            logger.debug("\(envelope.address.vehicle): \(event.event.rawValue) \(event.fence)")
        case .routeCheck, .visit, .state, .regions, .tracking, .request: break
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
