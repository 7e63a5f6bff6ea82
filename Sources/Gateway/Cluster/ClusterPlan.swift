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
        declaredShards = try Self.countShards(cluster, over: connection)
    }

    /// Whether exchange and queues are there, and no other number of queues.
    package func isComplete(for cluster: ClusterTopology) -> Bool {
        (exchanges + queues).allSatisfy { $0.state == .declared } && declaredShards == cluster.shards.count
    }

    private static func countShards(
        _ cluster: ClusterTopology, over connection: RabbitMQConnection
    ) throws(RabbitMQError) -> Int {
        var count = 0
        while try connection.counts(of: "\(cluster.vehicles).\(count)") != nil { count += 1 }
        return count
    }
}

extension ClusterTopology {
    /// Declares what is missing.
    ///
    /// - Throws: `ClusterError` where other queues are declared than these.
    package func declare(over connection: RabbitMQConnection) throws {
        let plan = try ClusterPlan(self, over: connection)
        let declared = plan.declaredShards
        guard declared == 0 || declared == shards.count else {
            throw ClusterError.otherQueueCount(declared: declared, configured: shards.count, vehicles: vehicles)
        }
        // What an earlier version has declared lacks arguments of this one, which RabbitMQ would refuse.
        var missing = topology
        missing.queues = zip(topology.queues, plan.queues).filter { $1.state == .missing }.map { queue, _ in queue }
        try connection.declare(missing)
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
