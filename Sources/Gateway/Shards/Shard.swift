import Broker
import Fleet
import Logging
import Messages
import Store
import Wire

/// A part of the fleet: its engine, its store, and what is under way for its vehicles.
///
/// What decides and what touches the store is done on the shard's own thread, where a gateway has several shards. The gateway's
/// thread, which owns the connection, waits meanwhile, so that one thread at a time is in a shard: that makes it sendable.
final class Shard: @unchecked Sendable {
    let place: ShardPlace
    let store: Store
    private let thread: ShardThread?
    private let shared: SharedState
    private let clock: GatewayClock
    private let quarantine: Quarantine
    private let logger: Logger
    private var maker: TurnMaker
    private var outbox: OutboxSender
    private var deliveries: Deliveries
    private var webhooks: WebhookOutbox
    var mapWork: ShardMapWork
    /// What has come and is not decided.
    private(set) var inbox: Inbox
    /// What dispatchers do about alerts with this pass; answered once it is committed.
    private var handling: [HandlingQueue.Order] = []
    /// What is decided and not carried out to its end.
    private(set) var turn: Turn?
    /// Why it can be this gateway's no longer; nil: it can.
    var problem: StoreError?
    private var rewrittenAt = Timestamp(milliseconds: 0)

    /// - Parameters:
    ///   - configuration: of this part of the fleet.
    ///   - wake: ends the wait of the gateway's thread; from any thread.
    init(
        _ configuration: GatewayConfiguration, engine: Engine, store: Store, shared: SharedState, clock: GatewayClock,
        deliveryWait: Duration, wake: @escaping @Sendable () -> Void, logger: Logger
    ) {
        place = configuration.place
        self.store = store
        self.shared = shared
        self.clock = clock
        self.logger = logger
        thread = place.count == 1 ? nil : ShardThread(name: "shard \(place.index)")
        quarantine = Quarantine(besides: configuration.store, shared.metrics, logger: logger)
        maker = TurnMaker(configuration, engine: engine, store: store, cabs: shared.cabs, logger: logger)
        mapWork = ShardMapWork(of: engine, clock: clock)
        outbox = OutboxSender(logger: logger)
        deliveries = Deliveries(waitMax: deliveryWait)
        webhooks = WebhookOutbox(shared.webhooks, configuration.webhooks, of: place, wake: wake)
        inbox = Inbox(messages: WaitingMessages(probeTopic: configuration.topics.probe))
    }

    deinit { thread?.end() }

    // MARK: Its thread

    /// Has `body` done on the shard's thread, and waits for it.
    func run<Value>(_ body: () throws -> Value) throws -> Value {
        guard let thread else { return try body() }
        return try thread.run(body)
    }

    /// Has all shards do something at the same time, and waits until each has done it.
    ///
    /// - Throws: what the first of those has thrown that have.
    static func all(_ shards: [Shard], _ body: (Shard) throws -> Void) throws {
        // A gateway's shards have a thread each, but for one that is alone.
        let threads = shards.compactMap(\.thread)
        guard !threads.isEmpty else { return try shards.forEach(body) }
        try withoutActuallyEscaping(body) { body in
            for (shard, thread) in zip(shards, threads) { thread.begin { try body(shard) } }
            let outcomes = threads.map { thread in Result { try thread.wait() } }
            for outcome in outcomes { try outcome.get() }
        }
    }

    // MARK: The start

    /// Takes up what the store holds; on the shard's thread.
    func restore(retryingWith retry: StoreRetry) throws {
        turn = try maker.restore(at: clock())
        try commit()
        turn = nil
        try webhooks.restore(from: store, at: clock(), logger: logger)
        // Before, whoever starts the gateway begins again from the first: a store that is half read is of no use.
        store.repeatFailures(retry)
        try store.checkWritable()
        shared.metrics.vehiclesUnreadable.add(maker.unreadableVehicles)
    }

    /// The newest mark of the broker's that is stored.
    var storedMark: Int? { maker.storedMark }
    /// `TurnMaker.knewSession`
    var knewSession: Bool { maker.knewSession }

    // MARK: What comes

    var engine: Engine { maker.engine }
    var untaken: [UntakenAlert] { maker.untaken }
    var handlings: Handlings { maker.handlings }
    var retainedMissing: Int { maker.retained.missing }
    var waiting: WaitingMessages.Amount { inbox.messages.amount }
    /// `WaitingVehicles.hasReleased`.
    var hasReleased: Bool { maker.retained.waiting.hasReleased }
    /// `TurnMaker.isJudgementDue`.
    var isJudgementDue: Bool { maker.isJudgementDue }
    var underWayCount: Int { outbox.underWayCount }
    /// Publications that the broker has not answered for.
    var underWay: some Sequence<Int32> { outbox.publicationsUnderWay }
    /// How many retained inputs are published again and have not come back.
    var republishedCount: Int { maker.retained.republishedCount }
    /// `OutboxSender.sendsOneAtATime`.
    var sendsOneAtATime: Bool { outbox.sendsOneAtATime }

    /// How long may be waited for something else; nil: nothing waits.
    func deliveryWait() -> Duration? { deliveries.wait(at: clock.elapsed()) }

    /// What the broker's side says.
    func settle(_ answer: BrokerAnswer) {
        switch answer {
        case .reconnected(let session): inbox.session = max(session, inbox.session ?? session)
        case .discarded: maker.retained.discarded()
        case .published: break
        }
        if let entry = outbox.settle(answer) { deliveries.add(entry, at: clock.elapsed()) }
    }

