import Broker
import MQTT
import Testing
import ThreadTestSupport

/// Commit, publish, acknowledge: what was not flushed comes again, what was flushed does not.
@Suite(.serialized)
struct AcknowledgementTests {
    @Test(
        "A crash before the flush brings the same messages again; after it they stay away",
        arguments: [.v5, .v311] as [BrokerSettings.ProtocolVersion])
    func commitBeforeAcknowledge(version: BrokerSettings.ProtocolVersion) async throws {
        try await onThread {
            let broker = try Mosquitto.started()
            let sender = try Driver.connected(broker, id: "sender")
            let sent = (0..<50).map { "\($0)" }
            var receiver: Driver? = try Driver.connected(broker, id: "r", subscriptions: ["t"]) {
                $0.protocolVersion = version
            }
            for text in sent { _ = try sender.connection.publish(Publication("t", text)) }
            try sender.run { $0.connection.unacknowledged == 0 }
            try receiver?.run(flushing: false) { $0.messages.count == sent.count }
            // Time enough for an acknowledgement to leave, if one would.
            receiver?.linger(.milliseconds(200), flushing: false)
            receiver = nil

            receiver = try Driver.connected(broker, id: "r", subscriptions: ["t"]) { $0.protocolVersion = version }
            #expect(receiver?.events.first == .connected(sessionPresent: true))
            try receiver?.run { $0.messages.count == sent.count }
            #expect(receiver?.payloads == sent)
            receiver?.linger(.milliseconds(200))
            receiver = nil

            let third = try Driver.connected(broker, id: "r", subscriptions: ["t"]) { $0.protocolVersion = version }
            #expect(third.events.first == .connected(sessionPresent: true))
            third.linger(.milliseconds(300))
            #expect(third.payloads == [])
        }
    }

    @Test("While an acknowledgement is held back, nothing else leaves and poll does not spin")
    func heldBack() async throws {
        try await onThread {
            let broker = try Mosquitto.started()
            let sender = try Driver.connected(broker, id: "sender")
            let driver = try Driver.connected(broker, id: "a", subscriptions: ["t"])
            _ = try sender.connection.publish(Publication("t", "hold"))
            try sender.run { $0.connection.unacknowledged == 0 }
            try driver.run(flushing: false) { $0.messages.count == 1 }

            let id = try driver.connection.publish(Publication("u", "answer"))
            let elapsed = ContinuousClock().measure {
                #expect(driver.connection.poll(timeout: .milliseconds(300)).isEmpty)
            }
            #expect(elapsed > .milliseconds(280))
            driver.connection.flush()
            try driver.run { $0.answered[id] == .noMatchingSubscribers }
        }
    }

    @Test("20,000 messages arrive complete and in order through an inbox of 100")
    func backPressure() async throws {
        try await onThread {
            let broker = try Mosquitto.started()
            let count = 20_000
            let receiver = try Driver.connected(broker, id: "r", subscriptions: ["t"]) { $0.inboxLimit = 100 }
            let sender = try Driver.connected(broker, id: "sender")
            var sent = 0
            var largest = 0
            try receiver.run(seconds: 60) { receiver in
                while sent < count, let _ = try? sender.connection.publish(Publication("t", "\(sent)")) { sent += 1 }
                sender.pass(.zero)
                let before = receiver.messages.count
                receiver.pass(.zero)
                largest = max(largest, receiver.messages.count - before)
                return receiver.messages.count == count
            }
            #expect(receiver.payloads == (0..<count).map { "\($0)" })
            #expect(largest <= 100)
        }
    }

    @Test("More than 1,000 publications under way are refused, and go on when the first are acknowledged")
    func window() async throws {
        try await onThread {
            let driver = try Driver.connected(Mosquitto.started(), id: "a")
            for number in 0..<1_000 { _ = try driver.connection.publish(Publication("t", "\(number)")) }
            let error = #expect(throws: BrokerError.self) {
                try driver.connection.publish(Publication("t", "one more"))
            }
            #expect(error?.code == .windowFull)
            try driver.run { $0.connection.unacknowledged == 0 }
            _ = try driver.connection.publish(Publication("t", "one more"))
        }
    }

    @Test("A resumed session is not sent its retained messages again, a new one is")
    func retained() async throws {
        try await onThread {
            let broker = try Mosquitto.started()
            let sender = try Driver.connected(broker, id: "sender")
            _ = try sender.connection.publish(Publication("profile", "13'6\"", retain: true))
            try sender.run { $0.connection.unacknowledged == 0 }

            var received: [[Bool]] = []
            for clean in [false, false, true] {
                let driver = try Driver.connected(broker, id: "r", subscriptions: ["profile"]) { $0.cleanStart = clean }
                driver.linger(.milliseconds(200))
                received.append(driver.messages.map(\.retained))
                driver.connection.disconnect()
            }
            #expect(received == [[true], [], [true]])
        }
    }
}
