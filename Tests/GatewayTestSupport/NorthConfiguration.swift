import Broker
package import Fleet
package import Gateway
import MQTT
package import Store
import Wire

extension GatewayConfiguration {
    /// A gateway of the id `north` on the standard topics.
    ///
    /// - Parameters:
    ///   - store: empty where a test opens none.
    ///   - durability: what is killed in most tests is the program, not the machine.
    ///   - keepEvents: in seconds, as are `snapshotInterval` and `keepPositions`.
    package static func north(
        engine: EngineSettings = EngineSettings(), store: String = "", snapshotInterval: Double = 60,
        keepEvents: Double = 3600, keepPositions: Double = 0, durability: StoreDurability = .process
    ) throws -> GatewayConfiguration {
        GatewayConfiguration(
            broker: BrokerSettings(clientID: "north"), pattern: .standard,
            topics: try GatewayTopics(clientID: "north"), qos: .atLeastOnce, engine: engine, store: store,
            durability: durability, snapshotInterval: snapshotInterval, keepEvents: keepEvents,
            keepPositions: keepPositions, version: "1")
    }
}
