import Foundation

/// Where results, messages and progress go: results to standard output, all else to standard error.
enum Terminal {
    static func print(_ text: String) { write(Array("\(text)\n".utf8)) }

    static func print(_ bytes: [UInt8]) { write(bytes + [UInt8(ascii: "\n")]) }

    /// What ends with a line feed of its own. The program ends where it cannot be written.
    static func write(_ bytes: [UInt8]) {
        guard let code = put(bytes, STDOUT_FILENO) else { return }
        // A command that ignores SIGPIPE ends as one that does not: its reader wants no more.
        guard code != EPIPE else { exit(128 + SIGPIPE) }
        error("headroom: cannot write standard output: \(String(cString: strerror(code)))")
        exit(1)
    }

    static func error(_ text: String) { progress("\(text)\n") }

    /// What is no line of its own. There is nowhere to say that it cannot be written.
    static func progress(_ text: String) { _ = put(Array(text.utf8), STDERR_FILENO) }

    /// `FileHandle.write(_:)` ends the program with a crash where it fails.
    ///
    /// - Returns: why not all could be written; nil where it was.
    private static func put(_ bytes: [UInt8], _ descriptor: CInt) -> CInt? {
        bytes.withUnsafeBytes { rest in
            var rest = rest[...]
            while !rest.isEmpty {
                let count = Foundation.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno != EINTR {
                    return errno
                }
            }
            return nil
        }
    }

    /// Has the numbers of standard streams that the caller closed name nothing else: a file that is opened would get one,
    /// and what is printed would be written into it.
    static func reserveClosedStreams() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // For the opposite of its use, which still fails.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    static var showsProgress: Bool { isatty(STDERR_FILENO) == 1 }

    /// - Parameter share: `0 ... 1`; what is beyond is drawn as the nearest of it.
    static func bar(_ share: Double, width: Int) -> String {
        let filled = Int(min(max(share, 0), 1) * Double(width))
        return String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
    }
}

/// A progress bar on a terminal; elsewhere a line now and then, for logs.
struct ProgressBar {
    private static let width = 40
    private static let plainEvery: Duration = .seconds(10)
    private let title: String
    private var shown = -1
    private var nextLine = ContinuousClock.now + ProgressBar.plainEvery

    init(_ title: String) { self.title = title }

    /// - Parameter share: `0 ... 1`; not a number, as 0 of 0 is, where there is nothing to do.
    mutating func update(_ share: Double) {
        guard !share.isNaN else { return }
        let percent = Int(min(max(share, 0), 1) * 100)
        guard percent != shown else { return }
        guard Terminal.showsProgress else { return showPlain(percent) }
        shown = percent
        let bar = Terminal.bar(Double(percent) / 100, width: Self.width)
        Terminal.progress("\r\(title) \(bar) \(percent) %")
    }

    private mutating func showPlain(_ percent: Int) {
        guard ContinuousClock.now >= nextLine else { return }
        shown = percent
        nextLine = .now + Self.plainEvery
        Terminal.error("\(title): \(percent) %")
    }

    func finish() {
        if Terminal.showsProgress && shown >= 0 { Terminal.progress("\n") }
    }
}
