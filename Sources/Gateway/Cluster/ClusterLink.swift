import Broker
import Hashing
import Logging
import Messages
import RabbitMQ

/// What the pipeline sees of the cluster's queues: which shards are this gateway's, and their messages.
///
/// Connects again with back-off where a connection is lost; all queues are lost with it. Sorts, where it owns the sorting queue.
///
/// Into each queue it sends messages of its own. Those that come back through a queue that it owns say how far that queue is
/// read, as `RoundTrip` does over MQTT. The others make the first delivery by which an owner learns that it is one, so that a queue
/// has its owner at work, and what the owner before had to say is said, also where no vehicle reports.
final class ClusterLink {
    private struct Connections {
        let inbox: ClusterInbox
        let publisher: any QueueConnection
        var balance: ClusterBalance
        var sorting: SortingProgress
    }

    /// Seconds; a queue whose owner died is known to be this gateway's within this time, whether vehicles report or not.
    private static let probeEvery: Double = 2
    /// A pass reads so many at most; the prefetch limits what there is.
    private static let eventsMax = 10_000

    private let settings: ClusterSettings
    private let topology: ClusterTopology
    private let sorter: ClusterSorter
    private let gateway: String
    private let waker: Waker
    private let readiness: Readiness
    private let metrics: ClusterMetrics
    private let clock: GatewayClock
    private let logger: Logger
    /// Tells this process's messages from those of others.
    private let token = String(UInt64.random(in: .min ... .max), radix: 16)
    private var connections: Connections?
    private var backoff: Backoff
    private var nextAttempt: ContinuousClock.Instant
    private var queues = OwnedQueues()
    private var probedAt: [Int: Timestamp] = [:]
    /// Shards whose queues are left to other gateways, on later connections too.
    private var left: Set<Int> = []
    /// What other gateways, and this one, have said to all, or to this one.
    private var gatewayMessages: [[UInt8]] = []
    private var lastOfGateways: UInt64?
    /// See `openNext`; since when all queues are consumed that way.
    private var (isCautious, cautiousSince): (Bool, ContinuousClock.Instant?) = (false, nil)
    /// Of this gateway's own.
    let ownQueue: String
    /// How many connections there were: what others have sent to one before this is lost.
    private(set) var connectionCount = 0

    /// - Parameter waker: of the thread that calls `poll`; it wakes as soon as there is something to read.
    init(
        _ configuration: GatewayConfiguration, _ settings: ClusterSettings, waker: Waker, shared: SharedState,
        clock: GatewayClock, logger: Logger
    ) throws {
        self.settings = settings
        topology = try ClusterTopology(configuration, queues: settings.queues)
        var rejections = RejectionLog(logger: logger)
        sorter = ClusterSorter(configuration) { [rejected = shared.metrics.rejected] _ in
            rejected[.invalidVehicleID].add()
            rejections.note(.invalidVehicleID, of: nil, at: clock())
        }
        gateway = configuration.broker.clientID
        ownQueue = "\(topology.gateways).\(gateway).\(token)"
        (self.waker, self.clock, self.logger) = (waker, clock, logger)
        (readiness, metrics) = (shared.readiness, shared.metrics.cluster)
        // Of other gateways another one, so that they do not all come at once.
        backoff = Backoff(seed: FNV1a(configuration.broker.clientID.utf8).value)
        nextAttempt = clock.elapsed()
        readiness.setClusterProblem(Self.notConnected)
    }

    private static let notConnected = "not connected to the cluster's queues"

    /// How many shards there are in all.
    var count: Int { settings.queues }
    /// The shards that are this gateway's.
    var owned: Set<Int> { queues.shards }
    /// Whether messages have come that no shard has.
    func hasMessages(of shard: Int) -> Bool { queues.hasMessages(of: shard) }

    // MARK: Each pass

    /// Reads what has come, and publishes what is due; waits for nothing but a new connection.
    ///
    /// - Throws: `ClusterError.otherQueueCount` at the first connection.
    func poll() throws(ClusterError) {
        if connections == nil { try connect() }
        do {
            try openNext()
            try read()
            try sort()
            try probe()
        } catch {
            lose(error)
        }
    }

