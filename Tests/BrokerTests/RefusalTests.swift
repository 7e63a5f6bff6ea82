import Broker
import Foundation
import Testing
import ThreadTestSupport

@Suite(.serialized)
struct RefusalTests {
    @Test("A session that was taken over is told from a lost connection, and told once")
    func takenOver() async throws {
        try await onThread {
            // CONNACK without properties, then DISCONNECT with 0x8E: MQTT 5 §3.2 and §3.14.
            let peer = try ScriptedPeer(answering: [0x20, 3, 0, 0, 0, 0xE0, 2, 0x8E, 0])
            let driver = try Driver(port: peer.port, id: "a")
            driver.connection.connect()
            try driver.run { !$0.events.isEmpty && $0.connection.isIdle }
            driver.linger(.milliseconds(50))
            #expect(driver.events == [.connected(sessionPresent: false), .disconnected(.sessionTakenOver)])
            #expect("\(ReasonCode.sessionTakenOver)" == "0x8E Session taken over")
        }
    }

    @Test(
        "A wrong password is refused with the same reason in both versions",
        arguments: [.v5, .v311] as [BrokerSettings.ProtocolVersion])
    func password(version: BrokerSettings.ProtocolVersion) async throws {
        try await onThread {
            let broker = try Mosquitto(general: ["allow_anonymous false", "password_file $DIR/passwords"])
            let file = broker.directory.appending(path: "passwords").path()
            _ = try Mosquitto.output(of: "mosquitto_passwd", ["-b", "-c", file, "truck", "right"])
            try broker.start()

            let wrong = try Driver(broker, id: "a") {
                ($0.username, $0.password, $0.protocolVersion) = ("truck", Secret("wrong"), version)
            }
            wrong.connection.connect()
            try wrong.run { $0.connection.isIdle }
            #expect(wrong.events.count == 1)
            guard case .refused(let reason) = wrong.events.first else { return #expect(Bool(false), "\(wrong.events)") }
            #expect(reason == .notAuthorized || reason == .badUsernameOrPassword)

            let right = try Driver(broker, id: "a") {
                ($0.username, $0.password, $0.protocolVersion) = ("truck", Secret("right"), version)
            }
            right.connection.connect()
            try right.run { $0.connection.isConnected }
        }
    }

    @Test("A broker that shuts down says so, or the connection is lost")
    func shutDown() async throws {
        try await onThread {
            let broker = try Mosquitto.started()
            let driver = try Driver.connected(broker, id: "a")
            broker.stop()
            try driver.run { $0.connection.isIdle }
            #expect(driver.events.last == .disconnected(.serverShuttingDown) || driver.events.last.map(isLoss) == true)
        }
    }
}

private func isLoss(_ event: BrokerEvent) -> Bool {
    if case .lost = event { true } else { false }
}
