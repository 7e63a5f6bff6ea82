package import RabbitMQ

/// How this gateway shares the fleet with others.
package struct ClusterSettings: Sendable {
    package var rabbitMQ: RabbitMQSettings
    package var password: String
    /// Over how many queues the vehicles are distributed.
    package var queues: Int
    /// So many messages of each queue are at most here and not acknowledged.
    package var prefetch: Int

    package init(_ rabbitMQ: RabbitMQSettings, password: String, queues: Int, prefetch: Int) {
        (self.rabbitMQ, self.password) = (rabbitMQ, password)
        (self.queues, self.prefetch) = (queues, prefetch)
    }
}
