import Broker

/// What the broker's side tells the outbox.
enum BrokerAnswer {
    case published(id: Int32, ReasonCode)
    /// A new connection; with a new session the broker sends what it has retained.
    case reconnected(isNewSession: Bool)
    /// The connection has ended, and what the broker had not answered for is not sent again: perhaps connections end for some of it.
    case discarded(mayBeRefused: Bool)
}
