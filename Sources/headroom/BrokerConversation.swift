import Broker
import Foundation
import MQTT

/// A short conversation of a command with the broker, under a client id of its own: a gateway of the same configuration keeps its
/// session.
///
/// Belongs to one thread.
final class BrokerConversation {
    struct BrokerConversationError: Error, CustomStringConvertible {
        var description: String
    }

    /// The broker keeps a session for this conversation's account, and to begin anew would end it.
    struct SessionKeptError: Error, CustomStringConvertible {
        let finding = "the broker keeps the gateway's session under its account, and what waits there would be lost"
        let advice =
            "connect where the broker lets an account connect more than once, or give --beside-gateway and lose it"

        var description: String { "the broker was not asked: \(finding); \(advice)" }
    }

    private static let look: Duration = .milliseconds(200)

    private let connection: BrokerConnection
    /// Nil: no session needs to be looked for.
    private let resuming: BrokerSettings?
    private let timeout: Duration
    private var unanswered: Set<String> = []
    private var isConnected = false
    private var underWay: [Int32: String] = [:]
    /// Topics on which the broker refused a publication.
    private(set) var refusedTopics: [String: ReasonCode] = [:]
    /// Filters that the broker did not grant.
    private(set) var refusedFilters: [String: ReasonCode] = [:]
    /// The quality of service of each filter that the broker granted.
    private(set) var granted: [String: QoS] = [:]
    /// Called with each message, in the order in which they come.
    var onMessage: (ReceivedMessage) -> Void = { _ in }

    /// - Parameters:
    ///   - broker: the gateway's settings.
    ///   - name: of the command, part of the client id.
    ///   - mayEndSession: whether a session that the broker keeps for the account may be lost.
    ///   - timeout: how long the connection, and each answer, may take.
    init(_ broker: BrokerSettings, name: String, mayEndSession: Bool, timeout: Duration) throws {
        self.timeout = timeout
        var settings = broker
        settings.clientID = "headroom-\(name)-\(ProcessInfo.processInfo.processIdentifier)"
        settings.connectTimeout = timeout
        resuming = broker.username == nil || mayEndSession ? nil : settings
        settings.cleanStart = true
        settings.sessionExpirySeconds = 0
        connection = try BrokerConnection(settings)
    }

    /// What the broker says of itself.
    var serverLimits: ServerLimits { connection.serverLimits }

    /// `BrokerConnection.certificateExpiry`
    var certificateExpiry: Int? { connection.certificateExpiry }

    /// Connects, subscribes, and waits until the broker has answered for every filter.
    ///
    /// - Throws: `SessionKeptError` where that would end the gateway's session.
    func open(_ subscriptions: [Subscription]) throws {
        if let resuming { try requireNoSession(resuming) }
        connection.subscribe(subscriptions)
        unanswered = Set(subscriptions.map(\.filter))
        connection.connect()
        guard try wait(timeout, until: { self.isConnected && self.unanswered.isEmpty }) else {
            throw BrokerConversationError(description: "the broker did not answer within \(timeout)")
        }
    }

    /// Nobody has had this client id before. Where the broker has a session for it all the same, it takes the account's name for
    /// the id, and the session is the gateway's.
    ///
    /// The connection is dropped, with nothing acknowledged: to the broker that is a crash, after which it keeps the session and
    /// what waits there. One that it has made for this is gone with the next connection.
    private func requireNoSession(_ settings: BrokerSettings) throws {
        let connection = try BrokerConnection(settings)
        connection.connect()
        let deadline = ContinuousClock.now + timeout
        while ContinuousClock.now < deadline {
            for event in connection.poll(timeout: Self.look) {
                guard case .connected(let sessionPresent) = event else {
                    try handle(event)
                    continue
                }
                if sessionPresent { throw SessionKeptError() }
                return
            }
        }
        throw BrokerConversationError(description: "the broker did not answer within \(timeout)")
    }

    func publish(_ topic: String, _ payload: [UInt8], retain: Bool = false) throws {
        let id = try connection.publish(Publication(topic: topic, payload: payload, retain: retain))
        underWay[id] = topic
    }

    /// Waits until the broker has answered for everything that was published.
    ///
    /// - Returns: whether it has within the timeout.
    func settle() throws -> Bool { try wait(timeout) { self.underWay.isEmpty } }

    /// - Returns: whether `isDone` within `limit`.
    @discardableResult
    func wait(_ limit: Duration, until isDone: () -> Bool) throws -> Bool {
        let deadline = ContinuousClock.now + limit
        while !isDone() {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { return false }
            for event in connection.poll(timeout: min(left, Self.look)) { try handle(event) }
            for message in connection.takeMessages() { onMessage(message) }
            connection.flush()
        }
        return true
    }

    func close() { connection.disconnect() }

    private func handle(_ event: BrokerEvent) throws {
        switch event {
        case .connected: isConnected = true
        case .subscribed(let filter, .granted(let qos)):
            unanswered.remove(filter)
            granted[filter] = qos
        case .subscribed(let filter, .refused(let reason)):
            unanswered.remove(filter)
            refusedFilters[filter] = reason
        case .published(let id, let reason):
            guard let topic = underWay.removeValue(forKey: id) else { return }
            if reason.isRefusal { refusedTopics[topic] = reason }
        case .refused(let reason):
            throw BrokerConversationError(description: "the broker refuses the connection: \(reason)")
        case .disconnected(let reason):
            throw BrokerConversationError(description: "the broker ended the connection: \(reason)")
        case .unreachable(let error), .lost(let error): throw error
        case .retainedRead: break
        }
    }
}
