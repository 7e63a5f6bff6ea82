import Broker
import Foundation
import MQTT
import Testing
import ThreadTestSupport

@Suite(.serialized)
struct TLSTests {
    @Test("3,000 messages come through TLS complete and in order, through an inbox of 50")
    func roundTrip() async throws {
        try await onThread {
            let broker = try encryptedBroker()
            let count = 3_000
            let driver = try Driver.connected(broker, id: "a", subscriptions: ["t"]) {
                ($0.host, $0.usesTLS, $0.tls, $0.inboxLimit) = ("localhost", true, trust(in: broker), 50)
            }
            let text = String(repeating: "x", count: 300)
            var sent = 0
            while driver.messages.count < count {
                while sent < count, driver.connection.unacknowledged < 900 {
                    _ = try driver.connection.publish(Publication("t", "\(sent) \(text)"))
                    sent += 1
                }
                let before = driver.messages.count
                try driver.run { $0.messages.count > before }
            }
            #expect(driver.payloads == (0..<count).map { "\($0) \(text)" })
            driver.connection.disconnect()
        }
    }

    @Test("What OpenSSL has decrypted is not left lying when the socket is silent")
    func decrypted() async throws {
        try await onThread {
            let count = 1_000
            let peer = try EncryptedPeer()
            let driver = try Driver(port: peer.port, id: "a") {
                ($0.host, $0.usesTLS, $0.tls) = ("localhost", true, .init(caFile: peer.certificate))
            }
            driver.connection.connect()
            // A peer that is told too early says it to the dialer.
            driver.linger(.milliseconds(300), flushing: false)
            // CONNACK, then PUBLISHes of QoS 1 to "t": MQTT 5 §3.2 and §3.3. All of them fit into one TLS record.
            let messages = (1...count).flatMap { (id: Int) -> [UInt8] in
                [0x32, 7, 0, 1, 0x74, UInt8(id >> 8), UInt8(id & 0xFF), 0, 0x78]
            }
            peer.say([0x20, 3, 0, 0, 0] + messages)
            try driver.run(flushing: false) { $0.messages.count == count }
        }
    }

    @Test("An unknown authority and a wrong name are refused, and the error says TLS", arguments: [true, false])
    func untrusted(wrongName: Bool) async throws {
        try await onThread {
            let broker = try encryptedBroker(name: wrongName ? "elsewhere.example" : "localhost")
            let driver = try Driver(broker, id: "a") {
                ($0.host, $0.usesTLS, $0.tls) = (
                    "localhost", true, wrongName ? trust(in: broker) : BrokerSettings.TLS()
                )
            }
            driver.connection.connect()
            try driver.run { $0.connection.isIdle }
            guard case .unreachable(let error) = driver.events.last, driver.events.count == 1 else {
                return #expect(Bool(false), "\(driver.events)")
            }
            #expect(error.code == .tls && error.message.contains("certificate verify failed"))
        }
    }

    @Test("A port that does not speak TLS is given up before the deadline")
    func plainPort() async throws {
        try await onThread {
            let encrypted = try encryptedBroker()
            let plain = try Mosquitto.started()
            let driver = try Driver(plain, id: "a") { ($0.usesTLS, $0.tls) = (true, trust(in: encrypted)) }
            driver.connection.connect()
            let elapsed = try ContinuousClock().measure { try driver.run { $0.connection.isIdle } }
            #expect(driver.events.contains { if case .unreachable = $0 { true } else { false } })
            #expect(elapsed < .seconds(5))
        }
    }

    @Test("A connection that is reset inside the handshake is given up at once")
    func reset() async throws {
        try await onThread {
            let encrypted = try encryptedBroker()
            let peer = try ScriptedPeer(answering: [], thenResetting: true)
            let driver = try Driver(port: peer.port, id: "a") { ($0.usesTLS, $0.tls) = (true, trust(in: encrypted)) }
            driver.connection.connect()
            try driver.run(seconds: 2) { $0.connection.isIdle }
            guard case .unreachable = driver.events.last else { return #expect(Bool(false), "\(driver.events)") }
        }
    }

    @Test("A client certificate is shown when the broker asks for one", arguments: [true, false])
    func clientCertificate(shown: Bool) async throws {
        try await onThread {
            let broker = try encryptedBroker(listener: ["require_certificate true"])
            let driver = try Driver(broker, id: "a") {
                ($0.host, $0.usesTLS, $0.tls) = ("localhost", true, trust(in: broker))
                guard shown else { return }
                $0.tls.certFile = broker.directory.appending(path: "server.pem").path()
                $0.tls.keyFile = broker.directory.appending(path: "server.key").path()
            }
            driver.connection.connect()
            try driver.run { shown ? $0.connection.isConnected : $0.connection.isIdle }
            guard !shown else { return }
            try expectNotAccepted(driver, "certificate where it asks for one")
        }
    }

    @Test("Without TLS on a port that wants it, the error names the URL's scheme and promises no kept session")
    func encryptedPort() async throws {
        try await onThread {
            let driver = try Driver(encryptedBroker(), id: "a") { $0.host = "localhost" }
            driver.connection.connect()
            try driver.run { $0.connection.isIdle }
            try expectNotAccepted(driver, "mqtt or mqtts")
        }
    }

    private func expectNotAccepted(_ driver: Driver, _ advice: String) throws {
        guard case .unreachable(let error) = driver.events.last else {
            return #expect(Bool(false), "\(driver.events)")
        }
        #expect(error.code == .notAccepted && error.remedy.contains(advice), "\(error)")
    }
}

private func trust(in broker: Mosquitto) -> BrokerSettings.TLS {
    .init(caFile: broker.directory.appending(path: "server.pem").path())
}

private func encryptedBroker(name: String = "localhost", listener: [String] = []) throws -> Mosquitto {
    let broker = try Mosquitto(
        listener: ["cafile $DIR/server.pem", "certfile $DIR/server.pem", "keyfile $DIR/server.key"] + listener)
    try makeCertificate(for: name, in: broker.directory)
    try broker.start()
    return broker
}

/// `server.pem`, which is its own authority, and `server.key`.
private func makeCertificate(for name: String, in directory: URL) throws {
    _ = try Mosquitto.output(
        of: "openssl",
        [
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=\(name)",
            "-addext", "subjectAltName=DNS:\(name)", "-keyout", directory.appending(path: "server.key").path(),
            "-out", directory.appending(path: "server.pem").path(),
        ])
}

/// A TLS server that says what it is told, in as few records as it fits into, as brokers other than Mosquitto do.
private final class EncryptedPeer {
    let port: Int
    let certificate: String
    /// Lends its directory and its port; it does not run.
    private let place = try? Mosquitto()
    private let process = Process()
    private let input = Pipe()

    init() throws {
        let place = try #require(place)
        port = place.port
        certificate = place.directory.appending(path: "server.pem").path()
        try makeCertificate(for: "localhost", in: place.directory)
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = [
            "s_server", "-quiet", "-accept", "127.0.0.1:\(port)", "-cert", certificate,
            "-key", place.directory.appending(path: "server.key").path(),
        ]
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        try Mosquitto.waitUntilListening(on: port)
    }

    deinit { kill(process.processIdentifier, SIGKILL) }

    func say(_ bytes: [UInt8]) { try? input.fileHandleForWriting.write(contentsOf: Data(bytes)) }
}
