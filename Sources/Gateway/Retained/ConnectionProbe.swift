import Broker
import Wire

/// To which subscriptions a broker sends the messages that it retains.
///
/// The raw value is what the store keeps.
public enum RetainedDelivery: String, Sendable {
    /// To all, as MQTT says (3.1.1 §3.3.1.3).
    case wildcards
    /// Only to subscriptions without a wildcard, as RabbitMQ's MQTT plugin up to version 3.12.
    case exactTopics = "exact-topics"
}

/// Finds out on each connection whether messages come back, and whether retained ones come to a subscription with a
/// wildcard: retains a message, reads it by a wildcard once all subscriptions are granted, and removes it.
struct ConnectionProbe {
    private enum Step {
        case idle
        case toRetain
        case retaining(Int32)
        case retained
        case reading(RetainedRead)
        case toRemove
    }

    private let topics: GatewayTopics
    private var step = Step.idle
    private var isSubscribed = false
    private var isRetainedSeen = false

    init(_ topics: GatewayTopics) { self.topics = topics }

    mutating func connected() { (step, isSubscribed, isRetainedSeen) = (.toRetain, false, false) }
    mutating func disconnected() { step = .idle }
    /// The broker has granted every subscription.
    mutating func subscribed() { isSubscribed = true }

    /// Whether a publication is the message to be retained. A broker that refuses it is one of which nothing is known.
    func isOwn(_ publication: Int32) -> Bool {
        if case .retaining(publication) = step { true } else { false }
    }

    mutating func note(_ event: BrokerEvent) {
        switch (step, event) {
        case (.retaining(let own), .published(let id, _)) where own == id: step = .retained
        case (.reading(var read), _):
            read.note(event)
            step = .reading(read)
        default: break
        }
    }

    /// Takes the next steps that are due; where the connection has no room for one, a later call does.
    mutating func advance(over connection: BrokerConnection) {
        switch step {
        case .toRetain:
            if let id = publish("probe", over: connection) { step = .retaining(id) }
        case .retained where isSubscribed:
            step = .reading(RetainedRead([topics.retainedProbeFilter]))
            advance(over: connection)
        case .reading(var read):
            read.advance(over: connection, probe: topics.probe)
            step = .reading(read)
        case .toRemove:
            if publish("", over: connection) != nil { step = .idle }
        case .idle, .retaining, .retained: break
        }
    }

    private func publish(_ payload: String, over connection: BrokerConnection) -> Int32? {
        try? connection.publish(
            Publication(topic: topics.retainedProbe, payload: Array(payload.utf8), qos: .atLeastOnce, retain: true))
    }

    /// - Parameter message: on a probe topic.
    /// - Returns: what was found out, with the message that completes it.
    mutating func take(_ message: ReceivedMessage) -> RetainedDelivery? {
        if message.topic == topics.retainedProbe {
            isRetainedSeen = isRetainedSeen || message.retained && !message.payload.isEmpty
            return nil
        }
        guard case .reading(let read) = step, read.isAnswered(by: message) else { return nil }
        step = .toRemove
        return isRetainedSeen ? .wildcards : .exactTopics
    }
}
