import Broker
import Foundation
import Gateway
import RabbitMQ
import RabbitMQTestSupport
import Testing
import ThreadTestSupport

@Suite(.serialized)
struct RabbitMQConnectionTests {
    private func until(
        _ connection: RabbitMQConnection, _ isDone: ([RabbitMQEvent]) -> Bool
    ) throws -> [RabbitMQEvent] {
        var events: [RabbitMQEvent] = []
        for _ in 0..<200 where !isDone(events) { events += try connection.poll(timeout: .milliseconds(50)) }
        return events
    }

    @Test("Every publication is confirmed, and reaches MQTT subscribers by its topic")
    func confirmations() async throws {
        try await onThread {
            let scene = try ClusterScene(queues: 1)
            let client = try scene.mqtt()
            try client.subscribe("\(scene.prefix)/fleet/+/alert")
            let connection = try scene.connection()
            let key = RoutingKey.key(of: scene.topic("T1", "alert"))
            var sent: [UInt64] = []
            for number in 0..<500 {
                sent.append(try connection.publish(Array("\(number)".utf8), to: ClusterTopology.mqtt, key: key))
            }
            let events = try until(connection) { $0.count >= 500 }
            #expect(events == sent.map { .confirmed(sequence: $0, isTaken: true) })
            #expect(connection.unconfirmedCount == 0)
            try client.wait("500 messages, got \(client.messages.count)") { _ in client.messages.count == 500 }
            #expect(client.messages.map(\.topic) == Array(repeating: scene.topic("T1", "alert"), count: 500))
            #expect(
                client.messages.map { String(decoding: $0.payload, as: UTF8.self) } == (0..<500).map { "\($0)" })
        }
    }

    @Test("A mandatory publication that no queue takes comes back, and is confirmed")
    func returned() async throws {
        try await onThread {
            let scene = try ClusterScene(queues: 1)
            let connection = try scene.connection()
            let sequence = try connection.publish([1], to: ClusterTopology.mqtt, key: scene.prefix, isMandatory: true)
            let events = try until(connection) { $0.count >= 2 }
            #expect(
                events == [
                    .returned(sequence: sequence, reason: "NO_ROUTE"), .confirmed(sequence: sequence, isTaken: true),
                ])
        }
    }

    @Test("Published over AMQP nothing is retained; published over MQTT it is, for subscriptions without a wildcard")
    func retained() async throws {
        try await onThread {
            let scene = try ClusterScene(queues: 1)
            let (amqp, mqtt) = (scene.topic("A", "state"), scene.topic("M", "state"))
            let connection = try scene.connection()
            _ = try connection.publish(
                Array("a".utf8), to: ClusterTopology.mqtt, key: RoutingKey.key(of: amqp),
                headers: ["x-mqtt-retain": .truth(true)])
            #expect(try until(connection) { !$0.isEmpty }.count == 1)
            let publisher = try scene.mqtt("-publisher")
            try publisher.publish(mqtt, "m", retain: true)
            try publisher.finish()
            let exact = try scene.mqtt("-exact")
            try exact.subscribe(amqp)
            try exact.subscribe(mqtt)
            try exact.wait("the retained message") { _ in !exact.messages.isEmpty }
            #expect(exact.messages.map(\.topic) == [mqtt])
            let wild = try scene.mqtt("-wild")
            try wild.subscribe(scene.topic("+", "state"))
            for _ in 0..<20 { wild.poll(.milliseconds(50)) }
            #expect(wild.messages.isEmpty)
        }
    }

    @Test("A queue that is deleted under its consumer is told of")
    func cancelled() async throws {
        try await onThread {
            let scene = try ClusterScene(queues: 1)
            let inbox = try scene.inbox()
            try scene.connection().delete(queue: scene.cluster.shards[0])
            var events: [ClusterInbox.Event] = []
            for _ in 0..<100 where events.isEmpty { events += try inbox.poll(timeout: .milliseconds(50)) }
            #expect(events == [.lost(.shard(0), nil)])
        }
    }

    @Test("Over TLS the certificate must be vouched for and name the host")
    func encrypted() throws {
        let server = try RabbitMQServer.shared.get()
        var settings = RabbitMQSettings(host: "localhost", port: server.tlsPort)
        settings.tls = .init(caFile: server.caFile)
        #expect(try RabbitMQConnection(settings, password: "guest").counts(of: "nothing") == nil)
        var other = settings
        other.tls = .init(caFile: "/etc/ssl/certs/ca-certificates.crt")
        var elsewhere = settings
        elsewhere.host = "127.0.0.1"
        for settings in [other, elsewhere] {
            let error = #expect(throws: RabbitMQError.self) { try RabbitMQConnection(settings, password: "guest") }
            #expect(error?.kind == .tls, "\(String(describing: error))")
        }
        var missing = settings
        missing.tls = .init(caFile: "/nothing.pem")
        let error = #expect(throws: RabbitMQError.self) { try RabbitMQConnection(missing, password: "guest") }
        #expect(error?.kind == .settings, "\(String(describing: error))")
    }

    @Test("A wrong password, a port where nobody listens and a queue that is not there are told apart")
    func problems() async throws {
        try await onThread {
            let server = try RabbitMQServer.shared.get()
            let settings = RabbitMQSettings(port: server.amqpPort)
            let refused = #expect(throws: RabbitMQError.self) { try RabbitMQConnection(settings, password: "wrong") }
            #expect(refused?.kind == .refused, "\(String(describing: refused))")
            let nobody = #expect(throws: RabbitMQError.self) {
                try RabbitMQConnection(RabbitMQSettings(port: 1), password: "guest")
            }
            #expect(nobody?.kind == .unreachable, "\(String(describing: nobody))")
            let connection = try RabbitMQConnection(settings, password: "guest")
            let missing = #expect(throws: RabbitMQError.self) {
                _ = try connection.consume("nothing", prefetch: 1, tag: "test")
            }
            #expect(missing?.kind == RabbitMQError.notFound, "\(String(describing: missing))")
            #expect(try connection.counts(of: "nothing") == nil)
            #expect(connection.isOpen)
            connection.close()
            #expect(throws: RabbitMQError.self) { _ = try connection.poll(timeout: .zero) }
        }
    }
}
