import Broker
import Fleet
import Logging
import Messages
import Roads
import Store

/// The way of every message, in one order that never changes:
///
///     receive → decide → commit → publish → acknowledge
///
/// Each step may happen twice, after a crash or a lost connection, and nothing may be lost: what was not acknowledged comes
/// again, the engine derives the same ids again, and what was committed and not sent is sent after the restart.
///
/// Runs on one thread, which owns the broker connection, the engine and the store.
final class Pipeline {
    private let link: BrokerLink
    private let store: Store
    private let outage: StoreOutage
    private let quarantine: Quarantine
    private let shared: SharedState
    private let clock: () -> Timestamp
    private let logger: Logger
    private var maker: TurnMaker
    private var outbox: OutboxSender
    private var deliveries: Deliveries
    private var dispatch: PendingRequests
    private var live: LiveUpdates
    private var account: TurnAccount
    private var pace = PassPace()
    /// Nil: what follows from the map is made where it is first needed.
    private var mapWorker: MapWorker?
    private var rewrittenAt = Timestamp(milliseconds: 0)

    /// - Parameters:
    ///   - connection: not yet connected, and used by nobody else.
    ///   - clock: the time of day.
    ///   - deliveryWait: how long an acknowledgement of the broker's may wait for a commit.
    ///   - storePause: waits before the store is tried again; returns whether to try.
    init(
        _ configuration: GatewayConfiguration, engine: Engine, store: Store, connection: any MQTTConnection,
        shared: SharedState, clock: @escaping () -> Timestamp = { .now }, deliveryWait: Duration = .milliseconds(20),
        storePause: @escaping @Sendable (Duration) -> Bool, logger: Logger
    ) throws {
        self.store = store
        outage = StoreOutage(shared, logger: logger, pause: storePause)
        quarantine = Quarantine(besides: store.path, shared.metrics, logger: logger)
        self.shared = shared
        self.clock = clock
        self.logger = logger
        link = try BrokerLink(configuration, over: connection, shared: shared, clock: clock, logger: logger)
        maker = TurnMaker(configuration, engine: engine, store: store, logger: logger)
        outbox = OutboxSender(logger: logger)
        deliveries = Deliveries(waitMax: deliveryWait)
        dispatch = PendingRequests(shared.publisher, qos: configuration.qos, topics: configuration.topics)
        live = LiveUpdates(shared)
        account = TurnAccount(shared.metrics, logger: logger)
    }

    var waker: Waker { link.waker }

    /// Takes up what the store holds.
    func restore() throws {
        if let turn = try maker.restore(at: clock()) { try commit(turn) }
        // What is to go on must have begun: a store that cannot be read at the start ends the program.
        store.repeatFailures(outage.retry)
        link.restore(mark: maker.storedMark)
        let count = maker.engine.vehicleCount
        shared.metrics.vehicles.set(count)
        shared.metrics.vehiclesUnreadable.add(maker.unreadableVehicles)
        logger.info("Restored \(count) vehicles, \(store.outboxCount) messages wait to be sent")
    }

    /// From here on no pass waits for what follows from the map; call after `restore`.
    func doMapWorkElsewhere() {
        maker.engine.doMapWorkElsewhere(at: clock())
        mapWorker = MapWorker(waker: waker)
    }

    /// One pass: waits up to a second for messages, then takes all of them the whole way.
    func pass(timeout: Duration = .seconds(1)) throws {
        if let work = maker.engine.takeMapWork() { mapWorker?.begin(work) }
        let inbox = try receive(timeout: timeout)
        if let result = mapWorker?.takeResult() { try install(result) }
        let began = ContinuousClock.now
        let turn = try decide(inbox)
        try commit(turn)
        try publish(turn)
        acknowledge()
        pace.note(inbox.messages.count, took: (ContinuousClock.now - began).seconds)

        account.note(turn, of: maker.engine, at: clock())
        show(turn)
        rewriteIfDue(at: turn.time)
        shared.readiness.heartbeat.beat()
    }

    /// Other files are in force from here on.
    func replace(_ files: GatewayFiles) throws {
        let turn = try maker.replace(files, at: clock())
        try commit(turn)
        show(turn)
    }

    /// What has been made on another thread is in force from here on.
    private func install(_ result: MapWork.Result) throws {
        let turn = try maker.install(result, at: clock())
        try commit(turn)
        try publish(turn)
        account.note(turn, of: maker.engine, at: clock())
        show(turn)
    }

    /// Sends what can be sent within two seconds, writes what only the journal has, then disconnects.
    func finish() throws {
        let deadline = ContinuousClock.now + .seconds(2)
        while link.isConnected, store.outboxCount > 0, ContinuousClock.now < deadline {
            // Whole passes: a message taken and not acknowledged would hold back what is to be sent.
            try pass(timeout: .milliseconds(50))
        }
        try commit(maker.saveAll(at: clock()))
        link.disconnectGracefully()
    }

