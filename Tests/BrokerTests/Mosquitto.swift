import Foundation
import Synchronization
import Testing

/// A real Mosquitto on a free port of the loopback, in a directory of its own. Ends with its owner.
final class Mosquitto {
    let port: Int
    let directory: URL
    private let configuration: URL
    /// 0 while it does not run.
    private var process: pid_t = 0

    /// - Parameters:
    ///   - listener: lines for the listener, such as those for TLS.
    ///   - general: other lines, such as `acl_file` or `password_file`.
    ///   - files: by name, written into `directory`, whose path stands for `$DIR` in lines and files.
    init(listener: [String] = [], general: [String] = ["allow_anonymous true"], files: [String: String] = [:]) throws {
        port = try Self.freePort()
        directory = FileManager.default.temporaryDirectory.appending(path: "broker-tests-\(UUID().uuidString)")
        configuration = directory.appending(path: "mosquitto.conf")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let lines =
            [
                "per_listener_settings false", "user root", "max_queued_messages 100000",
                "max_inflight_messages 1000", "set_tcp_nodelay true", "persistence true",
                "persistence_location $DIR/", "log_dest file $DIR/mosquitto.log",
            ] + general + ["listener \(port) 127.0.0.1"] + listener
        try write(lines.joined(separator: "\n") + "\n", to: "mosquitto.conf")
        for (name, text) in files { try write(text, to: name) }
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(at: directory)
    }

    /// Running, and listening.
    static func started(
        listener: [String] = [], general: [String] = ["allow_anonymous true"], files: [String: String] = [:]
    ) throws -> Mosquitto {
        let broker = try Mosquitto(listener: listener, general: general, files: files)
        try broker.start()
        return broker
    }

    func start() throws {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        // Foundation's `Process` hands down the signal mask of the calling thread, and a SIGTERM would never arrive.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let arguments = ["mosquitto", "-c", configuration.path()].map { (text: String) in strdup(text) } + [nil]
        defer { arguments.forEach { free($0) } }
        try #require(posix_spawn(&process, "/usr/sbin/mosquitto", &files, &attributes, arguments, environ) == 0)
        try Self.waitUntilListening(on: port)
    }

    /// Ends it in good order, if it still runs: its sessions are on disk for the next start.
    func stop() {
        signal(SIGTERM)
        if process > 0 { waitpid(process, nil, 0) }
        process = 0
    }

    func signal(_ signal: Int32) {
        if process > 0 { kill(process, signal) }
    }

    /// What a command line client prints, such as `mosquitto_sub`; waits for it to end.
    static func output(of tool: String, _ arguments: [String]) throws -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/\(tool)")
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    private func write(_ text: String, to name: String) throws {
        let text = text.replacingOccurrences(of: "$DIR", with: directory.path())
        try Data(text.utf8).write(to: directory.appending(path: name))
    }

    // MARK: Ports

    /// Below 32,768 the system gives no port to outgoing connections, which would take one between its choice and the start
    /// of the broker. Two test processes begin apart.
    private static let nextPort = Mutex(20_000 + Int(getpid()) % 120 * 100 + 50)

    private static func freePort() throws -> Int {
        let port = nextPort.withLock { port in
            port += 1
            return port
        }
        return canConnect(to: port) ? try freePort() : port
    }

    static func bindToFreePort(_ descriptor: Int32) throws -> Int {
        var address = loopback(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 ? getsockname(descriptor, $0, &size) : -1
            }
        }
        try #require(code == 0)
        return Int(UInt16(bigEndian: address.sin_port))
    }

    static func waitUntilListening(on port: Int) throws {
        let deadline = ContinuousClock.now + .seconds(5)
        while !canConnect(to: port) {
            try #require(.now < deadline, "nobody listens on port \(port)")
            usleep(10_000)
        }
    }

    private static func canConnect(to port: Int) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = loopback(port: port)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        return address
    }
}
