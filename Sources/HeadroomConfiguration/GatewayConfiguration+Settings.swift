import Broker
package import Gateway
import MQTT
package import Wire

extension GatewayConfiguration {
    /// - Parameter version: of the program.
    /// - Throws: `TopicError` where topics that are right by themselves cannot work together.
    package init(_ settings: Settings, version: String) throws(TopicError) {
        self.init(
            broker: settings.broker, pattern: try TopicPattern(settings.fleet.topic), inputs: settings.fleet.inputs,
            topics: try GatewayTopics(prefix: settings.topicPrefix, clientID: settings.broker.clientID),
            qos: settings.fleet.qos, engine: settings.engine, shards: settings.shards, store: settings.store,
            location: settings.storeLocation, durability: settings.durability,
            snapshotInterval: settings.snapshotInterval,
            keepEvents: settings.keepEvents,
            keepPositions: settings.keepPositions, ackTimeout: settings.ackTimeout,
            cabValidFor: settings.cabValidFor, webhooks: settings.hooks.compactMap(\.webhook), version: version,
            cluster: settings.clusterSettings)
    }
}
