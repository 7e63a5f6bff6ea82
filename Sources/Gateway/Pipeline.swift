import Broker
package import Fleet
import Hashing
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
/// Runs on one thread, which owns the broker connection. The fleet may be divided into shards: they decide at the same time, then
/// they commit at the same time, each on a thread of its own, and this one waits for all of them. An acknowledgement covers
/// what came before it, whichever vehicle it was of, so that none may leave before each shard has committed its part.
package final class Pipeline {
    let link: BrokerLink
    /// In a cluster those whose queues are this gateway's.
    var shards: [Shard] = []
    /// Makes the shard of a place of its engine and its store.
    let makeShard: (ShardPlace, (engine: Engine, store: Store)) -> Shard
    /// Nil: all shards are this gateway's, and messages come over MQTT.
    var cluster: ClusterShards?
    private let router: ShardRouter
    let outage: StoreOutage
    let shared: SharedState
    let clock: GatewayClock
    let logger: Logger
    var dispatch: PendingRequests
    let cabs: CabTokenIssuer
    var live: LiveUpdates
    private var account: TurnAccount
    private var flow = FlowControl()
    /// The shard for which the broker is being asked what it retains.
    private var askingShard = 0
    /// Whose messages are sent first; another one's with each pass.
    private var firstToSend = 0
    /// Since when clearances have changed without being in force; nil: all are.
    var mapBehindSince: ContinuousClock.Instant?
    var mapWait = MapWait()
    /// Whether no more messages are read.
    var isFinishing = false

    /// - Parameters:
    ///   - parts: of each shard its engine and its store, which nobody has used; at least one, and in a cluster none.
    ///   - takeOver: in a cluster, of a shard that has become this gateway's.
    ///   - requireStore: in a cluster, throws where none could be taken over.
    ///   - cabStore: in a cluster, opens what all gateways keep cab tokens in.
    ///   - connection: not yet connected, and used by nobody else.
    ///   - deliveryWait: how long an acknowledgement of the broker's may wait for a commit.
    ///   - storePause: waits before a store is tried again; returns whether to try. Called on the store's thread.
    package init(
        _ configuration: GatewayConfiguration, parts: [(engine: Engine, store: Store)],
        takeOver: ((Int) throws -> (engine: Engine, store: Store))? = nil,
        requireStore: @escaping () throws -> Void = {},
        cabStore: @escaping () throws -> Store = { throw StoreError.missing(path: "") }, connection: any MQTTConnection,
        shared: SharedState, clock: GatewayClock = GatewayClock(),
        deliveryWait: Duration = .milliseconds(20), storePause: @escaping @Sendable (Duration) -> Bool, logger: Logger
    ) throws {
        outage = StoreOutage(shared, logger: logger, pause: storePause)
        self.shared = shared
        self.clock = clock
        self.logger = logger
        let link = try BrokerLink(configuration, over: connection, shared: shared, clock: clock, logger: logger)
        self.link = link
        router = ShardRouter(configuration, count: parts.count)
        makeShard = { [waker = link.waker] place, part in
            Shard(
                configuration.part(place), engine: part.engine, store: part.store, shared: shared, clock: clock,
                deliveryWait: deliveryWait, wake: { waker.wake() }, logger: logger)
        }
        dispatch = PendingRequests(shared.publisher, configuration)
        cabs = CabTokenIssuer(shared.cabs, validFor: configuration.cabValidFor)
        live = LiveUpdates(shared)
        account = TurnAccount(shared.metrics, logger: logger)
        shards = parts.enumerated().map { makeShard(ShardPlace($0, of: parts.count), $1) }
        guard let settings = configuration.cluster, let takeOver else { return }
        let queues = try ClusterLink(
            configuration, settings, waker: link.waker, shared: shared, clock: clock, logger: logger)
        cluster = ClusterShards(
            link: queues,
            exchange: GatewayExchange(queues, configuration.engine, shared.messages, clock: clock, logger: logger),
            takeOver: takeOver, requireStore: requireStore,
            cabs: ClusterCabs(shared.cabs, logger: logger, open: cabStore),
            backoff: Backoff(
                first: .seconds(3), longest: .seconds(600), seed: FNV1a(configuration.broker.clientID.utf8).value))
    }

    var waker: Waker { link.waker }

    /// Takes up what the stores hold.
    package func restore() throws {
        guard cluster == nil else { return }
        let retry = outage.retry
        try Shard.all(shards) { try $0.restore(retryingWith: retry) }
        try shards[0].run { try cabs.restore(from: shards[0].store, at: clock()) }
        link.restore(mark: shards[0].storedMark, isSessionKnown: shards.allSatisfy(\.knewSession))
        shared.metrics.vehicles.set(vehicleCount)
        logger.info("Restored \(vehicleCount) vehicles, \(outboxCount) messages wait to be sent")
    }

    /// One pass: waits up to a second for messages, then takes as many of them the whole way as one turn of each shard can; the
    /// others wait for the next pass.
    package func pass(timeout: Duration = .seconds(1)) throws {
        for shard in shards { shard.mapWork.begin() }
        try waitForChangedMap()
        try receive(timeout: timeout)
        try installMapWork()
        let began = clock.elapsed()
        let waiting = waitingCount
        try decide()
        try carryOut()
        // What waits for a changed clearance says nothing of how much a turn can take, nor does what waits for vehicles to be written.
        if !shards.contains(where: { $0.inbox.isHeldByChange || $0.inbox.isHeldBySaving }) {
            flow.noteTurn(
                waiting - waitingCount, isLast: waitingCount == 0, took: (clock.elapsed() - began).seconds, at: clock())
        }
        try carryOutCabs()
        for shard in shards { try shard.rewriteIfDue(at: clock()) }
        shared.readiness.heartbeat.beat()
    }

    /// Other files are in force from here on.
    func replace(_ files: GatewayFiles) throws {
        try all(shards) { try $0.replace(files) }
        try carryOut()
    }

    // MARK: All shards

    private var vehicleCount: Int { shards.reduce(0) { $0 + $1.engine.vehicleCount } }
    var outboxCount: Int { shards.reduce(0) { $0 + $1.store.outboxCount } }
    var waiting: WaitingMessages.Amount { shards.reduce(.init()) { $0 + $1.waiting } }
    var waitingCount: Int { waiting.count }
    /// Whether another pass finds something to decide without anything new.
    var isBehind: Bool {
        waitingCount > 0 || shards.contains { $0.hasReleased || $0.isJudgementDue || $0.inbox.isHeldBySaving }
    }
    var holdsAcknowledgements: Bool { waiting.holdsAcknowledgements }
    var turns: [Turn] { shards.compactMap(\.turn) }

    // MARK: Steps

    /// What was decided is in force from here on.
    func carryOut() throws {
        try commit()
        try publish()
        acknowledge()
        for shard in shards { if let turn = shard.turn { account.note(turn, of: shard.engine, at: clock()) } }
        shared.metrics.vehicles.set(vehicleCount)
        show()
        for shard in shards { shard.end() }
    }

    func receive(timeout: Duration) throws {
        if let cluster { try followQueues(cluster) }
        let isOverloaded = flow.isOverloaded(delay: link.delay, at: clock())
        let isOutboxFull = shards.contains(where: \.store.isOutboxNearlyFull)
        shared.readiness.setOutboxFull(isOutboxFull)
        shared.readiness.setDelay(cluster == nil ? link.delay : nil)
        let room =
            cluster != nil
            ? Self.answersMax
            : isFinishing ? 0 : flow.room(besides: waiting, isOverloaded: isOverloaded, at: clock())
        // What the broker answers comes between its messages: without reading any, nothing would ever leave the outbox.
        link.inboxLimit = isOutboxFull ? min(room, 1) : room
        let wait =
            isBehind || hasMessages || cluster?.exchange.isBehind == true
            ? .zero : shards.compactMap { $0.deliveryWait() }.min().map { min($0, timeout) }
        let underWay = shards.reduce(dispatch.underWayCount) { $0 + $1.underWayCount + $1.republishedCount }
        for answer in try link.poll(timeout: wait ?? timeout, underWay: underWay) {
            dispatch.settle(answer)
            for shard in shards { shard.settle(answer) }
        }
        // As of before these messages.
        let isUpToDate = shards.map { isAllRead(of: $0) && !isOutboxFull && !$0.hasReleased }
        let messages = link.takeMessages()
        for message in messages where link.isProbe(message) { note(link.probeAnswer(message)) }
        let parts = try cluster.map { try clusterParts($0, isFinishing: isFinishing) } ?? router.parts(messages)
        if !parts.allSatisfy(\.isEmpty) { shared.readiness.heartbeat.messagesTaken() }
        let isIdle = waitingCount == 0 && parts.allSatisfy { $0.allSatisfy(link.isProbe) }
        // What the broker keeps while it accepts nothing is a backlog, as after an outage.
        flow.noteReceipt(isIdle: isIdle || isOutboxFull, at: clock())
        let awaitsFinding = shards.contains(where: \.inbox.awaitsFinding)
        link.holdMarks(awaitsFinding)
        let mark = cluster == nil && !awaitsFinding ? link.mark : nil
        for (index, shard) in shards.enumerated() {
            shard.receive(
                parts[index], isUpToDate: isUpToDate[index], isOverloaded: isOverloaded,
                mark: shard.place.speaksForFleet ? mark : nil, isOwn: link.isProbe)
        }
        let taken = cluster == nil ? messages : Array(parts.joined())
        shared.metrics.messagesReceived.add(taken.count { !link.isProbe($0) })
        dispatch.note(taken)
    }

    /// What a message of the gateway's own says, to each shard at its place among the others.
    private func note(_ answer: ProbeAnswer) {
        guard cluster == nil else { return }
        for (index, shard) in shards.enumerated() {
            if case .retainedRead = answer, index != askingShard { shard.note(.nothing) } else { shard.note(answer) }
        }
    }

    func decide() throws {
        for order in shared.handling.takeOrders() {
            if let shard = shard(of: order.request.vehicle) {
                shard.add(order)
            } else if let cluster {
                cluster.exchange.forward(order)
            } else {
                order.answer.resume(returning: .unavailable)
            }
        }
        let (share, isOwn, endsAtChange) = (flow.share, link.isProbe, mapWait.deadline(at: .now) != nil)
        try all(shards) { try $0.decide(share: share, endsAtChange: endsAtChange, isOwn: isOwn) }
        link.noteRoundTrip(shards.map(\.inbox.roundTrip))
        if turns.contains(where: \.taken.hasKeptInputs) { link.inputsChanged() }
        link.readRetained(nextQuestion)
    }

    /// Nil: another gateway has the vehicle.
    private func shard(of vehicle: VehicleID) -> Shard? {
        cluster == nil
            ? shards[ShardPlace.index(of: vehicle, of: shards.count)] : shards.first { $0.engine.knows(vehicle) }
    }

    private func nextQuestion() -> [String] {
        for (index, shard) in shards.enumerated() {
            let topics = shard.nextQuestion()
            guard topics.isEmpty else {
                askingShard = index
                return topics
            }
        }
        return []
    }

    func commit() throws {
        try removeCabTokens()
        try all(shards) { try $0.commit() }
        if turns.contains(where: { !$0.batch.retained.isEmpty }) { link.inputsChanged() }
    }

    func publish() throws {
        firstToSend = (firstToSend + 1) % max(shards.count, 1)
        link.sendsOneAtATime = shards.contains(where: \.sendsOneAtATime)
        for shard in shards[firstToSend...] + shards[..<firstToSend] {
            let others = shards.reduce(0) { $0 + ($1 === shard ? 0 : $1.underWayCount) }
            try keeping(shard) { try shard.send(over: link, besides: others) }
        }
        dispatch.publish(over: link, cluster?.exchange)
        for shard in shards {
            try keeping(shard) { shared.metrics.retainedRepublished.add(try shard.publishRest(over: link)) }
        }
        let missing = shards.reduce(0) { $0 + $1.retainedMissing }
        shared.metrics.retainedMissing.set(missing)
        shared.readiness.setRetainedMissing(missing)
        shared.metrics.outboxPending.set(outboxCount)
    }

    /// Lets acknowledgements leave, and what is published, which is queued behind them, unless a message waits whose own
    /// would leave with them.
    func acknowledge() {
        if let cluster {
            link.acknowledge()
            acknowledge(cluster)
        } else if !holdsAcknowledgements {
            link.acknowledge()
        }
        if waitingCount == 0 { shared.readiness.heartbeat.messagesDone() }
    }

    /// What is committed may be seen; what came back by way of the console is answered.
    private func show() {
        for shard in shards {
            guard let turn = shard.turn else { continue }
            live.note(turn)
            cluster?.exchange.note(turn, of: shard.place.index)
        }
        // Who is told that an entry is in force must find it there.
        if dispatch.hasReturned || turns.contains(where: { !$0.dispatch.outcomes.isEmpty }) { live.expire() }
        if !isMapAwaited() { live.show(shards, cluster?.exchange, isConnected: link.isConnected, at: clock()) }
        shared.engine.answer(shards.map(\.engine)) { cluster?.exchange.vehicle($0) }
        dispatch.answer(turns) { topic, payload in shards.contains { $0.inbox.messages.contains(topic, payload) } }
        cluster?.exchange.send(shards)
    }
}
