import Broker
import DequeModule
import Gateway
import Hashing
import RabbitMQ
import Wire

/// A RabbitMQ server in memory with what `ClusterTopology` declares: it gives each queue to the consumer that came first, and what
/// that one has not acknowledged to the next one when its channel or connection ends.
final class SimulatedRabbitMQ {
    fileprivate struct Message {
        var key: String
        var payload: [UInt8]
        var headers: [String: String]
        /// How often it was delivered and not acknowledged.
        var returns = 0
    }

    /// A message that was returned more often is put aside.
    private static let deliveryLimit = 20

    fileprivate struct Consumer: Equatable {
        let connection: ObjectIdentifier
        let channel: RabbitMQChannel
        let prefetch: Int
    }

    fileprivate struct Queue {
        var ready: Deque<Message> = []
        /// The first is the active one.
        var consumers: Deque<Consumer> = []
        /// What the active one has not acknowledged, the oldest first.
        var unacknowledged: Deque<(tag: UInt64, message: Message)> = []
    }

    private let topology: ClusterTopology
    private var queues: [String: Queue] = [:]
    private var gatewayQueues: [String] = []
    /// How many messages were delivered, a gateway's own not counted.
    private(set) var deliveryCount = 0
    /// Keys of the messages that were put aside, a gateway's own not counted.
    private(set) var undelivered: [String] = []
    /// Where a key takes a message that comes by MQTT, as it was found.
    private var targets: [String: [String]] = [:]

    init(_ topology: ClusterTopology) {
        self.topology = topology
        for queue in topology.topology.queues { queues[queue.name] = Queue() }
    }

    /// Messages that are for vehicles and that nobody has acknowledged, a gateway's own not counted.
    var isDone: Bool {
        (topology.shards + [topology.sorting]).allSatisfy { name in
            let queue = queues[name]!
            return (queue.ready + queue.unacknowledged.map(\.message)).allSatisfy { $0.headers["probe"] != nil }
        }
    }

    /// What an MQTT client sends.
    func publish(topic: String, _ payload: [UInt8]) {
        let key = RoutingKey.key(of: topic)
        let names = targets[key] ?? targets(of: key)
        targets[key] = names
        for name in names { queues[name]?.ready.append(Message(key: key, payload: payload, headers: [:])) }
    }

