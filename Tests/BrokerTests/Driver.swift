import Broker
import Foundation
import MQTT
import Testing

/// A connection and all it has said and received so far.
final class Driver {
    let connection: BrokerConnection
    /// Runs as long as somebody drives at it.
    private let broker: Mosquitto?
    private(set) var events: [BrokerEvent] = []
    private(set) var messages: [ReceivedMessage] = []

    init(_ broker: Mosquitto, id: String, _ adjust: (inout BrokerSettings) -> Void = { _ in }) throws {
        self.broker = broker
        connection = try Self.connection(port: broker.port, id: id, adjust)
    }

    init(port: Int, id: String, _ adjust: (inout BrokerSettings) -> Void = { _ in }) throws {
        broker = nil
        connection = try Self.connection(port: port, id: id, adjust)
    }

    private static func connection(
        port: Int, id: String, _ adjust: (inout BrokerSettings) -> Void
    ) throws -> BrokerConnection {
        var settings = BrokerSettings(port: port, clientID: id)
        adjust(&settings)
        return try BrokerConnection(settings)
    }

    /// Connected, with its subscriptions granted.
    static func connected(
        _ broker: Mosquitto, id: String, subscriptions: [String] = [],
        _ adjust: (inout BrokerSettings) -> Void = { _ in }
    ) throws -> Driver {
        let driver = try Driver(broker, id: id, adjust)
        driver.connection.subscribe(try subscriptions.map { try Subscription($0) })
        driver.connection.connect()
        try driver.run { $0.connection.isConnected && $0.grants.count == subscriptions.count }
        return driver
    }

    /// Publications that the broker has answered for, refused or not.
    var answered: [Int32: ReasonCode] {
        var reasons: [Int32: ReasonCode] = [:]
        for case .published(let id, let reason) in events { reasons[id] = reason }
        return reasons
    }

    var grants: [String] {
        events.compactMap { if case .subscribed(let filter, .granted) = $0 { filter } else { nil } }
    }

    var payloads: [String] { messages.map { String(decoding: $0.payload, as: UTF8.self) } }

    /// Polls until `condition` holds, and fails where it does not in time. Flushes after each batch unless told not to.
    func run(
        seconds: Double = 10, flushing: Bool = true, sourceLocation: SourceLocation = #_sourceLocation,
        until condition: (Driver) -> Bool
    ) throws {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while !condition(self) {
            try #require(.now < deadline, "not in time; so far \(events.suffix(5))", sourceLocation: sourceLocation)
            pass(.milliseconds(100), flushing: flushing)
        }
    }

    /// Polls for as long as is said, to see that nothing more comes.
    func linger(_ duration: Duration, flushing: Bool = true) {
        let deadline = ContinuousClock.now + duration
        while .now < deadline { pass(.milliseconds(20), flushing: flushing) }
    }

    func pass(_ timeout: Duration, flushing: Bool = true) {
        events += connection.poll(timeout: timeout)
        messages += connection.takeMessages()
        if flushing { connection.flush() }
    }
}

extension Publication {
    init(_ topic: String, _ text: String, qos: QoS = .atLeastOnce, retain: Bool = false) {
        self.init(topic: topic, payload: Array(text.utf8), qos: qos, retain: retain)
    }
}
