import Broker

/// What the session of a new connection brings of what the broker retains.
enum ConnectedSession: Comparable {
    /// It goes on, and brings what is new.
    case resumed
    /// It goes on, and the broker was asked to send all that it retains, as the store may lack some of it.
    case renewed
    /// The broker sends all that it retains.
    case new
}

/// What the broker's side tells the outbox.
enum BrokerAnswer {
    case published(id: Int32, ReasonCode)
    /// A new connection.
    case reconnected(ConnectedSession)
    /// The connection has ended, and what the broker had not answered for is not sent again: perhaps connections end for some of it.
    case discarded(mayBeRefused: Bool)
}
