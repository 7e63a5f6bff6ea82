import Broker
import Fleet
import Foundation
import Gateway
import MQTT
import RabbitMQ
import RabbitMQTestSupport
import Testing
import Wire

/// A cluster of its own, under a prefix that no other test uses.
struct ClusterScene {
    let server: RabbitMQServer
    let prefix: String
    let cluster: ClusterTopology
    let queues: Int

    init(queues: Int = 8, declares: Bool = true) throws {
        server = try RabbitMQServer.shared.get()
        prefix = "t" + UUID().uuidString.prefix(8).lowercased()
        self.queues = queues
        cluster = try ClusterTopology(try Self.configuration(prefix), queues: queues)
        if declares { try declare() }
    }

    /// While its machine is busy RabbitMQ gives queues up that it has begun to make, and closes the connection: again, as the
    /// error says.
    private func declare() throws {
        for _ in 0..<5 {
            do { return try cluster.declare(over: try connection()) } catch is RabbitMQError { sleep(1) }
        }
        try cluster.declare(over: try connection())
    }

    static func configuration(
        _ prefix: String = "headroom", pattern: String? = nil, inputs: [FleetInput] = [], client: String = "north"
    ) throws -> GatewayConfiguration {
        GatewayConfiguration(
            broker: BrokerSettings(clientID: client),
            pattern: try TopicPattern(pattern ?? (prefix == "headroom" ? "fleet/{v}" : "\(prefix)/fleet/{v}")),
            inputs: inputs, topics: try GatewayTopics(prefix: prefix, clientID: client), qos: .atLeastOnce,
            engine: EngineSettings(), store: "", snapshotInterval: 60, keepEvents: 0, keepPositions: 0, version: "1")
    }

    /// - Parameter heartbeatSeconds: twice as long a silence ends it; long, as a busy machine may keep a test waiting.
    func connection(heartbeatSeconds: Int = 60) throws -> RabbitMQConnection {
        var settings = RabbitMQSettings(port: server.amqpPort)
        settings.heartbeatSeconds = heartbeatSeconds
        return try RabbitMQConnection(settings, password: "guest")
    }

    func inbox(
        _ gateway: String = "north", prefetch: Int = 100, heartbeatSeconds: Int = 60
    ) throws -> ClusterInbox {
        try ClusterInbox(
            cluster, over: try connection(heartbeatSeconds: heartbeatSeconds), gateway: gateway,
            ownQueue: "\(cluster.gateways).\(gateway).\(UUID())", prefetch: prefetch)
    }

    func mqtt(_ name: String = "") throws -> MQTTClient {
        try MQTTClient("\(prefix)\(name)", port: server.mqttPort)
    }

    func topic(_ vehicle: String, _ suffix: String = "location") -> String { "\(prefix)/fleet/\(vehicle)/\(suffix)" }
}

/// An MQTT client over libmosquitto, as a vehicle has one.
final class MQTTClient {
    /// RabbitMQ beside other tests on a busy machine.
    private static let answerMax: Duration = .seconds(90)

    private let connection: BrokerConnection
    private var unanswered: Set<Int32> = []
    private(set) var messages: [ReceivedMessage] = []

    init(_ name: String, port: Int) throws {
        var settings = BrokerSettings(port: port, clientID: name)
        settings.protocolVersion = .v311
        settings.cleanStart = true
        connection = try BrokerConnection(settings)
        try connection.connect()
        try wait("no connection") { $0.isConnected }
    }

    func subscribe(_ filter: String) throws {
        connection.subscribe([try Subscription(filter, .atLeastOnce)])
        var isGranted = false
        try wait("no answer to the subscription to \(filter)", until: { _ in isGranted }) { events in
            isGranted = events.contains { if case .subscribed(filter, .granted) = $0 { true } else { false } }
        }
    }

    func publish(_ topic: String, _ payload: String, retain: Bool = false) throws {
        unanswered.insert(
            try connection.publish(Publication(topic: topic, payload: Array(payload.utf8), retain: retain)))
    }

    /// Waits until the broker has answered for all publications.
    func finish() throws { try wait("publications without an answer") { _ in unanswered.isEmpty } }

    /// - Parameter take: is given what happens meanwhile.
    func wait(
        _ problem: String, until isDone: (BrokerConnection) -> Bool, take: ([BrokerEvent]) -> Void = { _ in }
    ) throws {
        let deadline = ContinuousClock.now + Self.answerMax
        while !isDone(connection) {
            guard .now < deadline else { throw Timeout(description: problem) }
            take(poll())
        }
    }

    /// Sends and receives what is there.
    @discardableResult
    func poll(_ timeout: Duration = .milliseconds(10)) -> [BrokerEvent] {
        let events = connection.poll(timeout: timeout)
        for case .published(let id, _) in events { unanswered.remove(id) }
        messages += connection.takeMessages()
        connection.flush()
        return events
    }
}

struct Timeout: Error, CustomStringConvertible {
    let description: String
}

extension ClusterInbox {
    /// Takes messages until there are `count`, or none has come for `silence`.
    func take(_ count: Int, silence: Duration = .seconds(20), acknowledges: Bool = true) throws -> [ClusterMessage] {
        var messages: [ClusterMessage] = []
        while messages.count < count {
            let events = try poll(timeout: silence)
            guard !events.isEmpty else { break }
            var last: [ClusterMessage.Source: UInt64] = [:]
            for case .message(let message) in events {
                messages.append(message)
                last[message.source] = message.tag
            }
            if acknowledges { for (source, tag) in last { try acknowledge(upTo: tag, of: source) } }
        }
        return messages
    }
}
