import Broker
import Foundation
import MQTT

/// One client that publishes for a whole fleet, on any topic, at QoS 1.
enum FleetSpeaker {
    struct Message: Sendable {
        var topic: String
        var payload: String
        var isRetained = false
    }

    /// Publishes `messages` in their order, and waits until the broker has all of them.
    static func publish(_ messages: [Message], port: Int, version: BrokerSettings.ProtocolVersion = .v5) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            // A connection belongs to one thread.
            Thread { continuation.resume(with: Result { try send(messages, port: port, version) }) }.start()
        }
    }

    private static func send(_ messages: [Message], port: Int, _ version: BrokerSettings.ProtocolVersion) throws {
        var settings = BrokerSettings(port: port, clientID: "fleet-\(UUID().uuidString)")
        settings.protocolVersion = version
        settings.cleanStart = true
        let connection = try BrokerConnection(settings)
        connection.connect()
        var underWay: Set<Int32> = []
        var rest = messages[...]
        let deadline = ContinuousClock.now + .seconds(120)
        while !rest.isEmpty || !underWay.isEmpty {
            guard .now < deadline else { throw NotInTime(left: rest.count + underWay.count) }
            for case .published(let id, _) in connection.poll(timeout: .milliseconds(20)) { underWay.remove(id) }
            while connection.isConnected, underWay.count < 500, let message = rest.first {
                underWay.insert(
                    try connection.publish(
                        Publication(
                            topic: message.topic, payload: Array(message.payload.utf8), qos: .atLeastOnce,
                            retain: message.isRetained)))
                rest.removeFirst()
            }
            _ = connection.takeMessages()
            connection.flush()
        }
        connection.disconnect(keepsWill: false, timeout: .seconds(2))
    }

    struct NotInTime: Error {
        var left: Int
    }
}
