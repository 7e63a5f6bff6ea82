import Foundation
import Synchronization
import Testing

/// A Mosquitto of a test's own on the loopback.
final class BrokerProcess {
    let port: Int
    private let scratch: Scratch
    private let configuration: String
    private var process: ChildProcess?

    init(_ scratch: Scratch, port: Int? = nil) throws {
        self.scratch = scratch
        self.port = try port ?? LoopbackPort.free()
        configuration = try scratch.write(
            """
            listener \(self.port) 127.0.0.1
            allow_anonymous true
            persistence false
            set_tcp_nodelay true
            max_queued_messages 100000
            max_inflight_messages 1000
            """, to: "mosquitto.conf")
    }

    static func started(_ scratch: Scratch) async throws -> BrokerProcess {
        let broker = try BrokerProcess(scratch)
        try await broker.start()
        return broker
    }

    var url: String { "mqtt://127.0.0.1:\(port)" }

    func start() async throws {
        let process = try ChildProcess(Repository.tool("mosquitto"), ["-c", configuration], scratch, name: "mosquitto")
        self.process = process
        let port = port
        try await eventually(within: .seconds(10), "mosquitto does not listen: \(process.errors)") {
            LoopbackPort.isTaken(port)
        }
    }

    func stop() async throws { try await process?.stop() }

    // MARK: Independent clients

    /// Everything published on `topics`, as it comes.
    func listener(_ topics: [String], qos: Int = 1) async throws -> Listener {
        let listener = try Listener(self, topics, qos: qos, scratch)
        try await listener.start()
        return listener
    }

    /// A client that publishes to one topic, line by line, at QoS 1.
    func speaker(_ topic: String) throws -> ChildProcess {
        try ChildProcess(
            Repository.tool("mosquitto_pub"), client + ["-q", "1", "-l", "-t", topic], scratch, takesInput: true)
    }

    /// Publishes one message and waits for the broker to have it.
    func publish(_ topic: String, _ payload: String, retain: Bool = false) async throws {
        let file = try scratch.write(payload, to: "payload-\(UUID().uuidString)")
        let arguments = client + ["-q", "1", "-t", topic, "-f", file] + (retain ? ["-r"] : [])
        let pub = try await run(Repository.tool("mosquitto_pub"), arguments, scratch)
        try #require(pub.status == 0, "mosquitto_pub: \(pub.errors)")
    }

    fileprivate var client: [String] { ["-h", "127.0.0.1", "-p", "\(port)", "-V", "5"] }
}

/// A `mosquitto_sub` that writes down what it hears.
final class Listener {
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

    private static let ready = "end-to-end/listener-is-there"
    private let process: ChildProcess
    private let broker: BrokerProcess

    fileprivate init(_ broker: BrokerProcess, _ topics: [String], qos: Int, _ scratch: Scratch) throws {
        self.broker = broker
        let filters = (topics + [Self.ready]).flatMap { ["-t", $0] }
        process = try ChildProcess(
            Repository.tool("mosquitto_sub"), broker.client + ["-q", "\(qos)", "-F", "%U %t %p"] + filters, scratch)
    }

    /// Until a message sent to it has come.
    fileprivate func start() async throws {
        try await eventually(within: .seconds(10), "mosquitto_sub hears nothing: \(process.errors)") {
            try await broker.publish(Self.ready, "yes")
            return process.output.contains(Self.ready)
        }
    }

    /// In the order in which it came.
    var heard: [Heard] {
        process.outputLines.compactMap { line in
            let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 3, let arrival = Double(parts[0]), parts[1] != Self.ready else { return nil }
            return Heard(arrival: arrival, topic: parts[1], payload: parts[2])
        }
    }

    func heard(_ topic: String) -> [Heard] { heard.filter { $0.topic == topic } }
}

/// Ports of the loopback.
enum LoopbackPort {
    /// Below 32,768 the system gives no port to outgoing connections, of which the tests make thousands: one of those would
    /// take a port between its choice and the start of who is to listen there. Two test processes begin apart.
    private static let next = Mutex(20_000 + Int(getpid()) % 120 * 100)

    /// One that nobody listens at and that nobody was given before.
    static func free() throws -> Int {
        for _ in 0..<100 {
            let port = next.withLock { port in
                port += 1
                return port
            }
            if !isTaken(port) { return port }
        }
        throw NoPortFree()
    }

    struct NoPortFree: Error {}

    static func isTaken(_ port: Int) -> Bool {
        guard let descriptor = try? connected(port) else { return false }
        close(descriptor)
        return true
    }

    /// A socket to who listens there.
    static func connected(_ port: Int) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = address(port)
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else {
            close(descriptor)
            throw NobodyListens()
        }
        return descriptor
    }

    struct NobodyListens: Error {}

    private static func address(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        return address
    }
}
