import Broker
package import RabbitMQ
import Wire

/// What is declared in RabbitMQ so that several gateways share a fleet.
///
/// ```
/// amq.topic ─ fleet.*.location ─▶ headroom.vehicles ─ hash of the key ─▶ headroom.vehicles.0 … N-1, one owner each
///     │                                  ▲ key of the vehicle's location
///     ├─ fleet.*.profile, … ─▶ headroom.sorting, one owner
///     └─ headroom.fences.*, headroom.clearances.*, … ─▶ each of headroom.vehicles.0 … N-1
///
/// what was delivered in vain too often ─▶ headroom.undelivered, for a person to look at
/// headroom.gateways ─▶ a queue of each gateway's own, as long as it runs (`GatewayMessage`)
/// ```
///
/// A consistent-hash exchange hashes the whole routing key, a header or a property, and the MQTT plugin sets no header or property by
/// vehicle: hashed as they come, `fleet.T1.location` and `fleet.T1.profile` end in different queues. So only positions,
/// nearly all of what comes, go straight there. All else about a vehicle waits in the sorting queue, whose owner
/// publishes it again, in order, with the key of the vehicle's location (`ClusterSorter`). After `fleet.topic` was changed positions wait
/// there, too: the former key takes them to the queue whose part of the store has their vehicle.
///
/// What concerns all vehicles goes into every queue of vehicles: whoever owns a queue next finds there what the owner before has not
/// committed, so that no fence is missed in between.
package struct ClusterTopology: Hashable, Sendable {
    /// The consistent-hash exchange.
    package let vehicles: String
    /// What the exchange distributes vehicles over; each queue has its vehicles for as long as there are as many queues.
    package let shards: [String]
    /// What is about a vehicle and bears another key than its location.
    package let sorting: String
    /// Takes what RabbitMQ has delivered in vain too often; nobody consumes it.
    package let undelivered: String
    /// The exchange that takes what a gateway tells all others.
    package let gateways: String
    /// What is to be declared.
    package let topology: RabbitMQTopology
    /// What is to be taken back, as it may have been declared for another store: it would take positions elsewhere, or there twice.
    package let obsoleteBindings: [RabbitMQTopology.Binding]

    /// Where the MQTT plugin publishes, and what MQTT clients are subscribed to.
    package static let mqtt = "amq.topic"
    /// As RabbitMQ 4 has it. A message is also counted where its gateway ends or loses its connection before it has acknowledged it.
    private static let deliveriesMax = 20
    private static let undeliveredBytesMax = 1 << 30
    private static let plugin = "rabbitmq_consistent_hash_exchange"

    /// - Parameter queues: at least 1. More than there will be gateways and cores in all.
    /// - Throws: where a filter is longer than MQTT allows.
    package init(_ configuration: GatewayConfiguration, queues: Int) throws {
        let prefix = RoutingKey.key(of: configuration.topics.prefixLevels)
        vehicles = prefix + ".vehicles"
        shards = (0..<queues).map { "\(prefix).vehicles.\($0)" }
        sorting = prefix + ".sorting"
        undelivered = prefix + ".undelivered"
        gateways = prefix + ".gateways"

        let all = try configuration.subscriptions.map(\.filter)
        let topics = configuration.topics
        let shared = [topics.fenceFilter, topics.clearanceFilter] + topics.misnamedFilters
        let pattern = configuration.pattern
        let location = pattern.filter(for: .location)
        // Where other levels are named, the key would be another one when the vehicle is heard under other levels.
        let isKey = pattern.namedLevelCount == 0 && pattern == configuration.keyPattern
        let locations = isKey ? [location] : []
        let sorted = all.filter { !shared.contains($0) && !locations.contains($0) && $0 != topics.probe }
        obsoleteBindings = Self.bindings([location], to: isKey ? .queue(sorting) : .exchange(vehicles))

        let owned: [String: RabbitMQValue] = [
            "x-queue-type": .text("quorum"), "x-single-active-consumer": .truth(true),
            // RabbitMQ ends the connection of who consumes a message that it cannot deliver, and that of the next one.
            "x-delivery-limit": .integer(Self.deliveriesMax),
            "x-dead-letter-exchange": .text(""), "x-dead-letter-routing-key": .text(undelivered),
        ]
        let kept: [String: RabbitMQValue] = [
            "x-queue-type": .text("quorum"), "x-max-length-bytes": .integer(Self.undeliveredBytesMax),
        ]
        // From the last one down: where the first is there, all are, or another number of them was declared.
        let queues = shards.reversed().map { RabbitMQTopology.Queue($0, arguments: owned) }
        topology = RabbitMQTopology(
            exchanges: [
                .init(vehicles, type: "x-consistent-hash", plugin: Self.plugin), .init(gateways, type: "fanout"),
            ],
            queues: [.init(undelivered, arguments: kept), .init(sorting, arguments: owned)] + queues,
            // The queues of the exchange in their order, and before anything goes there: the order is part of the hash. The
            // key is each queue's weight.
            bindings: shards.map { [vehicles] in .init(vehicles, to: .queue($0), key: "1") }
                + shards.flatMap { Self.bindings(shared, to: .queue($0)) } + Self.bindings(sorted, to: .queue(sorting))
                + Self.bindings(locations, to: .exchange(vehicles)))
    }

    private static func bindings(
        _ filters: [String], to target: RabbitMQTopology.Binding.Target
    ) -> [RabbitMQTopology.Binding] {
        filters.map { RabbitMQTopology.Binding(mqtt, to: target, key: RoutingKey.binding(of: $0)) }
    }
}