    /// A message that RabbitMQ cannot deliver ends the connection, and counts as delivered, as all does that is here unacknowledged.
    /// So that no other is put aside with it, queues are then consumed with care: one message at a time, and each queue once all is
    /// acknowledged that came out of those before it. Ten seconds later there is no such message any more.
    private func openNext() throws {
        guard isCautious, let connections, connections.sorting.isEmpty, queues.areAcknowledged else { return }
        if try connections.inbox.consumeNext() { return }
        guard let since = cautiousSince else { return cautiousSince = clock.elapsed() }
        guard clock.elapsed() - since >= .seconds(10) else { return }
        isCautious = false
        close()
        try connect()
    }

    /// The messages of a shard that have come since the last call, in their order.
    func takeMessages(of shard: Int) -> [ReceivedMessage] { queues.takeMessages(of: shard) }

    /// What gateways have said since the last call.
    func takeGatewayMessages() -> [[UInt8]] {
        defer { (gatewayMessages, lastOfGateways) = ([], nil) }
        if let lastOfGateways {
            do { try connections?.inbox.acknowledge(upTo: lastOfGateways, of: .gateways) } catch { lose(error) }
        }
        return gatewayMessages
    }

    /// Says something to a gateway, or to all, this one too; nothing where RabbitMQ takes nothing now.
    ///
    /// - Parameter queue: of that gateway's own; nil: all.
    func send(_ payload: [UInt8], to queue: String? = nil) {
        guard let publisher = connections?.publisher, !publisher.isBlocked else { return }
        do {
            _ = try publisher.publish(payload, to: queue == nil ? topology.gateways : "", key: queue ?? "")
        } catch {
            lose(error)
        }
    }

    /// All messages of the shard that were taken are committed.
    func acknowledge(_ shard: Int) {
        guard let connections, let tag = queues.noteCommit(of: shard) else { return }
        do { try connections.inbox.acknowledge(upTo: tag, of: .shard(shard)) } catch { lose(error) }
    }

    /// Says how far each queue is read.
    func countLag() { metrics.setLags(queues.lags(at: clock())) }

    /// Whether all that was in the shard's queue a moment ago is committed.
    func isUpToDate(_ shard: Int, at now: Timestamp) -> Bool { queues.isUpToDate(shard, at: now) }

    /// The shards that are to be given up, so that all gateways own about as many; each is named once.
    func takeExcess() -> [Int] { connections?.balance.takeExcess(of: owned, of: count, at: clock()) ?? [] }

    /// Lets another gateway have the shard's queue, and waits for it again.
    func giveUp(_ shard: Int) {
        guard queues.remove(shard), let connections else { return }
        do { try connections.inbox.release(.shard(shard)) } catch { lose(error) }
    }

    /// Leaves queues to other gateways, until `consumeLeft`.
    ///
    /// - Parameter kept: all others are left, also those that another gateway has now.
    func leave(allBut kept: Set<Int>) {
        left = Set(0..<count).subtracting(kept)
        do {
            for shard in left.sorted() {
                queues.remove(shard)
                try connections?.inbox.leave(.shard(shard))
            }
        } catch { lose(error) }
    }

    /// Waits again for the queues that were left.
    func consumeLeft() {
        let shards = left.sorted()
        left = []
        do { for shard in shards { try connections?.inbox.consume(.shard(shard)) } } catch { lose(error) }
    }

    /// Other gateways have all queues at once.
    func close() {
        (queues, connections, lastOfGateways) = (OwnedQueues(), nil, nil)
        waker.watch([])
    }

    // MARK: Steps

