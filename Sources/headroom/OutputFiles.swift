import Foundation

/// Files that a command writes.
enum OutputFiles {
    /// - Parameters:
    ///   - outputs: by the option that names each; nil: none is written.
    ///   - inputs: files that the command reads.
    /// - Throws: where one would replace an input, or another output.
    static func require(_ outputs: [(option: String, path: String?)], besides inputs: [String]) throws(CommandError) {
        var known = Dictionary(inputs.map { (resolved($0), "an input") }) { first, _ in first }
        for case (let option, let path?) in outputs where isFile(path) {
            if let other = known.updateValue("that of \(option)", forKey: resolved(path)) {
                throw CommandError.usage("\(option) \(path): this file is \(other), too; name another one")
            }
        }
    }

    /// Devices and pipes may be named twice: nothing replaces them.
    private static func isFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    }

    private static func resolved(_ path: String) -> String { URL(filePath: path).resolvingSymlinksInPath().path }
}