    /// A queue takes a message once, by however many bindings it comes.
    private func targets(of key: String) -> [String] {
        var names: [String] = []
        for binding in topology.topology.bindings where binding.source == ClusterTopology.mqtt {
            let filter = binding.key.replacing("*", with: "+").replacing(".", with: "/")
            guard TopicFilter.overlap(filter, RoutingKey.topic(of: key)) else { continue }
            let name = if case .queue(let name) = binding.target { name } else { shard(of: key) }
            if !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// Another hash than the plugin's, and as good.
    private func shard(of key: String) -> String {
        topology.shards[Int(FNV1a(key.utf8).value >> 32) % topology.shards.count]
    }

    // MARK: Its connections

    fileprivate func publish(_ message: Message, to exchange: String) {
        switch exchange {
        case "": queues[message.key]?.ready.append(message)
        case topology.vehicles: queues[shard(of: message.key)]!.ready.append(message)
        case topology.gateways: for name in gatewayQueues { queues[name]?.ready.append(message) }
        default: preconditionFailure("expected an exchange of the topology, got \(exchange)")
        }
    }

    fileprivate func counts(of name: String) -> RabbitMQQueueCounts? {
        queues[name].map { RabbitMQQueueCounts(ready: $0.ready.count, consumers: min($0.consumers.count, 1)) }
    }

    fileprivate func declareOwn(_ name: String) {
        if queues[name] == nil { queues[name] = Queue() }
        gatewayQueues.append(name)
    }

    fileprivate func consume(_ name: String, _ consumer: Consumer) { queues[name]!.consumers.append(consumer) }

    /// What the consumer of a queue has room for; nothing where another one is the active one.
    fileprivate func deliver(_ name: String, to consumer: Consumer, nextTag: inout UInt64) -> [RabbitMQEvent] {
        guard var queue = queues[name], queue.consumers.first == consumer else { return [] }
        var events: [RabbitMQEvent] = []
        while queue.unacknowledged.count < consumer.prefetch, let message = queue.ready.popFirst() {
            nextTag += 1
            if message.headers["probe"] == nil { deliveryCount += 1 }
            queue.unacknowledged.append((nextTag, message))
            events.append(
                .delivered(
                    RabbitMQDelivery(
                        channel: consumer.channel, tag: nextTag, routingKey: message.key, payload: message.payload,
                        headers: message.headers, isRedelivered: message.returns > 0)))
        }
        queues[name] = queue
        return events
    }

    fileprivate func acknowledge(upTo tag: UInt64, _ name: String, _ consumer: Consumer) {
        guard queues[name]?.consumers.first == consumer else { return }
        while let first = queues[name]?.unacknowledged.first, first.tag <= tag {
            queues[name]?.unacknowledged.removeFirst()
        }
    }

    fileprivate func remove(_ consumer: Consumer, from name: String) {
        guard var queue = queues.removeValue(forKey: name) else { return }
        if queue.consumers.first == consumer {
            for (_, var message) in queue.unacknowledged.reversed() {
                message.returns += 1
                if message.returns <= Self.deliveryLimit {
                    queue.ready.prepend(message)
                } else if message.headers["probe"] == nil {
                    undelivered.append(message.key)
                }
            }
            queue.unacknowledged = []
        }
        queue.consumers.removeAll { $0 == consumer }
        // The queue of a gateway's own ends with its connection.
        if gatewayQueues.contains(name) { gatewayQueues.removeAll { $0 == name } } else { queues[name] = queue }
    }
}

/// A gateway's side of a `SimulatedRabbitMQ`; dropped, it is what a crash looks like.
final class SimulatedQueueConnection: QueueConnection {
    private let server: SimulatedRabbitMQ
    /// Called where messages have been read, before an acknowledgement leaves and when it has: the process may stand still or end
    /// there.
    private let meet: (Fault.Step) -> Void
    private var consumers: [(queue: String, consumer: SimulatedRabbitMQ.Consumer, lastTag: UInt64)] = []
    private var events: [RabbitMQEvent] = []
    private var lastChannel: UInt16 = 1
    private var lastSequence: UInt64 = 0
    private(set) var isOpen = true

    init(_ server: SimulatedRabbitMQ, meet: @escaping (Fault.Step) -> Void) {
        (self.server, self.meet) = (server, meet)
    }

    deinit { lose() }

    /// No file: whoever waits for one waits for nothing.
    var descriptor: CInt { -1 }
    var isBlocked: Bool { false }

    /// The server takes the connection for lost; the gateway finds out when it uses it next.
    func lose() {
        guard isOpen else { return }
        isOpen = false
        for (queue, consumer, _) in consumers { server.remove(consumer, from: queue) }
    }

    private func requireOpen() throws(RabbitMQError) {
        if !isOpen { throw RabbitMQError(.lost, "The connection was lost") }
    }

    func counts(of queue: String) throws(RabbitMQError) -> RabbitMQQueueCounts? {
        try requireOpen()
        return server.counts(of: queue)
    }

    func declareOwn(_ queue: RabbitMQTopology.Queue) throws(RabbitMQError) {
        try requireOpen()
        server.declareOwn(queue.name)
    }

    func declare(_: RabbitMQTopology.Binding) throws(RabbitMQError) { try requireOpen() }

    func consume(_ queue: String, prefetch: Int, tag _: String) throws(RabbitMQError) -> RabbitMQChannel {
        try requireOpen()
        lastChannel += 1
        let channel = RabbitMQChannel(number: lastChannel)
        let consumer = SimulatedRabbitMQ.Consumer(
            connection: ObjectIdentifier(self), channel: channel, prefetch: prefetch)
        server.consume(queue, consumer)
        consumers.append((queue, consumer, 0))
        return channel
    }

    func close(_ channel: RabbitMQChannel) throws(RabbitMQError) {
        try requireOpen()
        guard let index = consumers.firstIndex(where: { $0.consumer.channel == channel }) else { return }
        server.remove(consumers[index].consumer, from: consumers[index].queue)
        consumers.remove(at: index)
    }

    func poll(timeout _: Duration, limit _: Int) throws(RabbitMQError) -> [RabbitMQEvent] {
        try requireOpen()
        var events = events
        self.events = []
        for index in consumers.indices {
            let (queue, consumer, _) = consumers[index]
            events += server.deliver(queue, to: consumer, nextTag: &consumers[index].lastTag)
        }
        // What is read is read, whatever becomes of the connection while the process stands still.
        if events.contains(where: \.isMessage) { meet(.receive) }
        return events
    }

    func acknowledge(upTo tag: UInt64, on channel: RabbitMQChannel) throws(RabbitMQError) {
        meet(.acknowledge)
        try requireOpen()
        guard let (queue, consumer, _) = consumers.first(where: { $0.consumer.channel == channel }) else { return }
        server.acknowledge(upTo: tag, queue, consumer)
        meet(.flushed)
    }

    func publish(
        _ payload: [UInt8], to exchange: String, key: String, headers: [String: RabbitMQValue], isMandatory _: Bool
    ) throws(RabbitMQError) -> UInt64 {
        try requireOpen()
        lastSequence += 1
        server.publish(
            SimulatedRabbitMQ.Message(key: key, payload: payload, headers: headers.mapValues(\.description)),
            to: exchange)
        events.append(.confirmed(sequence: lastSequence, isTaken: true))
        return lastSequence
    }
}

extension RabbitMQEvent {
    /// Whether it brings something that is not a gateway's own.
    fileprivate var isMessage: Bool {
        if case .delivered(let delivery) = self { delivery.headers["probe"] == nil } else { false }
    }
}
