package import Broker
package import RabbitMQ

/// Messages of the sorting queue on their way into the queues of their vehicles: each is acknowledged when all its copies are
/// there. A gateway that ends in between leaves copies behind that the next one sends again; MQTT delivers at least once, too.
package struct SortingProgress {
    private struct Step {
        let sequence: UInt64
        let key: String
        /// Of the message, where this is its last copy.
        let tag: UInt64?
        var isConfirmed = false
    }

    private let sorter: ClusterSorter
    private let exchange: String
    /// What has come, and was not published yet: RabbitMQ may take nothing for now.
    private var unpublished: [ClusterMessage] = []
    /// In the order of their publication.
    private var steps: [Step] = []

    package init(_ sorter: ClusterSorter, to cluster: ClusterTopology) {
        (self.sorter, exchange) = (sorter, cluster.vehicles)
    }

    package var underWay: Int { steps.count }
    /// Whether all that has come is in its queues.
    var isEmpty: Bool { unpublished.isEmpty && steps.isEmpty }

    /// A message has come; `publish` publishes it.
    mutating func add(_ message: ClusterMessage) { unpublished.append(message) }

    /// Publishes what has come, where RabbitMQ takes anything.
    ///
    /// - Returns: as `confirmed`.
    mutating func publish(over connection: any QueueConnection) throws(RabbitMQError) -> UInt64? {
        guard !connection.isBlocked else { return nil }
        var done: UInt64?
        for message in unpublished { done = try forward(message.message, tag: message.tag, over: connection) ?? done }
        unpublished = []
        return done
    }

    /// Publishes what is to be acknowledged as `tag`.
    ///
    /// - Returns: as `confirmed`: nothing is to be confirmed of a message that does not go on.
    @discardableResult
    package mutating func forward(
        _ message: ReceivedMessage, tag: UInt64, over connection: any QueueConnection
    ) throws(RabbitMQError) -> UInt64? {
        let copies = sorter.copies(of: message)
        for (index, copy) in copies.enumerated() {
            let sequence = try connection.publish(
                message.payload, to: exchange, key: copy.key, headers: copy.headers)
            steps.append(Step(sequence: sequence, key: copy.key, tag: index == copies.count - 1 ? tag : nil))
        }
        guard copies.isEmpty else { return nil }
        steps.append(Step(sequence: 0, key: "", tag: tag, isConfirmed: true))
        return takeDone()
    }

    /// - Returns: up to which tag the messages can be acknowledged now; nil: none beyond those before.
    package mutating func confirmed(_ sequence: UInt64, isTaken: Bool) throws(ClusterError) -> UInt64? {
        guard let index = steps.firstIndex(where: { $0.sequence == sequence }) else { return nil }
        guard isTaken else { throw .notTaken(key: steps[index].key) }
        steps[index].isConfirmed = true
        return takeDone()
    }

    private mutating func takeDone() -> UInt64? {
        let done = steps.prefix(while: \.isConfirmed)
        steps.removeFirst(done.count)
        return done.compactMap(\.tag).last
    }
}
