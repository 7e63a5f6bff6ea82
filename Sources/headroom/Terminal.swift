import Foundation

/// Where results, messages and progress go: results to standard output, all else to standard error.
enum Terminal {
    static func print(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }

    static func print(_ bytes: [UInt8]) { FileHandle.standardOutput.write(Data(bytes + [UInt8(ascii: "\n")])) }

    /// What ends with a line feed of its own.
    static func write(_ bytes: [UInt8]) { FileHandle.standardOutput.write(Data(bytes)) }

    static func error(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }

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

    /// - Parameter share: `0 ... 1`.
    mutating func update(_ share: Double) {
        let percent = Int(min(max(share, 0), 1) * 100)
        guard percent != shown else { return }
        guard Terminal.showsProgress else { return showPlain(percent) }
        shown = percent
        let bar = Terminal.bar(Double(percent) / 100, width: Self.width)
        FileHandle.standardError.write(Data("\r\(title) \(bar) \(percent) %".utf8))
    }

    private mutating func showPlain(_ percent: Int) {
        guard ContinuousClock.now >= nextLine else { return }
        shown = percent
        nextLine = .now + Self.plainEvery
        Terminal.error("\(title): \(percent) %")
    }

    func finish() {
        if Terminal.showsProgress && shown >= 0 { FileHandle.standardError.write(Data("\n".utf8)) }
    }
}
