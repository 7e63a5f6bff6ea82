import Broker
import Messages
import Wire

/// Tells which shards a message is for: that of its vehicle, or all of them where it concerns all vehicles or says only within
/// whom it concerns.
struct ShardRouter {
    private let count: Int
    private let topics: InboundTopics

    init(_ configuration: GatewayConfiguration, count: Int) {
        self.count = count
        topics = InboundTopics(configuration.topics, pattern: configuration.pattern, inputs: configuration.inputs)
    }

    /// The messages of each shard, in the order in which they came.
    func parts(_ messages: [ReceivedMessage]) -> [[ReceivedMessage]] {
        guard count > 1 else { return [messages] }
        var parts = [[ReceivedMessage]](repeating: [], count: count)
        for message in messages {
            if let vehicle = vehicle(message.topic) {
                parts[ShardPlace.index(of: vehicle, of: count)].append(message)
            } else {
                for index in parts.indices { parts[index].append(message) }
            }
        }
        return parts
    }

    /// Nil where the topic does not say it.
    private func vehicle(_ topic: String) -> VehicleID? {
        switch topics.parse(topic) {
        case .vehicle(let address, _): address.vehicle
        case .forget(let id): VehicleID(id)
        case .input, .clearance, .fence, .misnamed, .result, .unknown: nil
        }
    }
}
