import Broker
import Foundation
import Logging
import Wire

/// Keeps the gateway connected and subscribed: connects with back-off, says that it is online, proves by a message to
/// itself that its subscriptions work.
final class BrokerLink {
    private let configuration: GatewayConfiguration
    private let connection: BrokerConnection
    private let readiness: Readiness
    private let metrics: GatewayMetrics
    private let logger: Logger
    private var backoff: Backoff
    private var rivalry = Rivalry()
    private var nextAttempt = ContinuousClock.now
    /// Filters that are not granted yet.
    private var outstanding: Set<String> = []
    private let filters: [Subscription]

    init(
        _ configuration: GatewayConfiguration, readiness: Readiness, metrics: GatewayMetrics, logger: Logger
    ) throws {
        self.configuration = configuration
        self.readiness = readiness
        self.metrics = metrics
        self.logger = logger
        backoff = Backoff(seed: UInt64(truncatingIfNeeded: configuration.broker.clientID.hashValue))
        var settings = configuration.broker
        settings.will = Publication(
            StatusMessage(.offline, version: configuration.version).encoded(on: configuration.topics))
        connection = try BrokerConnection(settings)
        // What fixes are judged by comes before the fixes.
        let leaves = WireDecoder.leaves.filter { $0 != .location }.map { configuration.pattern.filter(for: $0) }
        let inputs = configuration.inputs.flatMap(\.filters)
        // What an input takes in is addressed to it.
        let misaddressed = configuration.pattern.misaddressed(.location).filter { filter in
            !inputs.contains { TopicFilter.overlap($0, filter) }
        }
        let locations = [configuration.pattern.filter(for: .location)] + misaddressed + inputs
        let topics = configuration.topics
        let catalogues = [topics.fenceFilter, topics.clearanceFilter] + topics.misnamedFilters
        let all = leaves + catalogues + locations + [topics.forgetFilter, topics.probe]
        filters = try all.map { try Subscription($0, configuration.qos) }
        connection.subscribe(filters)
    }

    var waker: Waker { connection.waker }
    var isConnected: Bool { connection.isConnected }
    /// `BrokerConnection.inFlightMax`.
    var inFlightMax: Int { connection.inFlightMax }

    /// Waits for something to happen, connects where there is no connection, and hands over which publications the broker
    /// answered for.
    ///
    /// - Returns: what `settle` makes of the answers.
    /// - Throws: `GatewayError` where going on makes no sense.
    func poll<Settled>(
        timeout: Duration, settle: (BrokerAnswer) -> Settled?
    ) throws -> [Settled] {
        if connection.isIdle { connect() }
        var settled: [Settled] = []
        for event in connection.poll(timeout: timeout) {
            if rivalry.isCertain(after: event, at: .now) {
                throw GatewayError.sessionTakenOver(clientID: configuration.broker.clientID)
            }
            if let answer = try handle(event), let item = settle(answer) { settled.append(item) }
        }
        metrics.brokerConnected.set(connection.isConnected ? 1 : 0)
        return settled
    }

    /// `BrokerConnection.inboxLimit`.
    var inboxLimit: Int {
        get { connection.inboxLimit }
        set { connection.inboxLimit = newValue }
    }

    func takeMessages() -> [ReceivedMessage] { connection.takeMessages() }

    /// Lets the acknowledgements of what was taken leave.
    func acknowledge() { connection.flush() }

    func publish(_ publication: Publication) throws(BrokerError) -> Int32 { try connection.publish(publication) }

    /// Whether the message is the gateway's own, sent to see that it comes back.
    func isProbe(_ message: ReceivedMessage) -> Bool {
        guard message.topic == configuration.topics.probe else { return false }
        readiness.set(.probeReturned, true)
        return true
    }

    func sayGoodbye() {
        guard connection.isConnected else { return }
        // At QoS 0 it leaves at once; at 1 it would wait behind all that the broker has not answered for. Where there is no
        // room for it either, the will says the same.
        let isSaid = announce(.offline, qos: .atMostOnce)
        connection.disconnect(keepsWill: !isSaid)
        logger.info("Disconnected from the broker")
    }

    // MARK: Connecting

    private func connect() {
        guard ContinuousClock.now >= nextAttempt else { return }
        do {
            try connection.connect()
        } catch {
            retryLater(error.description)
        }
    }

    private func retryLater(_ reason: String) {
        readiness.disconnected()
        let pause = backoff.next()
        nextAttempt = .now + pause
        let seconds = (pause.seconds * 10).rounded() / 10
        logger.warning("No connection to the broker; trying again in \(seconds) s", metadata: ["reason": "\(reason)"])
    }

    /// - Returns: the answer to a publication, if it is one.
    private func handle(_ event: BrokerEvent) throws -> BrokerAnswer? {
        switch event {
        case .connected(let sessionPresent):
            logger.info("Connected to the broker", metadata: ["session": sessionPresent ? "resumed" : "new"])
            backoff.reset()
            outstanding = Set(filters.map(\.filter))
            announce(.online)
            return .reconnected(isNewSession: !sessionPresent)
        case .refused(let reason):
            if reason.isFinal { throw GatewayError.brokerRefuses(reason) }
            retryLater("\(reason)")
        case .unreachable(let error), .lost(let error):
            retryLater(error.description)
        case .disconnected(.sessionTakenOver):
            throw GatewayError.sessionTakenOver(clientID: configuration.broker.clientID)
        case .disconnected(let reason):
            retryLater("\(reason)")
        case .subscribed(let filter, let answer):
            subscribed(filter, answer)
        case .published(let id, let reason):
            if reason.isRefusal { readiness.publishRefused(reason) }
            return .published(id: id, reason)
        }
        return nil
    }

    private func subscribed(_ filter: String, _ answer: BrokerEvent.Answer) {
        switch answer {
        case .refused(let reason):
            logger.error("The broker refuses the subscription to \(filter): \(reason)")
        case .granted:
            outstanding.remove(filter)
            guard outstanding.isEmpty else { return }
            readiness.set(.subscribed, true)
            let probe = Publication(topic: configuration.topics.probe, payload: Array("probe".utf8), qos: .atLeastOnce)
            _ = try? connection.publish(probe)
        }
    }

    /// - Returns: whether there was room for it among what is under way.
    @discardableResult
    private func announce(_ status: StatusMessage.Status, qos: QoS = .atLeastOnce) -> Bool {
        let message = StatusMessage(status, version: configuration.version).encoded(on: configuration.topics)
        var publication = Publication(message)
        publication.qos = qos
        do {
            _ = try connection.publish(publication)
            return true
        } catch {
            logger.error("The status could not be published: \(error)")
            return false
        }
    }
}

/// What the broker's side tells the outbox.
enum BrokerAnswer {
    case published(id: Int32, ReasonCode)
    /// A new connection; with a new session the broker sends what it has retained.
    case reconnected(isNewSession: Bool)
}

extension ReasonCode {
    /// Whether trying again with the same settings is to no purpose.
    fileprivate var isFinal: Bool {
        [.unsupportedProtocolVersion, .clientIDNotValid, .badUsernameOrPassword, .notAuthorized].contains(self)
    }
}

extension Publication {
    init(_ message: OutboundMessage) {
        self.init(
            topic: message.topic, payload: message.payload, qos: .atLeastOnce, retain: message.retain,
            expirySeconds: message.expirySeconds, contentType: OutboundMessage.contentType,
            userProperties: message.userProperties.map { UserProperty($0.name, $0.value) })
    }
}
