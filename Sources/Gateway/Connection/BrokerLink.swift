import Broker
import Foundation
import Hashing
import Logging
import Messages
import MQTT
import Wire

/// Keeps the gateway connected and subscribed: connects with back-off, says that it is online, proves by a message to
/// itself that its subscriptions work.
final class BrokerLink {
    private let configuration: GatewayConfiguration
    private let connection: any MQTTConnection
    private let readiness: Readiness
    private let metrics: GatewayMetrics
    private let logger: Logger
    private var backoff: Backoff
    private var rivalry = SessionTakeover()
    private var refusals = UnansweredConnections()
    /// What is under way about vehicles that another gateway has taken over. Sent again over another connection, it would take the
    /// place of what that gateway has retained since.
    private var ofOthers: Set<Int32> = []
    /// Whether the outbox sends one message at a time.
    var sendsOneAtATime = false
    private var nextAttempt: ContinuousClock.Instant
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
        nextAttempt = clock.elapsed()
        probe = ConnectionProbe(configuration.topics)
        roundTrip = RoundTrip(topic: configuration.topics.probe)
        onlineStatus = OnlineStatus(
            StatusMessage(.online, version: configuration.version).encoded(on: configuration.topics))
        backoff = Backoff(seed: FNV1a(configuration.broker.clientID.utf8).value)
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
            connect()
        }
        for event in connection.poll(timeout: timeout) {
            if try discardUnacknowledged(after: event, underWay) { answers.append(.discarded(mayBeRefused: true)) }
            if rivalry.isCertain(after: event, at: clock.elapsed()) {
                let clientID = configuration.broker.clientID
                throw event == .disconnected(.sessionTakenOver)
                    ? GatewayError.sessionTakenOver(clientID: clientID)
                    : GatewayError.brokerEndsConnections(clientID: clientID)
            }
            if let answer = try handle(event) { answers.append(answer) }
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
    func restore(mark: Int?) { probe.restore(mark) }
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

    // MARK: Connecting

    /// Where a publication under way may be why connections end, none is sent again before it is known which.
    private func discardUnacknowledged(after event: BrokerEvent, _ count: Int) throws(BrokerError) -> Bool {
        guard refusals.isReason(for: event, underWay: count, isAlone: sendsOneAtATime) else { return false }
        if !sendsOneAtATime {
            logger.warning(
                """
                The broker ends connections before it answers, perhaps for one of \(count) messages under way; they are sent one at a \
                time to find it
                """)
        }
        rivalry = SessionTakeover()
        try discardUnacknowledged()
        return true
    }

    private func discardUnacknowledged() throws(BrokerError) {
        ofOthers = []
        probe.discarded()
        try connection.discardUnacknowledged()
    }

    private func connect() {
        if clock.elapsed() >= nextAttempt { connection.connect() }
    }

    private func retryLater(_ reason: String) {
        readiness.disconnected()
        onlineStatus.disconnected()
        probe.disconnected()
        roundTrip.restart()
        read = nil
        let pause = backoff.next()
        nextAttempt = clock.elapsed() + pause
        let seconds = (pause.seconds * 10).rounded() / 10
        logger.warning("No connection to the broker; trying again in \(seconds) s", metadata: ["reason": "\(reason)"])
    }

    /// - Returns: the answer to a publication, if it is one.
    private func handle(_ event: BrokerEvent) throws -> BrokerAnswer? {
        switch event {
        case .connected(let sessionPresent):
            logger.info("Connected to the broker", metadata: ["session": sessionPresent ? "resumed" : "new"])
            backoff.reset()
            probe.connected(isNewSession: !sessionPresent)
            roundTrip.restart()
            outstanding = Set(filters.map(\.filter))
            onlineStatus.connected()
            return .reconnected(isNewSession: !sessionPresent)
        case .refused(let reason):
            if reason.isFinal { throw GatewayError.brokerRefuses(reason) }
            retryLater("\(reason)")
        case .unreachable(let error):
            retryLater(error.description + versionHint(error))
        case .lost(let error):
            retryLater(error.description)
        case .disconnected(let reason):
            retryLater("\(reason)")
        case .subscribed(let filter, let answer):
            subscribed(filter, answer)
        case .published(let id, let reason):
            if reason.isRefusal, !probe.isOwn(id) { readiness.publishRefused(reason) }
            return .published(id: id, reason)
        case .retainedRead: break
        }
        return nil
    }

    /// RabbitMQ's MQTT plugin up to version 3.12 closes the connection where another broker refuses a version.
    private func versionHint(_ error: BrokerError) -> String {
        guard error.code == .notAccepted, configuration.broker.protocolVersion == .v5 else { return "" }
        return " A broker that does not speak MQTT 5 may do that: set `broker.protocol: 3.1.1` for it."
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

/// What a message of the gateway's own says that has come back.
enum ProbeAnswer {
    case nothing
    /// All has come that the broker had before it.
    case roundTrip(RoundTrip.Mark)
    /// Messages come back, and all that the broker sends by itself for the subscriptions has come.
    case probed(RetainedDelivery)
    /// The session goes on, and the broker was restored from a time before.
    case earlierState
    /// All that was asked for has come.
    case retainedRead
}

/// What the broker's side tells the outbox.
enum BrokerAnswer {
    case published(id: Int32, ReasonCode)
    /// A new connection; with a new session the broker sends what it has retained.
    case reconnected(isNewSession: Bool)
    /// The connection has ended, and what the broker had not answered for is not sent again: perhaps connections end for some of it.
    case discarded(mayBeRefused: Bool)
}

extension ReasonCode {
    /// Whether trying again with the same settings is to no purpose.
    fileprivate var isFinal: Bool {
        [.unsupportedProtocolVersion, .clientIDNotValid, .badUsernameOrPassword, .notAuthorized].contains(self)
    }
}
