/// What has happened on a connection, in the order in which it happened.
package enum RabbitMQEvent: Hashable, Sendable {
    case delivered(RabbitMQDelivery)
    /// All queues that a publication was routed to have it on the disks of most of their nodes; or a queue refused it.
    case confirmed(sequence: UInt64, isTaken: Bool)
    /// No queue is bound for a publication that was mandatory; its confirmation follows.
    case returned(sequence: UInt64, reason: String)
    /// The queue was deleted, or lost its last node: nothing comes on this channel any more.
    case cancelled(RabbitMQChannel)
    /// The server closed the channel, and takes no acknowledgement on it any more: what was not acknowledged goes to the
    /// queue's next consumer.
    case closed(RabbitMQChannel, RabbitMQError)
    /// The server has too little memory or disk, and takes no publications for now.
    case blocked(reason: String)
    case unblocked
}

/// One line of conversation within a connection: a consumer's, or that of all publications.
package struct RabbitMQChannel: Hashable, Sendable {
    let number: UInt16

    package init(number: UInt16) { self.number = number }
}

/// A message out of a queue.
package struct RabbitMQDelivery: Hashable, Sendable {
    package var channel: RabbitMQChannel
    /// Counts up within a channel; what `acknowledge(upTo:on:)` takes.
    package var tag: UInt64
    package var routingKey: String
    package var payload: [UInt8]
    /// The message's headers that are texts.
    package var headers: [String: String]
    /// Whether it was delivered before, here or to another consumer, and not acknowledged.
    package var isRedelivered: Bool

    package init(
        channel: RabbitMQChannel, tag: UInt64, routingKey: String, payload: [UInt8], headers: [String: String],
        isRedelivered: Bool
    ) {
        (self.channel, self.tag, self.routingKey) = (channel, tag, routingKey)
        (self.payload, self.headers, self.isRedelivered) = (payload, headers, isRedelivered)
    }
}
