import Foundation
import PostgreSQL
package import Store
import Synchronization

/// A PostgreSQL server of the tests' own, on a socket in its directory. It ends with the tests, however they end,
/// and its files go with it.
package final class PostgreSQLServer: Sendable {
    /// One for all tests that do not stop it.
    package static let shared = Result { try PostgreSQLServer() }

    private static let programs = "/usr/lib/postgresql/15/bin"
    /// Runs the server until a line comes, which ends it as a crash does, or the input ends.
    ///
    /// Whoever started this may have blocked SIGCHLD, without which the shell's `wait` never ends.
    private static let script = """
        exec 3<&0 >>"$2/log" 2>&1
        (
            if read -r line <&3; then kill -QUIT $$; exit; fi
            kill -INT $$
            while test -e "$2/data/postmaster.pid"; do sleep 0.1; done
            rm -rf "$2"
        ) &
        exec "$1/postgres" -D "$2/data" -k "$2" -c listen_addresses= -c fsync="$3" -c max_connections=200 \
            -c dynamic_shared_memory_type=mmap 3<&-
        """

    private let directory: String
    private let isDurable: Bool
    private let running = Mutex<Running?>(nil)

    private struct Running {
        let process: pid_t
        let input: CInt
    }

    /// - Parameter isDurable: whether a commit waits for the disk, which benchmarks need and tests do not.
    package init(isDurable: Bool = false) throws {
        self.isDurable = isDurable
        directory = "/tmp/headroom-postgres-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        if geteuid() == 0, let user = getpwnam("postgres")?.pointee {
            chown(directory, user.pw_uid, user.pw_gid)
        }
        let setup = try Self.spawn([
            "\(Self.programs)/initdb", "--pgdata=\(directory)/data", "--username=postgres", "--auth=trust", "--no-sync",
            "--encoding=UTF8", "--locale=C.UTF-8",
        ])
        guard Self.wait(for: setup) == 0 else { throw ServerError("initdb fails; is PostgreSQL in \(Self.programs)?") }
        try start()
    }

    deinit { stop(with: "") }

    /// The address of a schema, which is empty at first.
    package func newSchema() throws -> PostgreSQLAddress {
        let schema = "s" + UUID().uuidString.replacing("-", with: "").lowercased()
        try PostgreSQLConnection(url).run("CREATE SCHEMA \(schema)")
        return PostgreSQLAddress("\(url)&options=-csearch_path%3D\(schema)")!
    }

    /// Does what no store does.
    package static func run(_ statements: String, at address: PostgreSQLAddress) throws {
        try PostgreSQLConnection(address.url).run(statements)
    }

    /// Ends the server as a power failure does: without a word to its clients.
    package func crash() { stop(with: "crash\n") }

    /// Starts a server that has crashed, and waits until it answers.
    package func start() throws {
        // Closed in every other child from the first moment: one that held it would keep the server up.
        let path = directory + "/input"
        _ = mkfifo(path, 0o644)
        let input = open(path, O_RDWR | O_CLOEXEC)
        guard input >= 0 else { throw ServerError("no pipe \(path)") }
        let process = try Self.spawn(
            ["/bin/sh", "-c", Self.script, "sh", Self.programs, directory, isDurable ? "on" : "off"],
            input: path)
        running.withLock { $0 = Running(process: process, input: input) }
        while waitpid(process, nil, WNOHANG) == 0 {
            if (try? PostgreSQLConnection(url)) != nil { return }
            Thread.sleep(forTimeInterval: 0.05)
        }
        throw ServerError((try? String(contentsOfFile: directory + "/log", encoding: .utf8)) ?? "it does not start")
    }

    private var url: String { "postgresql://postgres@/postgres?host=\(directory)" }

    private func stop(with line: String) {
        running.withLock { running in
            guard let ended = running.take() else { return }
            _ = write(ended.input, line, line.utf8.count)
            close(ended.input)
            _ = Self.wait(for: ended.process)
        }
    }

    /// Runs a program as a user who may run a server, which root may not.
    private static func spawn(_ arguments: [String], input: String = "/dev/null") throws -> pid_t {
        let user = ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        let all = (geteuid() == 0 ? user : []) + arguments
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The thread that spawns may block signals.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_addopen(&files, 0, input, O_RDONLY, 0)
        for output in [CInt(1), 2] { posix_spawn_file_actions_addopen(&files, output, "/dev/null", O_WRONLY, 0) }
        var texts = all.map { strdup($0) } + [nil]
        defer { texts.forEach { free($0) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, all[0], &files, &attributes, &texts, environ)
        guard code == 0 else { throw ServerError("\(all[0]): \(String(cString: strerror(code)))") }
        return process
    }

    /// - Returns: what `waitpid` says of it; 0: it has succeeded.
    private static func wait(for process: pid_t) -> CInt {
        var status: CInt = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }
}

package struct ServerError: Error, CustomStringConvertible {
    package let description: String
    init(_ description: String) { self.description = description }
}
