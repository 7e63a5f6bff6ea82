import Foundation
import Testing

/// Mosquitto's own clients, which speak to a broker all in the same way.
struct BrokerClients {
    /// Where the broker is, the version of MQTT, an account.
    let options: [String]
    let scratch: Scratch

    /// Everything published on `topics`, as it comes.
    ///
    /// - Parameters:
    ///   - sign: a topic that it may hear and `herald` may speak on: it is there once a message there has come.
    ///   - herald: nil: these clients themselves.
    ///   - more: further options of `mosquitto_sub`.
    func listener(
        _ topics: [String], qos: Int = 1, sign: String = "end-to-end/listener-is-there",
        herald: BrokerClients? = nil, more: [String] = []
    ) async throws -> Listener {
        let listener = try Listener(self, topics, qos: qos, sign: sign, more)
        try await listener.start(herald ?? self)
        return listener
    }

    /// A client that publishes to one topic, line by line, at QoS 1.
    func speaker(_ topic: String) throws -> ChildProcess {
        try ChildProcess(
            Repository.tool("mosquitto_pub"), options + ["-q", "1", "-l", "-t", topic], scratch, takesInput: true)
    }

    /// Publishes one message and waits for the broker to have it.
    func publish(_ topic: String, _ payload: String, retain: Bool = false, more: [String] = []) async throws {
        let pub = try await published(topic, payload, retain: retain, more: more)
        try #require(pub.status == 0 && pub.errors.isEmpty, "mosquitto_pub: \(pub.errors)")
    }

    /// What `mosquitto_pub` exits with and says: under MQTT 5 it says that it was refused, and exits with 0.
    func published(
        _ topic: String, _ payload: String, retain: Bool = false, more: [String] = []
    ) async throws -> (status: Int32?, errors: String) {
        let file = try scratch.write(payload, to: "payload-\(UUID().uuidString)")
        let arguments = options + ["-q", "1", "-t", topic, "-f", file] + (retain ? ["-r"] : []) + more
        let pub = try await run(Repository.tool("mosquitto_pub"), arguments, scratch)
        return (pub.status, pub.errors)
    }
}

/// A `mosquitto_sub` that writes down what it hears.
final class Listener {
    private static let greeting = "the-listener-is-there"

    struct Heard {
        /// Seconds since 1970 at which it came.
        var arrival: Double
        var topic: String
        var payload: String

        /// Nil where the payload is no JSON object.
        var object: [String: Any]? {
            (try? JSONSerialization.jsonObject(with: Data(payload.utf8))) as? [String: Any]
        }
    }

    private let process: ChildProcess
    private let sign: String

    fileprivate init(
        _ clients: BrokerClients, _ topics: [String], qos: Int, sign: String, _ more: [String]
    ) throws {
        self.sign = sign
        let filters = (topics + [sign]).flatMap { ["-t", $0] }
        process = try ChildProcess(
            Repository.tool("mosquitto_sub"), clients.options + more + ["-q", "\(qos)", "-F", "%U %t %p"] + filters,
            clients.scratch)
    }

    /// Until a message sent to it has come.
    fileprivate func start(_ herald: BrokerClients) async throws {
        try await eventually(within: .seconds(10), "mosquitto_sub hears nothing: \(process.errors)") {
            try await herald.publish(sign, Self.greeting)
            return process.output.contains("\(sign) \(Self.greeting)")
        }
    }

    /// Ends it without a word to the broker.
    func kill() async throws { try await process.stop(SIGKILL) }

    /// In the order in which it came.
    var heard: [Heard] {
        process.outputLines.compactMap { line in
            let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 3, let arrival = Double(parts[0]), parts[2] != Self.greeting else { return nil }
            return Heard(arrival: arrival, topic: parts[1], payload: parts[2])
        }
    }

    func heard(_ topic: String) -> [Heard] { heard.filter { $0.topic == topic } }
}
