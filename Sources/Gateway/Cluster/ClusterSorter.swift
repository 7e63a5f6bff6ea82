package import Broker
package import Messages
package import RabbitMQ
import Wire

/// Finds out which vehicles a message of the sorting queue is about, and the key that takes it into their queues.
package struct ClusterSorter {
    /// What a message that was sorted bears beside its payload.
    enum Header {
        /// The MQTT topic it came by.
        static let topic = "topic"
        /// The vehicle whose part of it counts.
        static let vehicle = "vehicle"
        /// What a gateway says to itself: that is about no vehicle.
        static let probe = "probe"
    }

    /// One way a message goes on.
    package struct Copy: Hashable, Sendable {
        package var key: String
        package var headers: [String: RabbitMQValue]
    }

    private let topics: InboundTopics
    private let decoder: WireDecoder
    private let keyPattern: TopicPattern
    private let refuse: (VehicleID) -> Void

    /// In bytes, of AMQP 0-9-1 (4.2.5.3). RabbitMQ takes a longer one from an MQTT client, and cannot deliver it to any of AMQP.
    private static let keyMax = 255

    /// - Parameter refuse: is called for each vehicle whose key would be too long.
    package init(_ configuration: GatewayConfiguration, refuse: @escaping (VehicleID) -> Void = { _ in }) {
        self.refuse = refuse
        topics = InboundTopics(configuration.topics, pattern: configuration.pattern, inputs: configuration.inputs)
        decoder = WireDecoder(pattern: configuration.pattern, inputs: configuration.inputs)
        keyPattern = configuration.keyPattern
    }

    /// One copy for each vehicle that is not refused. What is about no vehicle goes where its topic takes it, to be counted there as rejected.
    package func copies(of message: ReceivedMessage) -> [Copy] {
        let vehicles = vehicles(in: message)
        let topic = RabbitMQValue.text(message.topic)
        guard !vehicles.isEmpty else {
            return [Copy(key: RoutingKey.key(of: message.topic), headers: [Header.topic: topic])]
        }
        return vehicles.compactMap { vehicle in
            let key = key(of: vehicle)
            guard key.utf8.count <= Self.keyMax else {
                refuse(vehicle)
                return nil
            }
            return Copy(key: key, headers: [Header.topic: topic, Header.vehicle: .text(vehicle.text)])
        }
    }

    /// The key of the vehicle's location at the cluster's first start where its pattern named no other levels, and one that only
    /// the vehicle decides where it did.
    func key(of vehicle: VehicleID) -> String {
        let levels = [String](repeating: "any", count: keyPattern.namedLevelCount)
        let topic = keyPattern.topic(for: VehicleAddress(vehicle: vehicle, levels: levels), .location)
        return RoutingKey.key(of: topic ?? vehicle.text)
    }

    private func vehicles(in message: ReceivedMessage) -> [VehicleID] {
        let inbound = topics.parse(message.topic)
        switch inbound {
        case .vehicle(let address, _): return [address.vehicle]
        case .forget(let id): return VehicleID(id).map { [$0] } ?? []
        case .input:
            let decoded = decoder.decode(
                inbound, payload: message.payload, retained: false, receivedAt: Timestamp(milliseconds: 0))
            var seen: Set<VehicleID> = []
            return decoded.compactMap(\.address?.vehicle).filter { seen.insert($0).inserted }
        case .fence, .clearance, .result, .misnamed, .unknown: return []
        }
    }
}
