import Broker
import Foundation
import Logging
import Messages
import MQTT
import Wire

/// Keeps the gateway connected and subscribed: connects, says that it is online, proves by a message to itself that its
/// subscriptions work.
final class BrokerLink {
    private let configuration: GatewayConfiguration
    private let connection: any MQTTConnection
    private let readiness: Readiness
    private let metrics: GatewayMetrics
    private let logger: Logger
    private var attempts: ConnectionAttempts
    /// What is under way about vehicles that another gateway has taken over. Sent again over another connection, it would take the
    /// place of what that gateway has retained since.
    private var ofOthers: Set<Int32> = []
    /// Whether the outbox sends one message at a time.
    var sendsOneAtATime = false
    private var probe: ConnectionProbe
    private var roundTrip: RoundTrip
    private let clock: GatewayClock
    private var onlineStatus: OnlineStatus
    /// What is being asked of the broker.
    private var read: RetainedRead?
    /// Filters that are not granted yet.
    private var outstanding: Set<String> = []
    private let filters: [Subscription]

    init(
        _ configuration: GatewayConfiguration, over connection: any MQTTConnection, shared: SharedState,
        clock: GatewayClock = GatewayClock(), logger: Logger
    ) throws {
        self.configuration = configuration
        self.connection = connection
        readiness = shared.readiness
        metrics = shared.metrics
        self.logger = logger
        self.clock = clock
        attempts = ConnectionAttempts(configuration.broker, at: clock.elapsed(), logger: logger)
        probe = ConnectionProbe(configuration.topics)
        roundTrip = RoundTrip(topic: configuration.topics.probe)
        onlineStatus = OnlineStatus(
            StatusMessage(.online, version: configuration.version).encoded(on: configuration.topics))
        filters = try configuration.brokerSubscriptions
        connection.subscribe(filters)
    }

    var waker: Waker { connection.waker }
    var isConnected: Bool { connection.isConnected }
    /// `BrokerConnection.inFlightMax`.
    var inFlightMax: Int { connection.inFlightMax }

    /// Waits for something to happen, and connects where there is no connection.
    ///
    /// - Parameter underWay: how many publications are, besides the link's own.
    /// - Returns: new connections, and which publications the broker has answered for.
    /// - Throws: `GatewayError` where going on makes no sense.
    func poll(timeout: Duration, underWay: Int) throws -> [BrokerAnswer] {
        var answers: [BrokerAnswer] = []
        if connection.isIdle {
            if !ofOthers.isEmpty {
                try discardUnacknowledged()
                answers.append(.discarded(mayBeRefused: false))
            }
            if attempts.isDue(at: clock.elapsed()) { connection.connect() }
        }
        for event in connection.poll(timeout: timeout) {
            if attempts.isDueToPublication(event, underWay: underWay, isAlone: sendsOneAtATime) {
                try discardUnacknowledged()
                answers.append(.discarded(mayBeRefused: true))
            }
            try attempts.take(event, at: clock.elapsed())
            if let answer = handle(event) { answers.append(answer) }
            if case .published(let id, _) = event { ofOthers.remove(id) }
            onlineStatus.note(event)
            probe.note(event)
            read?.note(event)
        }
        publishOnlineStatus()
        probe.advance(over: connection, at: clock.elapsed())
        if probe.isDone { roundTrip.advance(over: connection, at: clock()) }
        read?.advance(over: connection, probe: configuration.topics.probe, at: clock.elapsed())
        metrics.brokerConnected.set(connection.isConnected ? 1 : 0)
        return answers
    }

    /// `BrokerConnection.inboxLimit`.
    var inboxLimit: Int {
        get { connection.inboxLimit }
        set { connection.inboxLimit = newValue }
    }

    /// Whether all that the broker had for the gateway a moment ago has come and was handled: as long as it was not, nobody knows
    /// what vehicles have done since.
    var isUpToDate: Bool { connection.isConnected && roundTrip.isUpToDate(at: clock()) }

    /// For how many seconds messages wait before they are handled, at the broker or here; nil while what queued up before the
    /// connection came about is not handled yet.
    var delay: Double? { connection.isConnected ? roundTrip.age(at: clock()) : nil }

    func takeMessages() -> [ReceivedMessage] { connection.takeMessages() }

    /// Lets the acknowledgements of what was taken leave.
    func acknowledge() { connection.flush() }

    func publish(_ publication: Publication) throws(BrokerError) -> Int32 { try connection.publish(publication) }

    /// Another gateway has taken over whom these publications are about, which are under way.
    func handOver(_ publications: some Sequence<Int32>) { ofOthers.formUnion(publications) }

    /// Asks for what the broker retains on these topics, if nothing else is being asked.
    ///
    /// - Parameter question: empty: nothing is to be asked.
    func readRetained(_ question: () -> [String]) {
        guard read == nil, isConnected else { return }
        let topics = question()
        guard !topics.isEmpty else { return }
        var read = RetainedRead(topics)
        read.advance(over: connection, probe: configuration.topics.probe, at: clock.elapsed())
        self.read = read
    }

