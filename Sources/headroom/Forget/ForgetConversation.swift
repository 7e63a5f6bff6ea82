import Broker
import Fleet
import Foundation
import Gateway
import Hashing
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

    /// A broker that lets nobody read its probe sends none back.
    private static let probeMax: Duration = .seconds(2)

    private let plan: ForgetRun.Plan
    private let patterns: TopicPatterns
    private let topics: GatewayTopics
    private let conversation: BrokerConversation
    private let request = UUID().uuidString
    private var isProbeBack = false
    /// Topics with a retained message that a vehicle leaves behind.
    private var retainedTopics: Set<BytewiseText> = []
    private var answer: Answer?
    /// What cannot be found out about topics that were in use before.
    private(set) var problems: [String] = []

    init(_ plan: ForgetRun.Plan, _ patterns: TopicPatterns) throws {
        self.plan = plan
        self.patterns = patterns
        conversation = try BrokerConversation(
            plan.gateway.broker, name: "forget", mayEndSession: plan.mayEndSession, timeout: plan.timeout)
        topics = try GatewayTopics(
            prefix: plan.topicPrefix, clientID: "headroom-forget-\(ProcessInfo.processInfo.processIdentifier)")
    }

    func open() throws {
        conversation.onMessage = { [unowned self] in receive($0) }
        let filters = [
            patterns.current.filter(for: plan.vehicle), topics.forgetResult(plan.vehicle.text), topics.probe,
        ]
        let former = patterns.formerFilters(for: plan.vehicle)
        try conversation.open(try (filters + former).map { try Subscription($0) })
        for (filter, reason) in conversation.refusedFilters.sorted(by: { $0.key < $1.key }) {
            let refusal = "the broker refuses the subscription to \(filter): \(reason)"
            guard former.contains(filter) else {
                throw BrokerConversation.BrokerConversationError(description: refusal)
            }
            problems.append("\(refusal); what is retained there, on former topics, may still be there")
        }
    }

    /// Topics on which something is retained that forgetting takes back, as far as the broker lets it be read.
    func retained() throws -> [String] {
        isProbeBack = false
        // What the broker has retained comes before a message that was sent after the subscription.
        try conversation.publish(topics.probe, Array("probe".utf8))
        try conversation.wait(Self.probeMax) { self.isProbeBack }
        return retainedTopics.sorted().map(\.wrappedValue)
    }

    /// Asks the gateway.
    ///
    /// - Returns: nil where no answer came in time.
    func ask() throws -> Answer? {
        let topic = topics.forget(plan.vehicle)
        try conversation.publish(topic, ForgetRequest(vehicle: plan.vehicle, id: request).payload)
        try conversation.wait(plan.timeout) { self.answer != nil || !self.conversation.refusedTopics.isEmpty }
        if let reason = conversation.refusedTopics[topic] {
            throw BrokerConversation.BrokerConversationError(description: "the broker refuses \(topic): \(reason)")
        }
        return answer
    }

    /// Removes what is retained on `topics`.
    ///
    /// - Returns: those on which the broker refused it.
    func clear(_ topics: [String]) throws -> [String: ReasonCode] {
        for topic in topics { try conversation.publish(topic, [], retain: true) }
        guard try conversation.settle() else {
            throw BrokerConversation.BrokerConversationError(
                description: "the broker did not take all within \(plan.timeout)")
        }
        return conversation.refusedTopics.filter { topics.contains($0.key) }
    }

    func close() { conversation.close() }

    private func receive(_ message: ReceivedMessage) {
        if message.topic == topics.probe {
            isProbeBack = true
        } else if message.topic == topics.forgetResult(plan.vehicle.text) {
            let heard = try? JSONDecoder().decode(Answer.self, from: Data(message.payload))
            if heard?.request == request { answer = heard }
        } else if let (address, topicSuffix) = patterns.parse(message.topic),
            address.vehicle == plan.vehicle, TopicSuffix.withdrawnByForgetting.contains(topicSuffix)
        {
            // What is published meanwhile is retained too, or takes back what was.
            if message.payload.isEmpty {
                retainedTopics.remove(message.$topic)
            } else if message.retained {
                retainedTopics.insert(message.$topic)
            }
        }
    }
}
