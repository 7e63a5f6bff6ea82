/// How this gateway shares the fleet with others.
package struct ClusterSettings: Sendable {
    /// Over how many queues the vehicles are distributed.
    package var queues: Int
    /// So many messages of each queue are at most here and not acknowledged.
    package var prefetch: Int
    /// Makes a connection to RabbitMQ; throws `RabbitMQError`.
    package var connect: @Sendable () throws -> any QueueConnection

    package init(
        queues: Int, prefetch: Int, connect: @escaping @Sendable () throws -> any QueueConnection
    ) {
        (self.queues, self.prefetch, self.connect) = (queues, prefetch, connect)
    }
}
