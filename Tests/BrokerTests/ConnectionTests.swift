import Broker
import Foundation
import MQTT
import Testing
import ThreadTestSupport

@Suite(.serialized)
struct ConnectionTests {
    @Test(
        "What is published comes back, in both versions of the protocol",
        arguments: [.v5, .v311] as [BrokerSettings.ProtocolVersion])
    func roundTrip(version: BrokerSettings.ProtocolVersion) async throws {
        try await onThread {
            let broker = try Mosquitto.started()
            let driver = try Driver.connected(broker, id: "a", subscriptions: ["fleet/+/location"]) {
                $0.protocolVersion = version
            }
            let id = try driver.connection.publish(Publication("fleet/T42/location", "here"))
            #expect(driver.connection.unacknowledged == 1)
            try driver.run { $0.messages.count == 1 && $0.events.contains(.published(id: id, .success)) }
            #expect(
                driver.messages == [
                    ReceivedMessage(
                        topic: "fleet/T42/location", payload: Array("here".utf8), qos: .atLeastOnce, retained: false)
                ])
            #expect(driver.connection.unacknowledged == 0)
        }
    }

    @Test("Every QoS arrives, an empty payload too")
    func qualities() async throws {
        try await onThread {
            let broker = try Mosquitto.started()
            let driver = try Driver.connected(broker, id: "a", subscriptions: ["t"])
            var ids: [Int32] = []
            for (qos, text) in [(QoS.atMostOnce, "0"), (.atLeastOnce, ""), (.exactlyOnce, "2")] {
                ids.append(try driver.connection.publish(Publication("t", text, qos: qos)))
            }
            try driver.run { driver in ids.allSatisfy { driver.events.contains(.published(id: $0, .success)) } }
            try driver.run { $0.messages.count == 3 }
            #expect(driver.payloads.sorted() == ["", "0", "2"])
            #expect(driver.connection.unacknowledged == 0)
        }
    }

    @Test("A name with several addresses finds the one that answers")
    func localhost() async throws {
        try await onThread {
            let broker = try Mosquitto.started()
            let driver = try Driver(broker, id: "a") { $0.host = "localhost" }
            driver.connection.connect()
            try driver.run { $0.connection.isConnected }
        }
    }

    @Test("An absent broker is an error at once, and a connection when it appears")
    func absent() async throws {
        try await onThread {
            let broker = try Mosquitto()
            let driver = try Driver(broker, id: "a")
            #expect(attempt(driver)?.code == .systemCall)
            #expect(driver.connection.isIdle)
            try broker.start()
            #expect(attempt(driver) == nil)
            #expect(driver.connection.isConnected)
        }
    }

    @Test("A host that does not exist is an error that names it")
    func unknownHost() async throws {
        try await onThread {
            let driver = try Driver(Mosquitto(), id: "a") { $0.host = "no-such-host.invalid" }
            driver.connection.connect()
            #expect(!driver.connection.isIdle, "connect() has waited for the name service")
            let error = answer(driver)
            #expect(error?.code == .nameNotResolved && error?.message.contains("no-such-host.invalid") == true)
        }
    }

    @Test("A broker that accepts and says nothing is given up in time")
    func silent() async throws {
        try await onThread {
            let broker = try Mosquitto.started()
            broker.signal(SIGSTOP)
            defer { broker.signal(SIGCONT) }
            let driver = try Driver(broker, id: "a") { $0.connectTimeout = .milliseconds(300) }
            #expect(attempt(driver)?.code == .timedOut)
            broker.signal(SIGCONT)
            #expect(attempt(driver) == nil)
        }
    }

    @Test(
        "A broker killed in the middle is noticed; what it had not acknowledged goes to the next one, and it is subscribed again"
    )
    func killed() async throws {
        try await onThread {
            let broker = try Mosquitto.started()
            let driver = try Driver.connected(broker, id: "a", subscriptions: ["t"])
            broker.signal(SIGSTOP)
            let id = try driver.connection.publish(Publication("other", "under way"))
            driver.linger(.milliseconds(50))
            broker.signal(SIGKILL)
            try driver.run { $0.connection.isIdle }
            #expect(driver.events.contains { if case .lost = $0 { true } else { false } })
            let error = #expect(throws: BrokerError.self) { try driver.connection.publish(Publication("t", "nowhere")) }
            #expect(error?.code == .notConnected)
            #expect(driver.connection.unacknowledged == 1)

            broker.stop()
            try broker.start()
            #expect(attempt(driver) == nil)
            try driver.run { $0.answered[id] != nil && $0.grants == ["t", "t"] }
            #expect(driver.connection.unacknowledged == 0)
            _ = try driver.connection.publish(Publication("t", "again"))
            try driver.run { $0.payloads == ["again"] }
        }
    }

    @Test(
        "A broker that was restarted still has the session, and what came for it meanwhile",
        arguments: [.v5, .v311] as [BrokerSettings.ProtocolVersion])
    func restarted(version: BrokerSettings.ProtocolVersion) async throws {
        try await onThread {
            let broker = try Mosquitto.started()
            let driver = try Driver.connected(broker, id: "a", subscriptions: ["t"]) { $0.protocolVersion = version }
            broker.stop()
            try driver.run { $0.connection.isIdle }
            try broker.start()
            let sender = try Driver.connected(broker, id: "sender")
            _ = try sender.connection.publish(Publication("t", "meanwhile"))
            try sender.run { $0.connection.unacknowledged == 0 }

            driver.connection.connect()
            try driver.run { $0.events.contains(.connected(sessionPresent: true)) && $0.payloads == ["meanwhile"] }
        }
    }

    @Test("A broker that falls silent is given up within 10 s")
    func keepAlive() async throws {
        try await onThread {
            let broker = try Mosquitto.started()
            let driver = try Driver.connected(broker, id: "a")
            broker.signal(SIGSTOP)
            defer { broker.signal(SIGCONT) }
            try driver.run(seconds: 10) { $0.connection.isIdle }
            guard case .lost(let error) = driver.events.last else { return #expect(Bool(false), "\(driver.events)") }
            #expect(error.code == .keepAlive)
        }
    }

    @Test("wake() from another thread ends a poll early")
    func wake() async throws {
        try await onThread {
            let driver = try Driver.connected(Mosquitto.started(), id: "a")
            driver.linger(.milliseconds(100))
            let waker = driver.connection.waker
            Thread {
                usleep(50_000)
                waker.wake()
            }.start()
            let elapsed = ContinuousClock().measure { _ = driver.connection.poll(timeout: .seconds(30)) }
            #expect(elapsed < .seconds(15))
            #expect(
                ContinuousClock().measure { _ = driver.connection.poll(timeout: .milliseconds(100)) }
                    > .milliseconds(90))
        }
    }

    @Test("DISCONNECT discards the will; a connection that ends without it publishes it", arguments: [true, false])
    func will(disconnects: Bool) async throws {
        try await onThread {
            let broker = try Mosquitto.started()
            let watcher = try Driver.connected(broker, id: "watcher", subscriptions: ["status"])
            var driver: Driver? = try Driver.connected(broker, id: "a") {
                $0.will = Publication(
                    topic: "status", payload: Array("offline".utf8), expirySeconds: 60, contentType: "text/plain",
                    userProperties: [.init("type", "status")])
            }
            if disconnects { driver?.connection.disconnect() }
            driver = nil
            watcher.linger(.milliseconds(300))
            #expect(watcher.payloads == (disconnects ? [] : ["offline"]))
        }
    }

    @Test(
        "A disconnect with the will has the broker publish it", arguments: [BrokerSettings.ProtocolVersion.v5, .v311])
    func keptWill(version: BrokerSettings.ProtocolVersion) async throws {
        try await onThread {
            let broker = try Mosquitto.started()
            let watcher = try Driver.connected(broker, id: "watcher", subscriptions: ["status"])
            let driver = try Driver.connected(broker, id: "a") {
                $0.protocolVersion = version
                $0.will = Publication("status", "offline")
            }
            driver.connection.disconnect(keepsWill: true)
            watcher.linger(.milliseconds(300))
            #expect(watcher.payloads == ["offline"])
        }
    }

    @Test("What is published at QoS 0 is delivered before DISCONNECT, whatever waits for the broker's answer")
    func publishedBeforeDisconnect() async throws {
        try await onThread {
            let broker = try Mosquitto.started()
            let watcher = try Driver.connected(broker, id: "watcher", subscriptions: ["status"])
            let driver = try Driver.connected(broker, id: "a") { $0.will = Publication("status", "offline") }
            for number in 0..<900 { _ = try driver.connection.publish(Publication("load", "\(number)")) }
            var last = Publication("status", "stopped")
            last.qos = .atMostOnce
            _ = try driver.connection.publish(last)
            driver.connection.disconnect()
            watcher.linger(.milliseconds(300))
            #expect(watcher.payloads == ["stopped"])
        }
    }

    @Test("A disconnect gives up a connection that is not established yet")
    func disconnectBeforeConnack() async throws {
        try await onThread {
            let broker = try Mosquitto.started()
            broker.signal(SIGSTOP)
            defer { broker.signal(SIGCONT) }
            let driver = try Driver(broker, id: "a")
            driver.connection.connect()
            driver.linger(.milliseconds(50))
            #expect(!driver.connection.isIdle && !driver.connection.isConnected)
            driver.connection.disconnect()
            broker.signal(SIGCONT)
            driver.linger(.milliseconds(50))
            #expect(driver.connection.isIdle && driver.events.isEmpty)
        }
    }

    @Test("DISCONNECT is delivered while messages still arrive")
    func disconnectUnderLoad() async throws {
        try await onThread {
            let broker = try Mosquitto.started()
            let watcher = try Driver.connected(broker, id: "watcher", subscriptions: ["status"])
            let sender = try Driver.connected(broker, id: "sender")
            let driver = try Driver.connected(broker, id: "a", subscriptions: ["load"]) {
                $0.will = Publication("status", "offline")
            }
            for number in 0..<900 { _ = try sender.connection.publish(Publication("load", "\(number)")) }
            try sender.run { $0.connection.unacknowledged == 0 }
            _ = try driver.connection.publish(Publication("status", "stopped"))
            driver.connection.disconnect()
            watcher.linger(.milliseconds(300))
            #expect(watcher.payloads == ["stopped"])
        }
    }

    @Test("An end that a flush finds is told before it is time to connect again")
    func endInFlush() async throws {
        try await onThread {
            let broker = try Mosquitto.started()
            let driver = try Driver.connected(broker, id: "flushing")
            broker.stop()
            let deadline = ContinuousClock.now + .seconds(10)
            while driver.connection.isConnected {
                try #require(.now < deadline, "the connection does not end")
                _ = try driver.connection.publish(Publication("t", "1"))
                driver.connection.flush()
                usleep(10_000)
            }
            #expect(!driver.connection.isIdle)
            let events = driver.connection.poll(timeout: .zero)
            #expect(events.contains { if case .lost = $0 { true } else { false } }, "\(events)")
            #expect(driver.connection.isIdle)
        }
    }
}

/// Connects, and says why not.
private func attempt(_ driver: Driver) -> BrokerError? {
    driver.connection.connect()
    return answer(driver)
}

private func answer(_ driver: Driver) -> BrokerError? {
    for _ in 0..<100 {
        for event in driver.connection.poll(timeout: .milliseconds(100)) {
            if case .unreachable(let error) = event { return error }
            if case .connected = event { return nil }
        }
    }
    return nil
}
