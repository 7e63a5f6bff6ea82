import Broker
import Fleet
import Foundation
import Gateway
import Messages
import MQTT
import Wire

/// A short conversation with the broker about one vehicle.
final class ForgetConversation {
    /// What the gateway says became of a request.
    struct Answer: Decodable {
        var status: String
        var request: String?
        var reason: String?
        var removed: ForgetAnswer.Removed?
    }

    struct ConversationError: Error, CustomStringConvertible {
        var description: String
    }

    private static let look: Duration = .milliseconds(200)
    /// A broker that lets nobody read its probe sends none back.
    private static let probeMax: Duration = .seconds(2)

    private let plan: ForgetRun.Plan
    private let topics: GatewayTopics
    private let connection: BrokerConnection
    private let request = UUID().uuidString
    private var unanswered: Set<String> = []
    private var isConnected = false
    private var isProbeBack = false
    /// Topics with a retained message that a vehicle leaves behind.
    private var retainedTopics: Set<String> = []
    private var answer: Answer?
    private var underWay: [Int32: String] = [:]
    private var refused: [String: ReasonCode] = [:]

    init(_ plan: ForgetRun.Plan) throws {
        self.plan = plan
        var settings = plan.gateway.broker
        settings.clientID = "headroom-forget-\(ProcessInfo.processInfo.processIdentifier)"
        settings.cleanStart = true
        settings.sessionExpirySeconds = 0
        settings.connectTimeout = plan.timeout
        topics = try GatewayTopics(prefix: plan.topicPrefix, clientID: settings.clientID)
        connection = try BrokerConnection(settings)
    }

    // MARK: In order

    func open() throws {
        let filters = [
            plan.gateway.pattern.filter(for: plan.vehicle), topics.forgetResult(plan.vehicle.text), topics.probe,
        ]
        connection.subscribe(try filters.map { try Subscription($0) })
        unanswered = Set(filters)
        try connection.connect()
        let isOpen = try wait(plan.timeout) { self.isConnected && self.unanswered.isEmpty }
        guard isOpen else { throw ConversationError(description: "the broker did not answer within \(plan.timeout)") }
    }

    /// Topics on which something is retained that forgetting takes back, as far as the broker lets it be read.
    func retained() throws -> [String] {
        isProbeBack = false
        // What the broker has retained comes before a message that was sent after the subscription.
        try publish(topics.probe, Array("probe".utf8))
        _ = try wait(Self.probeMax) { self.isProbeBack }
        return retainedTopics.sorted()
    }

    /// Asks the gateway.
    ///
    /// - Returns: nil where no answer came in time.
    func ask() throws -> Answer? {
        try publish(topics.forget(plan.vehicle), ForgetRequest(vehicle: plan.vehicle, id: request).payload)
        _ = try wait(plan.timeout) { self.answer != nil || !self.refused.isEmpty }
        if let reason = refused[topics.forget(plan.vehicle)] {
            throw ConversationError(description: "the broker refuses \(topics.forget(plan.vehicle)): \(reason)")
        }
        return answer
    }

    /// Removes what is retained on `topics`.
    ///
    /// - Returns: those on which the broker refused it.
    func clear(_ topics: [String]) throws -> [String: ReasonCode] {
        for topic in topics { try publish(topic, [], retain: true) }
        guard try wait(plan.timeout, until: { self.underWay.isEmpty }) else {
            throw ConversationError(description: "the broker did not take all within \(plan.timeout)")
        }
        return refused.filter { topics.contains($0.key) }
    }

    func close() { connection.disconnect() }

    // MARK: Over the connection

    private func publish(_ topic: String, _ payload: [UInt8], retain: Bool = false) throws {
        let id = try connection.publish(Publication(topic: topic, payload: payload, retain: retain))
        underWay[id] = topic
    }

    /// - Returns: whether `isDone` within `limit`.
    private func wait(_ limit: Duration, until isDone: () -> Bool) throws -> Bool {
        let deadline = ContinuousClock.now + limit
        while !isDone() {
            guard ContinuousClock.now < deadline else { return false }
            for event in connection.poll(timeout: Self.look) { try handle(event) }
            for message in connection.takeMessages() { receive(message) }
            connection.flush()
        }
        return true
    }

    private func handle(_ event: BrokerEvent) throws {
        switch event {
        case .connected: isConnected = true
        case .subscribed(let filter, .granted): unanswered.remove(filter)
        case .subscribed(let filter, .refused(let reason)):
            throw ConversationError(description: "the broker refuses the subscription to \(filter): \(reason)")
        case .published(let id, let reason):
            guard let topic = underWay.removeValue(forKey: id) else { return }
            if reason.isRefusal { refused[topic] = reason }
        case .refused(let reason): throw ConversationError(description: "the broker refuses the connection: \(reason)")
        case .disconnected(let reason):
            throw ConversationError(description: "the broker ended the connection: \(reason)")
        case .unreachable(let error), .lost(let error): throw ConversationError(description: error.description)
        case .retainedRead: break
        }
    }

    private func receive(_ message: ReceivedMessage) {
        if message.topic == topics.probe {
            isProbeBack = true
        } else if message.topic == topics.forgetResult(plan.vehicle.text) {
            let heard = try? JSONDecoder().decode(Answer.self, from: Data(message.payload))
            if heard?.request == request { answer = heard }
        } else if let (address, topicSuffix) = try? plan.gateway.pattern.parse(message.topic),
            address.vehicle == plan.vehicle, TopicSuffix.withdrawnByForgetting.contains(topicSuffix)
        {
            // What is published meanwhile is retained too, or takes back what was.
            if message.payload.isEmpty {
                retainedTopics.remove(message.topic)
            } else if message.retained {
                retainedTopics.insert(message.topic)
            }
        }
    }
}
