package import MQTT

/// What happened to a connection, in the order in which it happened.
package enum BrokerEvent: Equatable, Sendable {
    /// What became of one subscription.
    package enum Answer: Equatable, Sendable {
        /// Mosquitto grants what its ACL denies, and then stays silent: only a message that comes back proves it.
        case granted(QoS)
        case refused(ReasonCode)
    }

    /// With `sessionPresent` the broker still had this client's subscriptions and undelivered messages.
    case connected(sessionPresent: Bool)
    /// The broker answered and does not want this client. The connection is idle again.
    case refused(ReasonCode)
    /// No connection came about: no answer, none in time, or no TLS. The connection is idle again.
    case unreachable(BrokerError)
    /// The broker ended the connection and said why (MQTT 5 only). The connection is idle again.
    case disconnected(ReasonCode)
    /// The connection broke, or the broker fell silent. The connection is idle again.
    case lost(BrokerError)
    case subscribed(filter: String, Answer)
    /// The broker answered `readRetained`, and the subscription is being taken back.
    ///
    /// - refused: how many of its filters the broker did not grant.
    case retainedRead(id: Int32, refused: Int)
    /// The broker answered for publication `id`; it has it unless the reason is a refusal. Under MQTT 3.1.1 it always
    /// says success. A publication of QoS 0 is reported when it has been written, to a broker that may never read it.
    case published(id: Int32, ReasonCode)
}
