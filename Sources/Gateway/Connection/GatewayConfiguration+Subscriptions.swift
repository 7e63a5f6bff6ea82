package import Broker
import Wire

extension GatewayConfiguration {
    /// What the gateway subscribes to at the broker: in a cluster, whose queues bring the inputs, only to what it sends itself.
    var brokerSubscriptions: [Subscription] {
        get throws { cluster == nil ? try subscriptions : [try Subscription(topics.probe, qos)] }
    }

    /// What the gateway takes in, in this order.
    ///
    /// - Throws: where a filter is longer than MQTT allows.
    package var subscriptions: [Subscription] {
        get throws {
            // What fixes are judged by comes before the fixes.
            let topicSuffixes = WireDecoder.topicSuffixes.filter { $0 != .location }.map { pattern.filter(for: $0) }
            let inputs = inputs.flatMap(\.filters)
            // What an input takes in is addressed to it.
            let misaddressed = pattern.misaddressed(.location).filter { filter in
                !inputs.contains { TopicFilter.overlap($0, filter) }
            }
            let locations = [pattern.filter(for: .location)] + misaddressed + inputs
            let catalogues = [topics.fenceFilter, topics.clearanceFilter] + topics.misnamedFilters
            let all = topicSuffixes + catalogues + locations + [topics.forgetFilter, topics.probe]
            return try all.map { try Subscription($0, qos) }
        }
    }
}
