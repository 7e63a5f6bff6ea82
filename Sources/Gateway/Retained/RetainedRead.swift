import Broker
import MQTT

/// Reads once what the broker retains on some filters: a subscription that lasts for a moment, and a message of the
/// gateway's own behind it, whose return says that all that is retained has come.
struct RetainedRead {
    private enum Step: Equatable {
        case toSubscribe
        case subscribed(Int32)
        case toPublish
        case published(ContinuousClock.Instant)
    }

    /// The message behind is sent again after so long: a broker whose queue for the gateway is full drops it.
    private static let repeatAfter: Duration = .seconds(10)

    let filters: [String]
    /// Payload of the message behind. Random, so that one of an earlier connection, delivered late, is not taken for it.
    private let token = Array("probe-\(String(UInt64.random(in: .min ... .max), radix: 16))".utf8)
    private var step = Step.toSubscribe

    init(_ filters: [String]) { self.filters = filters }

    /// Takes the next step if it is due; where the connection has no room for it, a later call does.
    ///
    /// - Parameter probe: the topic of the message behind.
    mutating func advance(over connection: any MQTTConnection, probe: String, at now: ContinuousClock.Instant) {
        switch step {
        case .toSubscribe:
            do throws(BrokerError) {
                step = .subscribed(try connection.readRetained(filters))
            } catch {
                // A filter that cannot be sent now can never be: that is answered with nothing.
                if error.code != .notConnected { step = .toPublish }
            }
        case .toPublish: publish(over: connection, probe, at: now)
        case .published(let time) where now - time >= Self.repeatAfter: publish(over: connection, probe, at: now)
        case .subscribed, .published: break
        }
    }

    private mutating func publish(
        over connection: any MQTTConnection, _ probe: String, at now: ContinuousClock.Instant
    ) {
        let message = Publication(topic: probe, payload: token, qos: .atLeastOnce)
        if (try? connection.publish(message)) != nil { step = .published(now) }
    }

    mutating func note(_ event: BrokerEvent) {
        if case .retainedRead(let id, _) = event, step == .subscribed(id) { step = .toPublish }
    }

    /// Whether the message, which came on the probe topic, is the one behind.
    func isAnswered(by message: ReceivedMessage) -> Bool {
        if case .published = step { message.payload == token } else { false }
    }
}