    private func connect() throws(ClusterError) {
        guard clock.elapsed() >= nextAttempt else { return }
        do {
            let publisher = try settings.connect()
            // Later a queue that is not there may be one whose node is away.
            if connectionCount == 0 { try topology.requireCount(try topology.countDeclaredShards(over: publisher)) }
            let consumer = try settings.connect()
            let inbox = try ClusterInbox(
                topology, over: consumer, gateway: gateway, ownQueue: ownQueue, prefetch: settings.prefetch,
                without: left, isCautious: isCautious)
            connections = Connections(
                inbox: inbox, publisher: publisher, balance: ClusterBalance(of: token),
                sorting: SortingProgress(sorter, to: topology))
            waker.watch([consumer.descriptor, publisher.descriptor])
            backoff.reset()
            connectionCount += 1
            probedAt = [:]
            cautiousSince = nil
            readiness.setClusterProblem(nil)
            logger.info("Connected to the cluster's queues")
        } catch let error as ClusterError {
            throw error
        } catch {
            lose(error)
        }
    }

    private func lose(_ error: any Error) {
        close()
        if (error as? RabbitMQError)?.kind == .serverFailed { isCautious = true }
        nextAttempt = clock.elapsed() + backoff.next()
        readiness.setClusterProblem(Self.notConnected)
        logger.warning("No connection to the cluster's queues; trying again soon", metadata: ["reason": "\(error)"])
    }

    private func read() throws {
        guard let inbox = connections?.inbox else { return }
        for event in try inbox.poll(timeout: .zero, limit: Self.eventsMax) {
            switch event {
            case .message(let message): take(message)
            case .lost(let source, let error):
                logger.warning(
                    "The queue \(inbox.queue(of: source)) is lost",
                    metadata: ["reason": "\(error.map(\.description) ?? "deleted")"])
                switch source {
                case .shard(let shard): queues.remove(shard)
                case .sorting: connections?.sorting = SortingProgress(sorter, to: topology)
                case .gateways: connectionCount += 1
                }
                try inbox.consume(source)
            }
        }
    }

    private func take(_ message: ClusterMessage) {
        switch message.source {
        case .sorting: connections?.sorting.add(message)
        case .gateways:
            gatewayMessages.append(message.message.payload)
            lastOfGateways = message.tag
        case .shard(let shard):
            if !queues.contains(shard) { logger.info("This gateway owns the queue \(topology.shards[shard])") }
            queues.add(message, of: shard, sent: message.probe.flatMap(hear))
        }
    }

    /// A message of a gateway has come through a queue of vehicles.
    ///
    /// - Returns: when it was sent, where it is one of this gateway's own.
    private func hear(_ probe: String) -> Timestamp? {
        let parts = probe.split(separator: " ").map(String.init)
        connections?.balance.hear(parts.first ?? "", at: clock())
        guard parts.first == token, let sent = parts.last.flatMap(Int64.init) else { return nil }
        return Timestamp(milliseconds: sent)
    }

    private func sort() throws {
        guard let publisher = connections?.publisher, let inbox = connections?.inbox else { return }
        for event in try publisher.poll(timeout: .zero, limit: Self.eventsMax) {
            guard case .confirmed(let sequence, let isTaken) = event else { continue }
            if let tag = try connections?.sorting.confirmed(sequence, isTaken: isTaken) {
                try inbox.acknowledge(upTo: tag, of: .sorting)
            }
        }
        if let tag = try connections?.sorting.publish(over: publisher) {
            try inbox.acknowledge(upTo: tag, of: .sorting)
        }
    }

    /// Sends the messages of its own that are due.
    private func probe() throws {
        guard let publisher = connections?.publisher, !publisher.isBlocked else { return }
        let now = clock()
        // Of a gateway that takes no queue others need not know.
        for shard in topology.shards.indices where !left.contains(shard) {
            let pause = queues.contains(shard) ? RoundTrip.every : Self.probeEvery
            if let last = probedAt[shard], now.since(last).magnitude < pause { continue }
            probedAt[shard] = now
            // The exchange without a name takes each message to the queue that its key names.
            _ = try publisher.publish(
                [], to: "", key: topology.shards[shard],
                headers: [ClusterSorter.Header.probe: .text("\(token) \(now.milliseconds)")])
        }
    }
}
