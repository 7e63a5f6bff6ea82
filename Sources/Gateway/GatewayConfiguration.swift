package import Broker
package import Fleet
import Messages
package import MQTT
package import Store
package import Wire

/// What the gateway is made of, in the terms of its parts.
package struct GatewayConfiguration: Sendable {
    package var broker: BrokerSettings
    package var pattern: TopicPattern
    /// Of the topics by whose keys the queues of a cluster divide the vehicles: those of its first start.
    package var keyPattern: TopicPattern
    /// Further topics, none of which overlap with others.
    package var inputs: [FleetInput]
    package var topics: GatewayTopics
    package var qos: QoS
    package var engine: EngineSettings
    /// Into how many shards the fleet is divided.
    package var shards: Int
    /// Which of them this is the configuration of.
    package private(set) var place = ShardPlace.whole
    /// Path of the SQLite file, or what other files stand beside.
    package var store: String
    /// Where the store is.
    package var location: StoreLocation
    package var durability: StoreDurability
    /// Within so many seconds the state of a vehicle that has changed is written; until then the journal has its fixes.
    package var snapshotInterval: Double
    /// More vehicles that have changed since they were written are not written at once, but with several turns: each takes
    /// some 20 µs, and a turn is to be committed within 200 ms.
    package var statesAtOnce = 2_048
    /// How long alerts, fence events and visits are kept; 0: not at all.
    package var keepEvents: Double
    /// How long positions are kept; 0: not at all.
    package var keepPositions: Double
    /// After how many seconds a `stop` escalates that nobody has acknowledged or taken; 0: never.
    package var ackTimeout: Double
    /// For how many seconds a phone that was paired with a vehicle may speak for it.
    package var cabValidFor: Double
    package var webhooks: [Webhook]
    package var version: String
    /// Nil: no other gateway has a part of the fleet.
    package var cluster: ClusterSettings?

    package init(
        broker: BrokerSettings, pattern: TopicPattern, inputs: [FleetInput] = [], topics: GatewayTopics, qos: QoS,
        engine: EngineSettings, shards: Int = 1, store: String, location: StoreLocation? = nil,
        durability: StoreDurability = .power,
        snapshotInterval: Double,
        keepEvents: Double, keepPositions: Double, ackTimeout: Double = 60,
        cabValidFor: Double = 30 * 86_400, webhooks: [Webhook] = [], version: String,
        cluster: ClusterSettings? = nil
    ) {
        self.broker = broker
        (self.pattern, keyPattern) = (pattern, pattern)
        self.inputs = inputs
        self.topics = topics
        self.qos = qos
        self.engine = engine
        self.shards = shards
        self.store = store
        self.location = location ?? .file(store)
        self.durability = durability
        self.snapshotInterval = snapshotInterval
        self.keepEvents = keepEvents
        self.keepPositions = keepPositions
        self.ackTimeout = ackTimeout
        self.cabValidFor = cabValidFor
        self.webhooks = webhooks
        self.version = version
        self.cluster = cluster
    }

    /// That of one shard.
    package func part(_ place: ShardPlace) -> GatewayConfiguration {
        var part = self
        part.place = place
        part.location = location.shard(place.index)
        part.store = StoreLocation.file(store, shard: place.index)
        return part
    }
}

/// Why the gateway ends by itself. The description says what to do.
package enum GatewayError: Error, CustomStringConvertible {
    case sessionTakenOver(clientID: String)
    /// One connection after another, and it said of none why.
    case brokerEndsConnections(clientID: String)
    case brokerRefuses(ReasonCode)

    package var description: String {
        switch self {
        case .sessionTakenOver(let clientID):
            "another client connected to the broker as \"\(clientID)\" and took this gateway's session over; "
                + "give each gateway a `broker.client_id` of its own"
        case .brokerEndsConnections(let clientID):
            "the broker ended one connection after another within seconds; most likely another client connected as "
                + "\"\(clientID)\" and took this gateway's session over: give each gateway a `broker.client_id` of its own; "
                + "else the broker does not take a message of the gateway's: see its log, its limit for packets and its ACL"
        case .brokerRefuses(.unsupportedProtocolVersion):
            "the broker does not speak this version of MQTT; set `broker.protocol` to the other one, 5 or 3.1.1"
        case .brokerRefuses(let reason):
            "the broker refuses this gateway: \(reason); check `broker.username`, `broker.password` and its ACL"
        }
    }
}
