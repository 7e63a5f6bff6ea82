import Foundation

/// Where one RabbitMQ of the tests keeps its files and listens; nothing of it is shared with another one of the machine.
package struct RabbitMQFiles: Sendable {
    package var directory: String
    package var node: String
    /// Of Erlang's name server, which RabbitMQ needs.
    package var namesPort: Int
    /// Where other nodes of a cluster would connect.
    package var clusterPort: Int

    package init(directory: String, node: String, namesPort: Int, clusterPort: Int) {
        (self.directory, self.node) = (directory, node)
        (self.namesPort, self.clusterPort) = (namesPort, clusterPort)
    }

    /// Debian's own /usr/sbin/rabbitmq-server would become another user, to whom nothing here belongs.
    package static let program = "/usr/lib/rabbitmq/bin/rabbitmq-server"
    package static let address = "127.0.0.1"

    /// - Parameters:
    ///   - configuration: the path of rabbitmq.conf.
    ///   - plugins: the path of the file that lists them.
    package func environment(configuration: String, plugins: String) -> [String: String] {
        [
            "HOME": directory, "RABBITMQ_BASE": directory, "RABBITMQ_CONF_ENV_FILE": "/dev/null",
            "RABBITMQ_CONFIG_FILE": configuration, "RABBITMQ_ENABLED_PLUGINS_FILE": plugins,
            "RABBITMQ_MNESIA_BASE": "\(directory)/mnesia", "RABBITMQ_LOG_BASE": "\(directory)/log",
            "RABBITMQ_LOGS": "-", "RABBITMQ_NODENAME": "\(node)@localhost", "RABBITMQ_DIST_PORT": "\(clusterPort)",
            "ERL_EPMD_PORT": "\(namesPort)", "ERL_EPMD_ADDRESS": Self.address,
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "-kernel inet_dist_use_interface {127,0,0,1}",
            // The script then becomes the server, so that the process to be ended is the server's.
            "RUNNING_UNDER_SYSTEMD": "true",
        ]
    }
}

/// A RabbitMQ of the tests' own on the loopback, with the MQTT plugin and the consistent-hash exchange. It ends with the
/// tests, however they end, and its files go with it.
package final class RabbitMQServer: Sendable {
    /// One for all tests: it takes ten seconds to start.
    package static let shared = Result { try RabbitMQServer() }

    /// Runs name server and server until the input ends.
    private static let script = """
        exec 3<&0 </dev/null >>"$1/log.txt" 2>&1
        epmd -port "$2" -address 127.0.0.1 3<&- &
        names=$!
        (read -r line <&3; kill -KILL $$ $names; rm -rf "$1") &
        sleep 1
        exec "$3" 3<&-
        """

    package let amqpPort: Int
    package let mqttPort: Int
    /// AMQP over TLS, to the host localhost.
    package let tlsPort: Int
    /// What vouches for it.
    package let caFile: String
    private let input: Pipe
    private let process: Process
    private let directory: String

    private init() throws {
        directory = "/tmp/headroom-rabbitmq-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let ports = try FreePorts.take(5)
        (amqpPort, mqttPort, tlsPort) = (ports[0], ports[1], ports[4])
        caFile = directory + "/certificate.pem"
        try Self.makeCertificate(caFile, key: directory + "/key.pem")
        let files = RabbitMQFiles(
            directory: directory, node: "tests-\(ports[0])", namesPort: ports[2], clusterPort: ports[3])
        let configuration = """
            listeners.tcp.1 = 127.0.0.1:\(amqpPort)
            mqtt.listeners.tcp.1 = 127.0.0.1:\(mqttPort)
            mqtt.allow_anonymous = true
            mqtt.prefetch = 1000
            listeners.ssl.1 = 127.0.0.1:\(tlsPort)
            ssl_options.certfile = \(caFile)
            ssl_options.keyfile = \(directory)/key.pem
            """
        let paths = (configuration: directory + "/rabbitmq.conf", plugins: directory + "/plugins")
        try configuration.write(toFile: paths.configuration, atomically: false, encoding: .utf8)
        try "[rabbitmq_mqtt, rabbitmq_consistent_hash_exchange]."
            .write(toFile: paths.plugins, atomically: false, encoding: .utf8)
        process = Process()
        input = Pipe()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", Self.script, "sh", directory, "\(ports[2])", RabbitMQFiles.program]
        process.environment = ProcessInfo.processInfo.environment.merging(
            files.environment(configuration: paths.configuration, plugins: paths.plugins)
        ) { $1 }
        process.standardInput = input
        try process.run()
        try waitForStart()
    }

    private static func makeCertificate(_ file: String, key: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj",
            "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", file,
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw NotStarted(description: "openssl makes no certificate") }
    }

    private func waitForStart() throws {
        // Ten seconds on an idle machine.
        for _ in 0..<1_800 {
            let log = (try? String(contentsOfFile: directory + "/log.txt", encoding: .utf8)) ?? ""
            if log.contains("Server startup complete") { return }
            guard process.isRunning else { throw NotStarted(description: log) }
            Thread.sleep(forTimeInterval: 0.1)
        }
        throw NotStarted(description: "RabbitMQ has not started within 180 s")
    }

    package struct NotStarted: Error, CustomStringConvertible {
        package let description: String
    }
}

/// Ports of the loopback that nobody listens at.
enum FreePorts {
    static func take(_ count: Int) throws -> [Int] {
        var sockets: [Int32] = []
        defer { sockets.forEach { close($0) } }
        return try (0..<count).map { _ in
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            sockets.append(descriptor)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let code = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
                }
            }
            guard code else { throw RabbitMQServer.NotStarted(description: "no port is free") }
            return Int(UInt16(bigEndian: address.sin_port))
        }
    }
}
