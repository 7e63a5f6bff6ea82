import Broker
import Foundation
import MQTT
import Testing
import ThreadTestSupport

/// Asking once for what a broker retains, without a subscription that stays.
struct RetainedReadingTests {
    @Test(
        "What is retained comes each time it is asked for, and nothing that is published later",
        arguments: [.v5, .v311] as [BrokerSettings.ProtocolVersion])
    func once(version: BrokerSettings.ProtocolVersion) async throws {
        try await onThread {
            let broker = try Mosquitto.started()
            let driver = try Driver.connected(broker, id: "a") { $0.protocolVersion = version }
            _ = try driver.connection.publish(Publication("kept/1", "one", retain: true))
            _ = try driver.connection.publish(Publication("kept/2", "two", retain: true))
            try driver.run { $0.connection.unacknowledged == 0 }
            for filters in [["kept/1", "kept/2", "kept/none"], ["kept/1", "kept/2"], ["kept/+"]] {
                let (before, reads) = (driver.messages.count, Self.reads(driver).count)
                let id = try driver.connection.readRetained(filters)
                try driver.run { Self.reads($0).count > reads && $0.messages.count == before + 2 }
                #expect(Self.reads(driver).last == .retainedRead(id: id, refused: 0))
                #expect(driver.messages.suffix(2).map(\.retained) == [true, true])
                #expect(driver.payloads.suffix(2).sorted() == ["one", "two"])
            }
            let count = driver.messages.count
            _ = try driver.connection.publish(Publication("kept/1", "later"))
            try driver.run { $0.connection.unacknowledged == 0 }
            driver.linger(.milliseconds(100))
            #expect(driver.messages.count == count)
        }
    }

    @Test(
        "A subscription that is asked for once more brings what is retained again, and stays",
        arguments: [.v5, .v311] as [BrokerSettings.ProtocolVersion])
    func renewed(version: BrokerSettings.ProtocolVersion) async throws {
        try await onThread {
            let broker = try Mosquitto.started()
            let driver = try Driver.connected(broker, id: "a") { $0.protocolVersion = version }
            _ = try driver.connection.publish(Publication("kept/1", "one", retain: true))
            try driver.run { $0.connection.unacknowledged == 0 }
            driver.connection.subscribe([try Subscription("kept/+")])
            try driver.run { $0.messages.count == 1 }
            driver.connection.renewSubscriptions()
            try driver.run { $0.messages.count == 2 }
            #expect(driver.messages.map(\.retained) == [true, true])
            _ = try driver.connection.publish(Publication("kept/1", "later"))
            try driver.run { $0.messages.count == 3 }
            #expect(driver.payloads == ["one", "one", "later"])
        }
    }

    @Test("A connection that ends takes the question with it")
    func lost() async throws {
        try await onThread {
            let broker = try Mosquitto.started()
            let driver = try Driver.connected(broker, id: "a")
            broker.signal(SIGSTOP)
            _ = try driver.connection.readRetained(["kept/1"])
            driver.linger(.milliseconds(50))
            broker.signal(SIGKILL)
            try driver.run { $0.connection.isIdle }
            let error = #expect(throws: BrokerError.self) { try driver.connection.readRetained(["kept/1"]) }
            #expect(error?.code == .notConnected)
            #expect(Self.reads(driver) == [])
        }
    }

    private static func reads(_ driver: Driver) -> [BrokerEvent] {
        driver.events.filter { if case .retainedRead = $0 { true } else { false } }
    }
}
