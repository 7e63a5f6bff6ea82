import Foundation
import RabbitMQTestSupport
import Synchronization
import Testing

/// A broker of a test's own on the loopback.
final class BrokerProcess {
    enum Kind {
        /// Speaks MQTT 5 and 3.1.1.
        case mosquitto
        /// NATS with JetStream, a broker of other making. Speaks MQTT 3.1.1.
        case nats
        /// RabbitMQ with its MQTT plugin, version 3.10. Speaks MQTT 3.1.1, and sends retained messages to exact topics only.
        case rabbitMQ
    }

    let port: Int
    let kind: Kind
    private let scratch: Scratch
    private let configuration: String
    private var process: ChildProcess?
    /// Erlang's name server, which RabbitMQ needs.
    private var nameServer: ChildProcess?
    /// Where that listens, and where other nodes of a cluster would connect.
    private var rabbitMQPorts = (names: 0, cluster: 0)

    /// - Parameter text: of its configuration; nil: one that lets everybody do everything, and keeps nothing.
    init(_ scratch: Scratch, _ kind: Kind = .mosquitto, port: Int? = nil, configuration text: String? = nil) throws {
        self.scratch = scratch
        self.kind = kind
        self.port = try port ?? LoopbackPort.free()
        configuration = try scratch.write(
            text ?? Self.configuration(kind, port: self.port, scratch), to: "\(kind).conf")
    }

    static func started(_ scratch: Scratch, _ kind: Kind = .mosquitto) async throws -> BrokerProcess {
        let broker = try BrokerProcess(scratch, kind)
        try await broker.start()
        return broker
    }

    private static func configuration(_ kind: Kind, port: Int, _ scratch: Scratch) -> String {
        switch kind {
        case .mosquitto: mosquitto(port: port)
        case .nats:
            """
            server_name: end-to-end
            listen: "127.0.0.1:-1"
            jetstream: {store_dir: "\(scratch.path("jetstream"))"}
            mqtt: {listen: "127.0.0.1:\(port)"}
            """
        case .rabbitMQ:
            """
            listeners.tcp = none
            mqtt.listeners.tcp.1 = 127.0.0.1:\(port)
            mqtt.allow_anonymous = true
            mqtt.prefetch = 1000
            """
        }
    }

    static func mosquitto(port: Int) -> String {
        """
        listener \(port) 127.0.0.1
        allow_anonymous true
        persistence false
        set_tcp_nodelay true
        max_queued_messages 100000
        max_inflight_messages 1000

        """
    }

    var url: String { "mqtt://127.0.0.1:\(port)" }

    func start() async throws {
        let process: ChildProcess
        switch kind {
        case .mosquitto: process = try child("mosquitto")
        case .nats: process = try child("nats-server")
        case .rabbitMQ: process = try await rabbitMQ()
        }
        self.process = process
        let port = port
        // RabbitMQ takes ten seconds on an idle machine, and a minute beside all other end-to-end tests.
        try await eventually(
            within: .seconds(kind == .rabbitMQ ? 180 : 10), "\(process.name) does not listen: \(process.errors)"
        ) {
            LoopbackPort.isTaken(port)
        }
    }

    private func child(_ program: String) throws -> ChildProcess {
        try ChildProcess(Repository.tool(program), ["-c", configuration], scratch, name: program)
    }

    /// Its files, ports and name server are its own, and it listens on the loopback alone.
    private func rabbitMQ() async throws -> ChildProcess {
        if nameServer == nil { rabbitMQPorts = (try LoopbackPort.free(), try LoopbackPort.free()) }
        let (names, cluster) = rabbitMQPorts
        nameServer =
            try nameServer
            ?? ChildProcess(
                Repository.tool("epmd"), ["-port", "\(names)", "-address", RabbitMQFiles.address], scratch, name: "epmd"
            )
        try await eventually(within: .seconds(10), "epmd does not listen") { LoopbackPort.isTaken(names) }
        let files = RabbitMQFiles(
            directory: scratch.directory.path(), node: "end-to-end-\(port)", namesPort: names, clusterPort: cluster)
        return try ChildProcess(
            RabbitMQFiles.program, [], scratch, name: "rabbitmq",
            environment: files.environment(
                configuration: configuration, plugins: try scratch.write("[rabbitmq_mqtt].", to: "plugins")))
    }

    func stop(_ signal: Int32 = SIGTERM) async throws {
        try await process?.stop(signal, within: .seconds(kind == .rabbitMQ ? 60 : 10))
    }

    func send(_ signal: Int32) { process?.send(signal) }

    // MARK: Independent clients

    /// - Parameter options: of every one of them, such as an account.
    func clients(_ options: [String] = []) -> BrokerClients {
        let version = kind == .mosquitto ? "5" : "311"
        return BrokerClients(options: ["-h", "127.0.0.1", "-p", "\(port)", "-V", version] + options, scratch: scratch)
    }

    /// Everything published on `topics`, as it comes.
    func listener(_ topics: [String], qos: Int = 1) async throws -> Listener {
        try await clients().listener(topics, qos: qos)
    }

    /// A `mosquitto_sub -F %j` of everything; its output is the recording.
    func recorder() async throws -> ChildProcess {
        let recorder = try ChildProcess(
            Repository.tool("mosquitto_sub"), clients().options + ["-q", "1", "-F", "%j", "-t", "#"], scratch)
        // The gateway's retained status is the first that it hears.
        try await eventually(within: .seconds(10), "mosquitto_sub hears nothing: \(recorder.errors)") {
            !recorder.output.isEmpty
        }
        return recorder
    }

    /// A client that publishes to one topic, line by line, at QoS 1.
    func speaker(_ topic: String) throws -> ChildProcess { try clients().speaker(topic) }

    /// A client that says nothing and has left a will, retained: once it is killed, the broker carries that out.
    func client(will: String, on topic: String) async throws -> Listener {
        let will = ["--will-topic", topic, "--will-payload", will, "--will-retain", "--will-qos", "1"]
        return try await clients().listener([], more: will)
    }

    /// To have it pause.
    var pid: pid_t? { process?.pid }

    /// Publishes one message and waits for the broker to have it.
    func publish(_ topic: String, _ payload: String, retain: Bool = false) async throws {
        try await clients().publish(topic, payload, retain: retain)
    }
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
