package import Broker
import MQTT
package import RabbitMQ

/// A message out of one of the cluster's queues.
package struct ClusterMessage: Hashable, Sendable {
    package enum Source: Hashable, Sendable {
        /// The messages of the vehicles whose keys the exchange takes there.
        case shard(Int)
        case sorting
        /// What other gateways tell this one.
        case gateways
    }

    package var source: Source
    /// What `ClusterInbox.acknowledge(upTo:of:)` takes; counts up within a source as long as this gateway owns it.
    package var tag: UInt64
    /// As an MQTT client would have it; RabbitMQ 3.10 tells AMQP clients nothing of what is retained.
    package var message: ReceivedMessage
    /// Whether it was delivered before, here or to another gateway, and not acknowledged.
    package var isRedelivered: Bool
    /// What a message of a gateway's own says, sent straight into this queue; nil: it is none.
    package var probe: String?
}

/// Consumes all queues of the cluster for one gateway: those that it owns deliver, the others wait for their owner to go.
///
/// RabbitMQ makes the consumer that came first the owner, and does not say so: a queue is known to be this gateway's from its
/// first message on. Its end is known from `Event.lost`, or, where the gateway itself stood still, only once it reads again; so
/// every commit checks the shard's epoch in the store.
package final class ClusterInbox {
    package enum Event: Hashable, Sendable {
        case message(ClusterMessage)
        /// The queue is no longer consumed: its messages that were not acknowledged go to another gateway. What is under way of
        /// them is to be dropped.
        case lost(ClusterMessage.Source, RabbitMQError?)
    }

    private let cluster: ClusterTopology
    private let gateway: String
    /// The queue of this gateway's own, which ends with the connection.
    private let ownQueue: String
    private let prefetch: Int
    private let connection: any QueueConnection
    private var channels: [ClusterMessage.Source: RabbitMQChannel] = [:]
    private var sources: [RabbitMQChannel: ClusterMessage.Source] = [:]
    /// What is not consumed yet, in its order.
    private var rest: [ClusterMessage.Source]

    /// Starts to consume: `connection` is one that publishes nothing.
    ///
    /// - Parameters:
    ///   - gateway: how RabbitMQ names the consumers.
    ///   - ownQueue: no other connection's.
    ///   - prefetch: so many messages of each queue at most are here and not acknowledged.
    ///   - left: shards whose queues are not consumed before `consume` says so.
    ///   - isCautious: whether only `consumeNext` consumes queues, and only one message of each is here.
    /// - Throws: `RabbitMQError.notFound` where the topology is not declared.
    package init(
        _ cluster: ClusterTopology, over connection: any QueueConnection, gateway: String, ownQueue: String,
        prefetch: Int, without left: Set<Int> = [], isCautious: Bool = false
    ) throws(RabbitMQError) {
        (self.cluster, self.connection, self.gateway) = (cluster, connection, gateway)
        self.prefetch = isCautious ? 1 : prefetch
        self.ownQueue = ownQueue
        // What fixes are judged by comes before the fixes.
        rest = [.sorting] + cluster.shards.indices.filter { !left.contains($0) }.map { .shard($0) }
        try consume(.gateways)
        if !isCautious { while try consumeNext() {} }
    }

    /// Consumes one more of the queues.
    ///
    /// - Returns: whether there was another one.
    package func consumeNext() throws(RabbitMQError) -> Bool {
        guard let next = rest.first else { return false }
        rest.removeFirst()
        try consume(next)
        return true
    }

    /// What has come, in order within each source; waits for it, at most `timeout`.
    ///
    /// - Throws: where the connection is lost, and with it all queues.
    package func poll(timeout: Duration, limit: Int = 1_000) throws(RabbitMQError) -> [Event] {
        var events: [Event] = []
        for event in try connection.poll(timeout: timeout, limit: limit) {
            switch event {
            case .delivered(let delivery):
                guard let source = sources[delivery.channel] else { continue }
                events.append(.message(ClusterMessage(delivery, from: source)))
            case .cancelled(let channel): if let lost = remove(channel) { events.append(.lost(lost, nil)) }
            case .closed(let channel, let error):
                if let lost = remove(channel) { events.append(.lost(lost, error)) }
            case .confirmed, .returned, .blocked, .unblocked: break
            }
        }
        return events
    }

    /// Acknowledges all messages of the source up to that one: what they led to is committed.
    package func acknowledge(upTo tag: UInt64, of source: ClusterMessage.Source) throws(RabbitMQError) {
        guard let channel = channels[source] else { return }
        try connection.acknowledge(upTo: tag, on: channel)
    }

    /// Gives a queue up, for the gateway that has waited longest for it, and waits for it again. What is here of it and was not
    /// acknowledged goes there.
    package func release(_ source: ClusterMessage.Source) throws(RabbitMQError) {
        guard channels[source] != nil else { return }
        try leave(source)
        try consume(source)
    }

    /// The same without waiting for it.
    package func leave(_ source: ClusterMessage.Source) throws(RabbitMQError) {
        rest.removeAll { $0 == source }
        guard let channel = channels[source] else { return }
        try connection.close(channel)
        remove(channel)
    }

    /// Consumes a source again that was lost or left.
    package func consume(_ source: ClusterMessage.Source) throws(RabbitMQError) {
        if source == .gateways { try declareOwnQueue() }
        let channel = try connection.consume(queue(of: source), prefetch: prefetch, tag: gateway)
        channels[source] = channel
        sources[channel] = source
    }

    package func queue(of source: ClusterMessage.Source) -> String {
        switch source {
        case .shard(let index): cluster.shards[index]
        case .sorting: cluster.sorting
        case .gateways: ownQueue
        }
    }

    private func declareOwnQueue() throws(RabbitMQError) {
        // What a gateway that stands still is told must not fill the server's memory; the numbers of what is told show the gap.
        try connection.declareOwn(.init(ownQueue, arguments: ["x-max-length-bytes": .integer(Self.ownQueueBytesMax)]))
        try connection.declare(RabbitMQTopology.Binding(cluster.gateways, to: .queue(ownQueue), key: ""))
    }

    /// What there is to see of 100,000 trucks.
    private static let ownQueueBytesMax = 128 << 20

    @discardableResult
    private func remove(_ channel: RabbitMQChannel) -> ClusterMessage.Source? {
        guard let source = sources.removeValue(forKey: channel) else { return nil }
        channels[source] = nil
        return source
    }
}

extension ClusterMessage {
    fileprivate init(_ delivery: RabbitMQDelivery, from source: Source) {
        let topic = delivery.headers[ClusterSorter.Header.topic] ?? RoutingKey.topic(of: delivery.routingKey)
        self.init(
            source: source, tag: delivery.tag,
            message: ReceivedMessage(
                topic: topic, payload: delivery.payload, qos: .atLeastOnce, retained: false,
                vehicle: delivery.headers[ClusterSorter.Header.vehicle]), isRedelivered: delivery.isRedelivered,
            probe: delivery.headers[ClusterSorter.Header.probe])
    }
}
