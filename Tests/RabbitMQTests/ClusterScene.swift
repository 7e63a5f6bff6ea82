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
    /// One for each of the queues of vehicles.
    var shards: Set<ClusterMessage.Source> { Set((0..<queues).map(ClusterMessage.Source.shard)) }

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

/// An MQTT client over libmosquitto, as a vehicle has one. Where its connection ends, it connects again with its session.
final class MQTTClient {
    /// RabbitMQ beside other tests on a busy machine.
    private static let answerMax: Duration = .seconds(90)

    private let connection: BrokerConnection
    private var unanswered: Set<Int32> = []
    /// How many publications were sent again; each may be there twice, for RabbitMQ does not look for repeats.
    private(set) var sentAgain = 0
    /// How the connection ended last.
    private var ending: BrokerEvent?
    private(set) var messages: [ReceivedMessage] = []

    init(_ name: String, port: Int) throws {
        var settings = BrokerSettings(port: port, clientID: name)
        settings.protocolVersion = .v311
        connection = try BrokerConnection(settings)
        connection.connect()
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
        if !connection.isConnected { try wait("no connection") { $0.isConnected } }
        unanswered.insert(
            try connection.publish(Publication(topic: topic, payload: Array(payload.utf8), retain: retain)))
    }

    /// Waits until the broker has answered for all publications.
    func finish(patience: Duration? = nil) throws {
        try wait("publications without an answer", patience: patience) { _ in unanswered.isEmpty }
    }

    /// - Parameters:
    ///   - patience: after so long without an answer to any publication they are sent again, as they are in any case where
    ///     the connection ends; nil: not for silence.
    ///   - take: is given what happens meanwhile.
    func wait(
        _ problem: String, patience: Duration? = nil, until isDone: (BrokerConnection) -> Bool,
        take: ([BrokerEvent]) -> Void = { _ in }
    ) throws {
        let deadline = ContinuousClock.now + Self.answerMax
        var (waiting, since) = (unanswered.count, ContinuousClock.now)
        while !isDone(connection) {
            guard .now < deadline else {
                throw Timeout(description: problem + (ending.map { ", the connection had ended: \($0)" } ?? ""))
            }
            take(poll())
            if unanswered.count != waiting { (waiting, since) = (unanswered.count, ContinuousClock.now) }
            let isSilent = !unanswered.isEmpty && ContinuousClock.now - since >= patience ?? Self.answerMax
            if connection.isIdle || isSilent {
                try connectAgain()
                since = .now
            }
        }
    }

    /// What is unanswered, libmosquitto sends again over the next connection, in its order: MQTT 3.1.1 (4.4) has no other
    /// time for it.
    ///
    /// RabbitMQ 3.10 closes the connection of a client whose publication a queue did not take.
    private func connectAgain() throws {
        sentAgain += unanswered.count
        if connection.isIdle { usleep(100_000) } else { connection.disconnect() }
        connection.connect()
    }

    /// Sends and receives what is there.
    @discardableResult
    func poll(_ timeout: Duration = .milliseconds(10)) -> [BrokerEvent] {
        let events = connection.poll(timeout: timeout)
        for event in events {
            switch event {
            case .published(let id, _): unanswered.remove(id)
            case .lost, .disconnected, .refused, .unreachable: ending = event
            default: break
            }
        }
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