    /// The newest mark that the broker has taken, to be kept and to be handed over at the next start.
    var mark: Int? { probe.acknowledged }
    /// Whether no newer one is to leave now.
    func holdMarks(_ isHeld: Bool) { probe.holdsMarks = isHeld }
    /// - Parameter isSessionKnown: whether the store has what the broker retained when its session began.
    func restore(mark: Int?, isSessionKnown: Bool) { probe.restore(mark, isSessionKnown: isSessionKnown) }
    /// A retained input has come, or has come back.
    func inputsChanged() { probe.inputsChanged() }

    /// Whether a message is one that the gateway sends itself.
    func isProbe(_ message: ReceivedMessage) -> Bool {
        message.topic == configuration.topics.probe || configuration.topics.retainedProbes.contains(message.topic)
    }

    /// Shards have handled messages that were sent to come back.
    ///
    /// - Parameter marks: of each shard the newest; nil: none.
    func noteRoundTrip(_ marks: [RoundTrip.Mark?]) { roundTrip.note(marks) }

    /// What a message of the gateway's own says, sent to see that it comes back.
    func probeAnswer(_ message: ReceivedMessage) -> ProbeAnswer {
        let topics = configuration.topics
        if let mark = roundTrip.mark(message) { return .roundTrip(mark) }
        // What is to be asked next is asked at once: nothing else may come that ends the next wait.
        defer { probe.advance(over: connection, at: clock.elapsed()) }
        switch probe.take(message) {
        case .delivery(let delivery):
            readiness.set(.probeReturned, true)
            if configuration.cluster == nil { readiness.set(delivery) }
            return .probed(delivery)
        case .earlierState: return .earlierState
        case .laterState:
            connection.renewSubscriptions()
            return .laterState
        case nil: break
        }
        guard message.topic == topics.probe, let read, read.isAnswered(by: message) else { return .nothing }
        self.read = nil
        return .retainedRead
    }

    /// - Parameter timeout: waits so long for the broker to hear it.
    func disconnectGracefully(timeout: Duration) {
        guard connection.isConnected else { return }
        // At QoS 0 it leaves at once; at 1 it would wait behind all that the broker has not answered for. Where there is no
        // room for it either, the will says the same.
        let isSaid = publishOffline()
        connection.disconnect(keepsWill: !isSaid, timeout: timeout)
        logger.info("Disconnected from the broker")
    }

    private func discardUnacknowledged() throws(BrokerError) {
        ofOthers = []
        probe.discarded()
        try connection.discardUnacknowledged()
    }

    /// - Returns: the answer to a publication, if it is one.
    private func handle(_ event: BrokerEvent) -> BrokerAnswer? {
        switch event {
        case .connected(let sessionPresent):
            return .reconnected(connected(isNewSession: !sessionPresent))
        case .refused, .unreachable, .lost, .disconnected: disconnected()
        case .subscribed(let filter, let answer): subscribed(filter, answer)
        case .published(let id, let reason):
            if reason.isRefusal, !probe.isOwn(id) { readiness.publishRefused(reason) }
            return .published(id: id, reason)
        case .retainedRead: break
        }
        return nil
    }

    private func connected(isNewSession: Bool) -> ConnectedSession {
        logger.info("Connected to the broker", metadata: ["session": isNewSession ? "new" : "resumed"])
        probe.connected(isNewSession: isNewSession)
        roundTrip.restart()
        outstanding = Set(filters.map(\.filter))
        onlineStatus.connected()
        if isNewSession { return .new }
        // In a cluster, queues bring the inputs.
        if probe.isSessionKnown || configuration.cluster != nil { return .resumed }
        logger.notice(
            """
            The store may lack what the broker retained before, as a new one does, or a restored copy; the broker is \
            asked for all of it
            """)
        connection.renewSubscriptions()
        return .renewed
    }

    private func disconnected() {
        readiness.disconnected()
        onlineStatus.disconnected()
        probe.disconnected()
        roundTrip.restart()
        read = nil
    }

    private func subscribed(_ filter: String, _ answer: BrokerEvent.Answer) {
        switch answer {
        case .refused(let reason):
            logger.error("The broker refuses the subscription to \(filter): \(reason)")
        case .granted:
            outstanding.remove(filter)
            guard outstanding.isEmpty else { return }
            readiness.set(.subscribed, true)
            probe.subscribed()
        }
    }

    private func publishOnlineStatus() {
        do {
            try onlineStatus.advance(over: connection)
        } catch {
            logger.error("The status could not be published: \(error)")
        }
    }

    /// - Returns: whether there was room for it among what is under way.
    private func publishOffline() -> Bool {
        var publication = StatusMessage(.offline, version: configuration.version).encoded(on: configuration.topics)
        publication.qos = .atMostOnce
        do {
            _ = try connection.publish(publication)
            return true
        } catch {
            logger.info("The will says that the gateway is offline, as its status cannot be published: \(error)")
            return false
        }
    }
}
