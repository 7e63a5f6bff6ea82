import Foundation
import Testing

/// A program that a test runs. Its output goes to files; it ends with its owner, at the latest.
final class ChildProcess {
    struct Ending {
        /// What it exited with; nil where a signal ended it.
        var status: Int32?
        /// The largest that it was in memory, in bytes.
        var residentBytesMax: Int
        /// Of processor time, its own and the system's for it: other programs of the machine do not make it more.
        var processorSeconds: Double
    }

    let name: String
    private(set) var pid: pid_t = 0
    private let scratch: Scratch
    private var ending: Ending?
    private var input: FileHandle?

    /// - Parameters:
    ///   - name: of its output files; its program's name otherwise.
    ///   - environment: beside what this process has, without settings for some other gateway.
    ///   - takesInput: whether lines can be sent to it.
    init(
        _ program: String, _ arguments: [String], _ scratch: Scratch, name: String? = nil,
        environment: [String: String] = [:], takesInput: Bool = false
    ) throws {
        self.name = name ?? "\(URL(filePath: program).lastPathComponent)-\(UUID().uuidString.prefix(8))"
        self.scratch = scratch
        // What a child has closed must not end the tests.
        signal(SIGPIPE, SIG_IGN)
        try spawn(program, arguments, environment, standardInput: takesInput ? try openInput() : "/dev/null")
    }

    deinit {
        guard isRunning else { return }
        kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
    }

    /// A named pipe, opened so that from the first moment no other child can hold it: that one's copy of the writing end
    /// would keep this one from seeing its input end.
    private func openInput() throws -> String {
        let path = scratch.path("\(name).in")
        try #require(mkfifo(path, 0o600) == 0)
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0)
        input = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        return path
    }

    private func spawn(
        _ program: String, _ arguments: [String], _ environment: [String: String], standardInput: String
    ) throws {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The thread that spawns may block signals, or ignore them: a child must be told to end all the same.
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var files = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&files)
        defer { posix_spawn_file_actions_destroy(&files) }
        posix_spawn_file_actions_addopen(&files, STDIN_FILENO, standardInput, O_RDONLY, 0)
        for (descriptor, file) in [(STDOUT_FILENO, "\(name).out"), (STDERR_FILENO, "\(name).err")] {
            let flags = O_WRONLY | O_CREAT | O_APPEND
            posix_spawn_file_actions_addopen(&files, descriptor, scratch.path(file), flags, 0o600)
        }
        let inherited = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("HEADROOM_") }
        let variables = inherited.merging(environment) { $1 }.map { "\($0)=\($1)" }
        let code = withCStrings([program] + arguments) { arguments in
            withCStrings(variables) { posix_spawn(&pid, program, &files, &attributes, arguments, $0) }
        }
        try #require(code == 0, "\(program) cannot be started: \(String(cString: strerror(code)))")
    }

    // MARK: While it runs

    var isRunning: Bool {
        look()
        return ending == nil
    }

    var output: String { scratch.text("\(name).out") }
    var errors: String { scratch.text("\(name).err") }
    var outputLines: [String] { output.split(separator: "\n").map(String.init) }

    func send(_ signal: Int32) {
        if isRunning { kill(pid, signal) }
    }

    /// Writes a line to its input.
    func write(line: String) throws {
        try #require(input, "\(name) takes no input").write(contentsOf: Data("\(line)\n".utf8))
    }

    // MARK: Its end

    /// Waits until it has ended.
    func end(within limit: Duration) async throws -> Ending {
        try await eventually(within: limit, "\(name) has not ended: \(errors.suffix(500))") { !self.isRunning }
        return try #require(ending)
    }

    /// Asks it to end, waits for it, and in the end does not ask.
    @discardableResult
    func stop(_ signal: Int32 = SIGTERM, within limit: Duration = .seconds(10)) async throws -> Ending {
        send(signal)
        return try await end(within: limit)
    }

    /// Whether it has ended is known by nobody else: the process is waited for here alone.
    private func look() {
        guard ending == nil, pid > 0 else { return }
        var status: Int32 = 0
        var usage = rusage()
        guard wait4(pid, &status, WNOHANG, &usage) == pid else { return }
        let isExit = status & 0x7F == 0
        ending = Ending(
            status: isExit ? (status >> 8) & 0xFF : nil, residentBytesMax: usage.ru_maxrss * 1024,
            processorSeconds: usage.ru_utime.seconds + usage.ru_stime.seconds)
    }
}

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}

/// Runs a program to its end.
func run(
    _ program: String, _ arguments: [String], _ scratch: Scratch, environment: [String: String] = [:],
    within limit: Duration = .seconds(60)
) async throws -> (status: Int32?, output: String, errors: String, ending: ChildProcess.Ending) {
    let child = try ChildProcess(program, arguments, scratch, environment: environment)
    let ending = try await child.end(within: limit)
    return (ending.status, child.output, child.errors, ending)
}

/// Waits until `condition` holds, and records an issue, and throws, where it does not in time.
///
/// - Parameter limit: for a machine that does nothing else. All tests run at once, beside browsers and brokers: it may take
///   three times as long.
func eventually(
    within limit: Duration, _ problem: @autoclosure () -> String, sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit * 3
    while try await !condition() {
        try #require(ContinuousClock.now < deadline, "within \(limit): \(problem())", sourceLocation: sourceLocation)
        try await Task.sleep(for: .milliseconds(20))
    }
}

private func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    let copies = texts.map { (text: String) in strdup(text) } + [nil]
    defer { copies.forEach { free($0) } }
    return copies.withUnsafeBufferPointer { body($0.baseAddress!) }
}
