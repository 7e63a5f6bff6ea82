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

    private static let look: Duration = .milliseconds(200)

    private let connection: BrokerConnection
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
    ///   - timeout: how long the connection, and each answer, may take.
    init(_ broker: BrokerSettings, name: String, timeout: Duration) throws {
        self.timeout = timeout
        connection = try BrokerConnection(Self.settings(broker, name: name, timeout: timeout))
    }

    private static func settings(_ broker: BrokerSettings, name: String, timeout: Duration) -> BrokerSettings {
        var settings = broker
        settings.clientID = "headroom-\(name)-\(ProcessInfo.processInfo.processIdentifier)"
        settings.cleanStart = true
        settings.sessionExpirySeconds = 0
        settings.connectTimeout = timeout
        return settings
    }

    /// What the broker says of itself.
    var serverLimits: ServerLimits { connection.serverLimits }

    /// `BrokerConnection.certificateExpiry`
    var certificateExpiry: Int? { connection.certificateExpiry }

    /// Connects, subscribes, and waits until the broker has answered for every filter.
    func open(_ subscriptions: [Subscription]) throws {
        connection.subscribe(subscriptions)
        unanswered = Set(subscriptions.map(\.filter))
        connection.connect()
        guard try wait(timeout, until: { self.isConnected && self.unanswered.isEmpty }) else {
            throw BrokerConversationError(description: "the broker did not answer within \(timeout)")
        }
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