    /// Whoever waits for something from this thread waits in vain.
    func dismiss() {
        dispatch.end()
        shared.view.end()
    }

    // MARK: Steps

    func receive(timeout: Duration) throws -> Inbox {
        link.inboxLimit = pace.messagesMax
        var inbox = Inbox()
        let wait = deliveries.wait(at: .now).map { min($0, timeout) } ?? timeout
        for answer in try link.poll(timeout: wait) {
            if case .reconnected(let isNew) = answer { inbox.isNewSession = isNew || inbox.isNewSession == true }
            dispatch.settle(answer)
            if let entry = outbox.settle(answer) { deliveries.add(entry, at: .now) }
        }
        // As of before these messages.
        inbox.isUpToDate = link.isUpToDate
        inbox.messages = link.takeMessages()
        if !inbox.messages.isEmpty { shared.readiness.heartbeat.messagesTaken() }
        inbox.delivered = deliveries.take(isCommitDue: !inbox.messages.isEmpty, at: .now)
        inbox.mark = link.mark
        shared.metrics.messagesReceived.add(inbox.messages.count { !link.isProbe($0) })
        dispatch.note(inbox.messages)
        return inbox
    }

    func decide(_ inbox: Inbox) throws -> Turn {
        let turn = try maker.turn(inbox, at: clock(), ownAnswer: link.probeAnswer)
        if turn.taken.hasKeptInputs { link.inputsChanged() }
        link.readRetained { maker.retained.nextQuestion() }
        return turn
    }

    func commit(_ turn: Turn) throws {
        guard !turn.batch.isEmpty else { return }
        let start = ContinuousClock.now
        let (batch, ids) = try store(turn.batch)
        shared.metrics.storeCommits.observe((ContinuousClock.now - start).seconds)
        if !turn.batch.retained.isEmpty { link.inputsChanged() }
        // All of it: a state that is too large is not tried again before its time.
        maker.noteCommit(turn)
        outbox.noteCommit(batch, ids: ids)
        quarantine.remove(batch.removed, topics: batch.removedTopics)
    }

    /// Commits a batch without what no store takes.
    ///
    /// - Returns: what was committed, and the ids of its messages.
    private func store(_ batch: StoreBatch) throws -> (StoreBatch, [Int64]) {
        do {
            return (batch, try store.commit(batch))
        } catch StoreError.unsendable, StoreError.stateTooLarge {
            var rest = batch
            let parts = rest.removeUnstorable(store.limits)
            for (message, reason) in parts.messages { quarantine.add(message, because: reason, at: batch.time) }
            for (vehicle, reason) in parts.states { quarantine.add(stateOf: vehicle, because: reason, at: batch.time) }
            return (rest, try store.commit(rest))
        }
    }

    func publish(_ turn: Turn) throws {
        try outbox.send(over: link, from: store, at: turn.time) { [quarantine] message, reason in
            quarantine.add(message, because: reason, at: turn.time)
        }
        dispatch.publish(over: link)
        shared.metrics.retainedRepublished.add(try maker.retained.republish(over: link, from: store))
        shared.metrics.retainedMissing.set(maker.retained.missing)
        shared.readiness.setRetainedMissing(maker.retained.missing)
        // Asked again within the hour, if it cannot be asked now.
        for message in turn.unstored { _ = try? link.publish(message) }
        shared.metrics.outboxPending.set(store.outboxCount)
    }

    func acknowledge() {
        link.acknowledge()
        shared.readiness.heartbeat.messagesDone()
    }

    /// What is committed may be seen; what came back by way of the console is answered.
    private func show(_ turn: Turn) {
        live.note(turn)
        // Who is told that an entry is in force must find it there.
        if dispatch.hasReturned { live.expire() }
        live.show(maker.engine, isConnected: link.isConnected, at: turn.time)
        dispatch.answer(turn.effects, turn.taken)
    }

    /// What was removed leaves the file for good, once it has been said to whom it concerned. Nothing else is done meanwhile: a
    /// file is rewritten at most once a minute, or overwritten for a tenth of the time.
    private func rewriteIfDue(at now: Timestamp) {
        let isSwept = store.isSweepDue
        guard isSwept || store.isRewriteDue, now.since(rewrittenAt) >= (isSwept ? 0.2 : 60) else { return }
        rewrittenAt = now
        do {
            try isSwept ? store.sweep() : store.rewriteIfDue()
        } catch {
            logger.warning("What is left in the store of vehicles that were removed stays for now: \(error)")
        }
    }
}
