import ArgumentParser
import Broker
import Fleet
import Foundation
import Gateway
import MQTT
import RabbitMQ
import RabbitMQTestSupport
import Wire

/// Measures what RabbitMQ carries on the cluster's ways, each by itself, on a server of its own.
@main
struct ClusterBenchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cluster-benchmark", abstract: "Measures what RabbitMQ carries on the cluster's ways.",
        discussion: """
            Prints one object a line with messages a second: published to the vehicles' queues and confirmed; consumed from \
            them and acknowledged; taken from the sorting queue and confirmed in the vehicles'; published for MQTT subscribers over AMQP and \
            over MQTT. Client and server share the machine's cores.
            """)

    @Option(help: "Messages on each way.")
    var messages = 20_000

    @Option(help: "Queues of vehicles.")
    var queues = 8

    @Option(help: "Bytes of each message.")
    var bytes = 200

    func validate() throws {
        guard messages > 0, queues > 0, bytes > 0 else { throw ValidationError("expected counts of 1 or more") }
    }

    func run() throws {
        let server = try RabbitMQServer.shared.get()
        let configuration = GatewayConfiguration(
            broker: BrokerSettings(port: server.mqttPort, clientID: "benchmark"), pattern: .standard,
            topics: try GatewayTopics(clientID: "benchmark"), qos: .atLeastOnce, engine: EngineSettings(), store: "",
            snapshotInterval: 60, keepEvents: 0, keepPositions: 0, version: "1")
        let way = ClusterWays(
            server: server, configuration: configuration,
            cluster: try ClusterTopology(configuration, queues: queues),
            payload: [UInt8](repeating: 0x78, count: bytes), count: messages)
        try way.cluster.declare(over: try way.connection())
        try tell("published to the vehicles' queues") { try way.publish("location") }
        try tell("consumed from the vehicles' queues") { try way.consume() }
        _ = try way.publish("profile")
        try tell("sorted") { try way.sort() }
        try tell("published over AMQP") { try way.publish("alert") }
        try tell("published over MQTT") { try way.publishOverMQTT() }
    }

    private func tell(_ name: String, _ work: () throws -> Duration) throws {
        let seconds = try work() / .seconds(1)
        print(#"{"way": "\#(name)", "messagesPerSecond": \#(Int(Double(messages) / seconds))}"#)
    }
}

/// Each way of messages, once.
private struct ClusterWays {
    /// As many publications at most wait for their confirmation.
    private static let window = 1_000

    let server: RabbitMQServer
    let configuration: GatewayConfiguration
    let cluster: ClusterTopology
    let payload: [UInt8]
    let count: Int

    func connection() throws -> RabbitMQConnection {
        try RabbitMQConnection(RabbitMQSettings(port: server.amqpPort), password: "guest")
    }

    private func topic(_ number: Int, _ suffix: String) -> String { "fleet/T\(number % 1_000)/\(suffix)" }

    func publish(_ suffix: String) throws -> Duration {
        let publisher = try connection()
        return try ContinuousClock().measure {
            for number in 0..<count {
                let key = RoutingKey.key(of: topic(number, suffix))
                _ = try publisher.publish(payload, to: ClusterTopology.mqtt, key: key)
                if number % 100 == 0 { _ = try publisher.poll(timeout: .zero) }
                while publisher.unconfirmedCount >= Self.window { _ = try publisher.poll(timeout: .seconds(1)) }
            }
            while publisher.unconfirmedCount > 0 { _ = try publisher.poll(timeout: .seconds(1)) }
        }
    }

    private func inbox() throws -> ClusterInbox {
        try ClusterInbox(
            cluster, over: try connection(), gateway: "benchmark", ownQueue: "benchmark.\(UUID())",
            prefetch: Self.window)
    }

    func consume() throws -> Duration {
        let inbox = try inbox()
        var taken = 0
        return try ContinuousClock().measure {
            while taken < count {
                var last: [ClusterMessage.Source: UInt64] = [:]
                for case .message(let message) in try inbox.poll(timeout: .seconds(1)) {
                    taken += 1
                    last[message.source] = message.tag
                }
                for (source, tag) in last { try inbox.acknowledge(upTo: tag, of: source) }
            }
        }
    }

    func sort() throws -> Duration {
        let inbox = try inbox()
        let publisher = try connection()
        var sorting = SortingProgress(ClusterSorter(configuration), to: cluster)
        var confirmed = 0
        return try ContinuousClock().measure {
            while confirmed < count {
                for case .message(let message) in try inbox.poll(timeout: .milliseconds(1)) {
                    if message.source == .sorting {
                        try sorting.forward(message.message, tag: message.tag, over: publisher)
                    } else {
                        try inbox.acknowledge(upTo: message.tag, of: message.source)
                    }
                }
                var last: UInt64?
                for case .confirmed(let sequence, let isTaken) in try publisher.poll(timeout: .zero) {
                    confirmed += 1
                    last = try sorting.confirmed(sequence, isTaken: isTaken) ?? last
                }
                if let last { try inbox.acknowledge(upTo: last, of: .sorting) }
            }
        }
    }

    func publishOverMQTT() throws -> Duration {
        var settings = configuration.broker
        settings.protocolVersion = .v311
        let connection = try BrokerConnection(settings)
        connection.connect()
        while !connection.isConnected { _ = connection.poll(timeout: .seconds(1)) }
        return try ContinuousClock().measure {
            for number in 0..<count {
                while connection.unacknowledged >= Self.window { _ = connection.poll(timeout: .seconds(1)) }
                _ = try connection.publish(Publication(topic: topic(number, "alert"), payload: payload))
                if number % 100 == 0 { _ = connection.poll(timeout: .zero) }
            }
            while connection.unacknowledged > 0 { _ = connection.poll(timeout: .seconds(1)) }
        }
    }
}
