/// What a message of the gateway's own says that has come back.
enum ProbeAnswer {
    case nothing
    /// All has come that the broker had before it.
    case roundTrip(RoundTrip.Mark)
    /// Messages come back, and all that the broker sends by itself for the subscriptions has come.
    case probed(RetainedDelivery)
    /// The session goes on, and the broker was restored from a time before.
    case earlierState
    /// The session goes on, and the store was restored from a time before; the broker sends all that it retains.
    case laterState
    /// All that was asked for has come.
    case retainedRead
}
