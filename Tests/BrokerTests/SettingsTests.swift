import Broker
import MQTT
import Testing
import ThreadTestSupport

struct SettingsTests {
    /// A setting that is wrong, and what the error must name.
    struct Mistake: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable (inout BrokerSettings) -> Void

        init(_ named: String, _ make: @escaping @Sendable (inout BrokerSettings) -> Void) {
            testDescription = named
            self.make = make
        }
    }

    @Test(
        "Settings that no connection can be made with say what is wrong",
        arguments: [
            Mistake("client id") { $0.clientID = "" },
            Mistake("keep-alive") { $0.keepAliveSeconds = 4 },
            Mistake("port") { $0.port = 0 },
            Mistake("inbox") { $0.inboxLimit = 0 },
            Mistake("no username") { $0.password = Secret("x") },
            Mistake("will") { $0.will = Publication(topic: "t", payload: Array(repeating: 0, count: 65_536)) },
            Mistake("key file") {
                ($0.usesTLS, $0.tls) = (true, .init(caFile: "/etc/hostname", certFile: "/etc/hostname"))
            },
            Mistake("CA file") {
                ($0.usesTLS, $0.tls) = (true, .init(certFile: "/etc/hostname", keyFile: "/etc/hostname"))
            },
            Mistake("/nowhere.pem") { ($0.usesTLS, $0.tls) = (true, .init(caFile: "/nowhere.pem")) },
        ])
    func settings(mistake: Mistake) async throws {
        let error = try await onThread {
            var settings = BrokerSettings()
            mistake.make(&settings)
            let broken = settings
            return #expect(throws: BrokerError.self) { _ = try BrokerConnection(broken) }
        }
        #expect(error?.code == .settings && error?.message.contains(mistake.testDescription) == true)
    }

    @Test("A topic filter is checked before it is used", arguments: ["", "a/#/b", "a+/b", "a\u{1}b"])
    func filter(text: String) {
        #expect(throws: BrokerError.self) { try Subscription(text) }
    }

    @Test("QoS 2 is asked for as QoS 1, which a crash does not lose")
    func exactlyOnce() throws {
        #expect(try Subscription("a/+", .exactlyOnce).qos == .atLeastOnce)
        #expect(try Subscription("a/+", .atMostOnce).qos == .atMostOnce)
    }
}
