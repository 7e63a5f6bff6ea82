import Broker
import Hashing
import Logging

/// When the gateway connects again, and what the ends of its connections say: that going on makes no sense, or that a publication
/// under way may be the reason.
struct ConnectionAttempts {
    private let settings: BrokerSettings
    private let logger: Logger
    private var backoff: Backoff
    private var nextAttempt: ContinuousClock.Instant
    private var rivalry = SessionTakeover()
    private var refusals = UnansweredConnections()

    /// The first is due at once.
    init(_ settings: BrokerSettings, at now: ContinuousClock.Instant, logger: Logger) {
        self.settings = settings
        self.logger = logger
        backoff = Backoff(seed: FNV1a(settings.clientID.utf8).value)
        nextAttempt = now
    }

    func isDue(at now: ContinuousClock.Instant) -> Bool { now >= nextAttempt }

    /// Whether a publication under way may be why connections end: none is sent again before it is known which.
    ///
    /// - Parameters:
    ///   - underWay: how many publications are.
    ///   - isAlone: whether one at a time is sent.
    mutating func isDueToPublication(_ event: BrokerEvent, underWay: Int, isAlone: Bool) -> Bool {
        guard refusals.isReason(for: event, underWay: underWay, isAlone: isAlone) else { return false }
        if !isAlone {
            logger.warning(
                """
                The broker ends connections before it answers, perhaps for one of \(underWay) messages under way; they are sent one \
                at a time to find it
                """)
        }
        rivalry = SessionTakeover()
        return true
    }

    /// Takes in an event. Where a connection has ended, or has not come about, the next attempt waits.
    ///
    /// - Throws: where going on makes no sense.
    mutating func take(_ event: BrokerEvent, at now: ContinuousClock.Instant) throws(GatewayError) {
        if rivalry.isCertain(after: event, at: now) {
            throw event == .disconnected(.sessionTakenOver)
                ? GatewayError.sessionTakenOver(clientID: settings.clientID)
                : GatewayError.brokerEndsConnections(clientID: settings.clientID)
        }
        switch event {
        case .connected: backoff.reset()
        case .refused(let reason):
            if reason.isFinal { throw GatewayError.brokerRefuses(reason) }
            retryLater("\(reason)", at: now)
        case .unreachable(let error): retryLater(error.description + versionHint(error), at: now)
        case .lost(let error): retryLater(error.description, at: now)
        case .disconnected(let reason): retryLater("\(reason)", at: now)
        case .subscribed, .published, .retainedRead: break
        }
    }

    private mutating func retryLater(_ reason: String, at now: ContinuousClock.Instant) {
        let pause = backoff.next()
        nextAttempt = now + pause
        let seconds = (pause.seconds * 10).rounded() / 10
        logger.warning("No connection to the broker; trying again in \(seconds) s", metadata: ["reason": "\(reason)"])
    }

    /// RabbitMQ's MQTT plugin up to version 3.12 closes the connection where another broker refuses a version.
    private func versionHint(_ error: BrokerError) -> String {
        guard error.code == .notAccepted, settings.protocolVersion == .v5 else { return "" }
        return " A broker that does not speak MQTT 5 may do that: set `broker.protocol: 3.1.1` for it."
    }
}

extension ReasonCode {
    /// Whether trying again with the same settings is to no purpose.
    fileprivate var isFinal: Bool {
        [.unsupportedProtocolVersion, .clientIDNotValid, .badUsernameOrPassword, .notAuthorized].contains(self)
    }
}
