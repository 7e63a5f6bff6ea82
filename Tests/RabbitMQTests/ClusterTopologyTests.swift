import Gateway
import RabbitMQ
import RabbitMQTestSupport
import Testing
import Wire

struct ClusterTopologyTests {
    @Test(
        "Positions go straight to the hash exchange, catalogues to each queue of vehicles, all else to the sorting queue"
    )
    func bindings() throws {
        let cluster = try ClusterTopology(try ClusterScene.configuration(), queues: 2)
        #expect(cluster.shards == ["headroom.vehicles.0", "headroom.vehicles.1"])
        let keys = Dictionary(grouping: cluster.topology.bindings, by: \.targetName).mapValues { Set($0.map(\.key)) }
        #expect(keys["headroom.vehicles"] == ["fleet.*.location"])
        #expect(
            keys["headroom.sorting"] == [
                "fleet.*.profile", "fleet.*.route", "fleet.*.consent", "fleet.*.presence", "fleet.*.ack",
                "fleet.location", "fleet.*.*.location", "headroom.forget.*",
            ])
        for shard in cluster.shards {
            #expect(
                keys[shard] == [
                    "1", "headroom.fences.*", "headroom.clearances.*", "headroom.fences.*.*", "headroom.clearances.*.*",
                ])
        }
    }

    @Test("Where the pattern names further levels, positions are sorted, too")
    func namedLevels() throws {
        let configuration = try ClusterScene.configuration(pattern: "acme/{region}/{v}")
        let cluster = try ClusterTopology(configuration, queues: 1)
        let sorted = cluster.topology.bindings.filter { $0.targetName == cluster.sorting }.map(\.key)
        #expect(sorted.contains("acme.*.*.location"))
        #expect(!cluster.topology.bindings.contains { $0.targetName == cluster.vehicles })
    }

    @Test("After fleet.topic was changed positions are sorted, and go straight again once it is as it was")
    func changedTopic() throws {
        var configuration = try ClusterScene.configuration(pattern: "trucks/{v}")
        let straight = RabbitMQTopology.Binding(
            ClusterTopology.mqtt, to: .exchange("headroom.vehicles"), key: "trucks.*.location")
        let sorted = RabbitMQTopology.Binding(
            ClusterTopology.mqtt, to: .queue("headroom.sorting"), key: "trucks.*.location")
        for (keys, expected, obsolete) in [("fleet/{v}", sorted, straight), ("trucks/{v}", straight, sorted)] {
            configuration.keyPattern = try TopicPattern(keys)
            let cluster = try ClusterTopology(configuration, queues: 2)
            #expect(cluster.topology.bindings.contains(expected) && !cluster.topology.bindings.contains(obsolete))
            #expect(cluster.obsoleteBindings == [obsolete])
        }
    }

    @Test("A topic becomes a key and comes back", arguments: ["fleet/T 42/location", "a", "fleet/Ä/x"])
    func keys(topic: String) {
        #expect(RoutingKey.topic(of: RoutingKey.key(of: topic)) == topic && RoutingKey.canExpress(topic))
    }

    @Test("What RabbitMQ cannot tell from another topic is known", arguments: ["fleet/T.42/x", "a*b"])
    func keysThatAreOthers(topic: String) { #expect(!RoutingKey.canExpress(topic)) }

    @Test("What is declared is declared once; another number of queues is refused, and so are other arguments")
    func declaring() throws {
        let scene = try ClusterScene(queues: 3, declares: false)
        let connection = try scene.connection()
        var plan = try ClusterPlan(scene.cluster, over: connection)
        #expect(plan.declaredShards == 0 && (plan.exchanges + plan.queues).allSatisfy { $0.state == .missing })
        try scene.cluster.declare(over: connection)
        try scene.cluster.declare(over: connection)
        plan = try ClusterPlan(scene.cluster, over: connection)
        #expect(plan.isComplete(for: scene.cluster))
        for queues in [2, 4] {
            let other = try ClusterTopology(try ClusterScene.configuration(scene.prefix), queues: queues)
            #expect(
                throws: ClusterError.otherQueueCount(
                    declared: 3, configured: queues, vehicles: scene.cluster.vehicles)
            ) { try other.declare(over: connection) }
        }
        let changed = RabbitMQTopology.Queue(scene.cluster.sorting, arguments: ["x-queue-type": .text("classic")])
        let refused = #expect(throws: RabbitMQError.self) { try connection.declare(changed) }
        #expect(refused?.kind == RabbitMQError.preconditionFailed)
        #expect("\(refused!)".contains("headroom cluster plan --apply"))
    }
}
