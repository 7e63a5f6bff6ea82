import Broker
package import Fleet
package import Logging
import Messages
import Roads
package import Store
import Wire

/// The way of every message, in one order that never changes:
///
///     receive → decide → commit → publish → acknowledge
///
/// Each step may happen twice, after a crash or a lost connection, and nothing may be lost: what was not acknowledged comes
/// again, the engine derives the same ids again, and what was committed and not sent is sent after the restart.
///
/// Runs on one thread, which owns the broker connection, the engine and the store.
package final class Pipeline {
    private let link: BrokerLink
    private let store: Store
    private let outage: StoreOutage
    private let quarantine: Quarantine
    private let shared: SharedState
    private let clock: GatewayClock
    private let logger: Logger
    private var maker: TurnMaker
    private var outbox: OutboxSender
    private var deliveries: Deliveries
    private var dispatch: PendingRequests
    /// What dispatchers do about alerts with this pass; answered once it is committed.
    private var handling: [HandlingQueue.Order] = []
    private let cabs: CabDesk
    private var webhooks: WebhookDesk
    private var live: LiveUpdates
    private var account: TurnAccount
    private var flow = FlowControl()
    /// Nil: what follows from the map is made where it is first needed.
    private var mapWorker: MapWorker?
    /// What has come and is not decided.
    private var inbox: Inbox
    /// Whether no more messages are read.
    private var isFinishing = false
    private var rewrittenAt = Timestamp(milliseconds: 0)

    /// - Parameters:
    ///   - connection: not yet connected, and used by nobody else.
    ///   - deliveryWait: how long an acknowledgement of the broker's may wait for a commit.
    ///   - storePause: waits before the store is tried again; returns whether to try.
    package init(
        _ configuration: GatewayConfiguration, engine: Engine, store: Store, connection: any MQTTConnection,
        shared: SharedState, clock: GatewayClock = GatewayClock(), deliveryWait: Duration = .milliseconds(20),
        storePause: @escaping @Sendable (Duration) -> Bool, logger: Logger
    ) throws {
        self.store = store
        outage = StoreOutage(shared, logger: logger, pause: storePause)
        quarantine = Quarantine(besides: configuration.store, shared.metrics, logger: logger)
        self.shared = shared
        self.clock = clock
        self.logger = logger
        inbox = Inbox(messages: WaitingMessages(probeTopic: configuration.topics.probe))
        link = try BrokerLink(configuration, over: connection, shared: shared, clock: clock, logger: logger)
        maker = TurnMaker(configuration, engine: engine, store: store, logger: logger)
        outbox = OutboxSender(logger: logger)
        deliveries = Deliveries(waitMax: deliveryWait)
        dispatch = PendingRequests(shared.publisher, qos: configuration.qos, topics: configuration.topics)
        cabs = CabDesk(shared.cabs, validFor: configuration.cabValidFor)
        webhooks = WebhookDesk(shared.webhooks, configuration.webhooks) { [waker = link.waker] in waker.wake() }
        live = LiveUpdates(shared)
        account = TurnAccount(shared.metrics, logger: logger)
    }

    var waker: Waker { link.waker }

    /// Takes up what the store holds.
    package func restore() throws {
        if let turn = try maker.restore(at: clock()) { try commit(turn) }
        try cabs.restore(from: store, at: clock())
        try webhooks.restore(from: store, at: clock(), logger: logger)
        // Before, whoever starts the gateway begins again from the first: a store that is half read is of no use.
        store.repeatFailures(outage.retry)
        link.restore(mark: maker.storedMark)
        let count = maker.engine.vehicleCount
        shared.metrics.vehicles.set(count)
        shared.metrics.vehiclesUnreadable.add(maker.unreadableVehicles)
        logger.info("Restored \(count) vehicles, \(store.outboxCount) messages wait to be sent")
    }

    /// From here on no pass waits for what follows from the map; call after `restore`.
    ///
    /// Waits for a second, so that on all but large maps no first fix finds its hazards missing.
    func doMapWorkElsewhere() throws {
        maker.engine.doMapWorkElsewhere(at: clock())
        let worker = MapWorker(waker: waker)
        mapWorker = worker
        let deadline = ContinuousClock.now + .seconds(1)
        while let work = maker.engine.takeMapWork() {
            worker.begin(work)
            guard let result = worker.takeResult(until: deadline) else { return }
            try carryOut(try maker.install(result, at: clock()))
        }
    }

    /// One pass: waits up to a second for messages, then takes as many of them the whole way as one turn can; the others wait
    /// for the next pass.
    package func pass(timeout: Duration = .seconds(1)) throws {
        if let work = maker.engine.takeMapWork() { mapWorker?.begin(work) }
        try receive(timeout: timeout)
        if let result = mapWorker?.takeResult() { try carryOut(try maker.install(result, at: clock())) }
        let began = clock.elapsed()
        let waiting = inbox.messages.count
        let turn = try decide()
        try carryOut(turn)
        flow.noteTurn(
            waiting - inbox.messages.count, isLast: inbox.messages.isEmpty,
            took: (clock.elapsed() - began).seconds, at: clock())
        try cabs.carryOut(in: store, at: turn.time)
        rewriteIfDue(at: turn.time)
        shared.readiness.heartbeat.beat()
    }

    /// Other files are in force from here on.
    func replace(_ files: GatewayFiles) throws { try carryOut(try maker.replace(files, at: clock())) }

    /// Sends what can be sent within a second and a half, decides what has been taken from the broker as far as that takes no
    /// more than another, writes what only the journal has, then disconnects.
    package func finish() throws {
        let deadline = clock.elapsed() + .milliseconds(1_500)
        while link.isConnected, store.outboxCount > 0, clock.elapsed() < deadline {
            // Whole passes: a message taken and not acknowledged would hold back what is to be sent.
            try pass(timeout: .milliseconds(50))
        }
        isFinishing = true
        while link.isConnected, !inbox.messages.isEmpty, clock.elapsed() < deadline + .seconds(1) {
            try pass(timeout: .zero)
        }
        try commit(maker.saveAll(at: clock()))
        // Without a DISCONNECT the broker publishes the will, which says the same, and delivers again what was not decided.
        if !inbox.messages.holdsAcknowledgements { link.disconnectGracefully() }
    }

    /// Whoever waits for something from this thread waits in vain.
    func dismiss() {
        dispatch.end()
        for order in handling { order.answer.resume(returning: .unavailable) }
        handling = []
        shared.view.end()
    }

    // MARK: Steps

    /// What was decided is in force from here on.
    private func carryOut(_ turn: Turn) throws {
        try commit(turn)
        try publish(turn)
        acknowledge()
        account.note(turn, of: maker.engine, at: clock())
        show(turn)
    }

    func receive(timeout: Duration) throws {
        let isOverloaded = flow.isOverloaded(delay: link.delay, at: clock())
        let isOutboxFull = store.isOutboxNearlyFull
        shared.readiness.setOutboxFull(isOutboxFull)
        let room = isFinishing ? 0 : flow.room(besides: inbox.messages, isOverloaded: isOverloaded)
        // What the broker answers comes between its messages: without reading any, nothing would ever leave the outbox.
        link.inboxLimit = isOutboxFull ? min(room, 1) : room
        let wait =
            inbox.messages.isEmpty ? deliveries.wait(at: clock.elapsed()).map { min($0, timeout) } ?? timeout : .zero
        for answer in try link.poll(timeout: wait) {
            if case .reconnected(let isNew) = answer { inbox.isNewSession = isNew || inbox.isNewSession == true }
            dispatch.settle(answer)
            if let entry = outbox.settle(answer) { deliveries.add(entry, at: clock.elapsed()) }
        }
        // As of before these messages.
        inbox.isUpToDate = link.isUpToDate && !isOutboxFull
        let messages = link.takeMessages()
        if !messages.isEmpty { shared.readiness.heartbeat.messagesTaken() }
        let isIdle = inbox.messages.isEmpty && messages.allSatisfy(link.isProbe)
        // What the broker keeps while it accepts nothing is a backlog, as after an outage.
        flow.noteReceipt(isIdle: isIdle || isOutboxFull, at: clock())
        if isOverloaded {
            inbox.messages.add(messages) { [maker, link] in maker.kind($0, isProbe: link.isProbe) }
        } else {
            inbox.messages.add(messages)
        }
        inbox.delivered += deliveries.take(isCommitDue: !inbox.messages.isEmpty, at: clock.elapsed())
        inbox.mark = link.mark
        shared.metrics.messagesReceived.add(messages.count { !link.isProbe($0) })
        dispatch.note(messages)
    }

    func decide() throws -> Turn {
        handling += shared.handling.takeOrders()
        inbox.requests = handling.map(\.request)
        let turn = try maker.turn(&inbox, share: flow.share, clock: clock, ownAnswer: link.probeAnswer)
        if turn.taken.hasKeptInputs { link.inputsChanged() }
        link.readRetained { maker.retained.nextQuestion() }
        return turn
    }

    func commit(_ turn: Turn) throws {
        var batch = turn.batch
        webhooks.prepare(&batch)
        guard !batch.isEmpty else { return }
        let start = ContinuousClock.now
        let ids: [Int64]
        (batch, ids) = try store(batch)
        shared.metrics.storeCommits.observe((ContinuousClock.now - start).seconds)
        if !turn.batch.retained.isEmpty { link.inputsChanged() }
        // All of it: a state that is too large is not tried again before its time.
        maker.noteCommit(turn)
        cabs.noteCommit(batch)
        try webhooks.noteCommit(batch, in: store)
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

    /// Lets acknowledgements leave, and what is published, which is queued behind them, unless a message waits whose own
    /// would leave with them.
    func acknowledge() {
        if !inbox.messages.holdsAcknowledgements { link.acknowledge() }
        if inbox.messages.isEmpty { shared.readiness.heartbeat.messagesDone() }
    }

    /// What is committed may be seen; what came back by way of the console is answered.
    private func show(_ turn: Turn) {
        live.note(turn)
        // Who is told that an entry is in force must find it there.
        if dispatch.hasReturned || !turn.dispatch.outcomes.isEmpty { live.expire() }
        live.show(
            maker.engine, untaken: maker.untaken, handlings: maker.handlings, isConnected: link.isConnected,
            at: turn.time)
        shared.engine.answer(maker.engine)
        dispatch.answer(turn.effects, turn.taken)
        for (order, outcome) in zip(handling, turn.dispatch.outcomes) { order.answer.resume(returning: outcome) }
        handling.removeFirst(turn.dispatch.outcomes.count)
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