    /// A message of the gateway's own has come back; its turn comes with the message.
    func note(_ answer: ProbeAnswer) { inbox.answers.append(answer) }

    func add(_ order: HandlingQueue.Order) { handling.append(order) }

    /// - Parameters:
    ///   - isUpToDate: whether all has come that was sent before these messages.
    ///   - mark: the newest that the broker has taken, to be stored; nil: another shard stores it, or none does now.
    ///   - isOwn: whether a message is one of the gateway's own.
    func receive(
        _ messages: [ReceivedMessage], isUpToDate: Bool, isOverloaded: Bool, mark: Int?,
        isOwn: @escaping (ReceivedMessage) -> Bool
    ) {
        inbox.isUpToDate = isUpToDate
        if isOverloaded {
            inbox.messages.add(messages) { [maker] in maker.kind($0, isProbe: isOwn) }
        } else {
            inbox.messages.add(messages)
        }
        inbox.delivered += deliveries.take(isCommitDue: !inbox.messages.isEmpty, at: clock.elapsed())
        inbox.mark = mark
    }

    // MARK: Steps

    /// On the shard's thread.
    ///
    /// - Parameter endsAtChange: what was sent after a clearance was changed waits for the next turn.
    func decide(share: Double, endsAtChange: Bool, isOwn: (ReceivedMessage) -> Bool) throws {
        inbox.requests = handling.map(\.request)
        turn = try maker.turn(&inbox, share: share, endsAtChange: endsAtChange, clock: clock, isOwn: isOwn)
    }

    /// Decides what follows from the map, where that has been made; on the shard's thread.
    func installMapWork() throws {
        guard let result = mapWork.takeResult() else { return }
        turn = try maker.install(result, at: clock())
    }

    /// Decides what other files lead to; on the shard's thread.
    func replace(_ files: GatewayFiles) throws { turn = try maker.replace(files, at: clock()) }

    /// Decides to write every vehicle as it is; on the shard's thread.
    func saveAll() throws { turn = try maker.saveAll(at: clock()) }

    /// Writes some of the vehicles that have changed since they were written last.
    func saveNext() throws { turn = try maker.saveNext(at: clock()) }

    /// Whether there are such vehicles.
    var hasUnsaved: Bool { maker.hasUnsaved }

    /// What the broker is to be asked for; empty: nothing, or an answer that has come waits for its turn.
    func nextQuestion() -> [String] { inbox.awaitsRetainedRead ? [] : maker.retained.nextQuestion() }

    /// On the shard's thread.
    func commit() throws {
        guard let turn else { return }
        var batch = turn.batch
        webhooks.prepare(&batch)
        guard !batch.isEmpty else { return try webhooks.handOver(from: store) }
        let start = ContinuousClock.now
        let ids: [Int64]
        (batch, ids) = try quarantine.commit(batch, to: store)
        shared.metrics.storeCommits.observe((ContinuousClock.now - start).seconds)
        // All of it: a state that is too large is not tried again before its time.
        maker.noteCommit(turn)
        try webhooks.noteCommit(batch, in: store)
        outbox.noteCommit(batch, ids: ids)
        quarantine.remove(batch.removed, topics: batch.removedTopics)
    }

    // MARK: On the gateway's thread

    /// Sends what the outbox holds, as far as the broker has room.
    ///
    /// - Parameter others: how many publications of other shards are under way.
    func send(over link: BrokerLink, besides others: Int) throws {
        guard let turn else { return }
        try outbox.send(over: link, besides: others, at: turn.time) { priority, id, limit in
            try run { try store.pendingOutbox(priority, after: id, limit: limit, at: turn.time) }
        } refuse: { entry, reason in
            try run {
                quarantine.add(entry.message, because: reason, at: turn.time)
                _ = try store.commit(StoreBatch(time: turn.time, delivered: [entry.id]))
            }
        }
    }

    /// Publishes what the broker has lost, and what is not stored.
    ///
    /// - Returns: how much of it the broker has lost.
    func publishRest(over link: BrokerLink) throws -> Int {
        guard let turn else { return 0 }
        let count = try maker.retained.republish(over: link, at: turn.time, isUpToDate: inbox.isUpToDate) { topic in
            try run { try store.retained(topic) }
        }
        // Asked again within the hour, if it cannot be asked now.
        for message in turn.unstored { _ = try? link.publish(message) }
        return count
    }

    /// The turn is carried out: who waits for it is told.
    func end() {
        guard let turn else { return }
        for (order, outcome) in zip(handling, turn.dispatch.outcomes) { order.answer.resume(returning: outcome) }
        handling.removeFirst(turn.dispatch.outcomes.count)
        self.turn = nil
    }

    /// Another gateway goes on from what is committed.
    func leave() {
        dismiss()
        webhooks.leave()
        try? store.close()
    }

    /// Whoever waits for something waits in vain.
    func dismiss() {
        for order in handling { order.answer.resume(returning: .unavailable) }
        handling = []
    }

    /// What was removed leaves the file for good, once it has been said to whom it concerned. Nothing else is done meanwhile: a
    /// file is rewritten at most once a minute, or overwritten for a tenth of the time.
    func rewriteIfDue(at now: Timestamp) throws {
        let isSwept = store.isSweepDue
        guard isSwept || store.isRewriteDue, now.since(rewrittenAt) >= (isSwept ? 0.2 : 60) else { return }
        rewrittenAt = now
        try run {
            do {
                try isSwept ? store.sweep() : store.rewriteIfDue()
            } catch {
                logger.warning("What is left in the store of vehicles that were removed stays for now: \(error)")
            }
        }
    }
}
