package import RabbitMQ

/// The topology beside what RabbitMQ has of it.
package struct ClusterPlan: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        case missing
        case declared
    }

    package struct Entry: Hashable, Sendable {
        package var name: String
        package var state: State
    }

    package var exchanges: [Entry]
    package var queues: [Entry]
    /// RabbitMQ tells AMQP clients of no bindings: they are declared again each time, without effect where they are there.
    package var bindings: [RabbitMQTopology.Binding]
    /// How many queues the vehicles are distributed over by what is declared; 0: none are.
    package var declaredShards: Int

    /// Asks RabbitMQ; declares nothing.
    package init(_ cluster: ClusterTopology, over connection: RabbitMQConnection) throws(RabbitMQError) {
        exchanges = []
        for exchange in cluster.topology.exchanges {
            let isThere = try connection.hasExchange(exchange.name)
            exchanges.append(Entry(name: exchange.name, state: isThere ? .declared : .missing))
        }
        queues = []
        for queue in cluster.topology.queues {
            let isThere = try connection.counts(of: queue.name) != nil
            queues.append(Entry(name: queue.name, state: isThere ? .declared : .missing))
        }
        bindings = cluster.topology.bindings
        declaredShards = try cluster.countDeclaredShards(over: connection)
    }

    /// Whether exchange and queues are there, and no other number of queues.
    package func isComplete(for cluster: ClusterTopology) -> Bool {
        (exchanges + queues).allSatisfy { $0.state == .declared } && declaredShards == cluster.shards.count
    }
}

extension ClusterTopology {
    /// Over how many queues the vehicles are distributed by what is declared; 0: over none.
    func countDeclaredShards(over connection: any QueueConnection) throws(RabbitMQError) -> Int {
        var count = 0
        while try connection.counts(of: "\(vehicles).\(count)") != nil { count += 1 }
        return count
    }

    /// - Throws: `ClusterError.otherQueueCount`.
    package func requireCount(_ declared: Int) throws(ClusterError) {
        guard declared == 0 || declared == shards.count else {
            throw .otherQueueCount(declared: declared, configured: shards.count, vehicles: vehicles)
        }
    }

    /// Declares what is missing.
    ///
    /// - Throws: `ClusterError` where other queues are declared than these.
    package func declare(over connection: RabbitMQConnection) throws {
        let plan = try ClusterPlan(self, over: connection)
        try requireCount(plan.declaredShards)
        // What an earlier version has declared lacks arguments of this one, which RabbitMQ would refuse.
        var missing = topology
        missing.queues = zip(topology.queues, plan.queues).filter { $1.state == .missing }.map { queue, _ in queue }
        try connection.declare(missing)
        for binding in obsoleteBindings { try connection.delete(binding) }
    }
}

/// Why gateways cannot share the fleet as configured.
package enum ClusterError: Error, Hashable, CustomStringConvertible {
    case otherQueueCount(declared: Int, configured: Int, vehicles: String)
    /// A queue refused what was sorted.
    case notTaken(key: String)

    package var description: String {
        switch self {
        case .otherQueueCount(let declared, let configured, let vehicles):
            "expected \(configured) queues of vehicles, got \(declared) declared in RabbitMQ: with another number, vehicles "
                + "change queues. Set cluster.queues to \(declared); or stop all gateways, let the queues run empty, "
                + "delete exchange \(vehicles) and its queues, and run headroom cluster plan --apply"
        case .notTaken(let key): "RabbitMQ took nothing with the key \(key); see its log for the queue's state"
        }
    }
}
