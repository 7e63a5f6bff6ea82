import Foundation

/// Files that a command writes.
enum OutputFiles {
    /// - Parameters:
    ///   - outputs: by the option that names each; nil: none is written.
    ///   - inputs: files that the command reads.
    /// - Throws: where one would replace an input, or another output.
    static func require(_ outputs: [(option: String, path: String?)], besides inputs: [String]) throws(CommandError) {
        var known = Dictionary(inputs.map { (resolved($0), "an input") }) { first, _ in first }
        for case (let option, let path?) in outputs where mayBeReplaced(resolved(path)) {
            if let other = known.updateValue("that of \(option)", forKey: resolved(path)) {
                throw CommandError.usage("\(option) \(path): this file is \(other), too; name another one")
            }
        }
    }

    /// Devices and pipes may be named twice.
    private static func mayBeReplaced(_ path: String) -> Bool {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return true }
        return attributes[.type] as? FileAttributeType == .typeRegular
    }

    private static func resolved(_ path: String) -> String { URL(filePath: path).resolvingSymlinksInPath().path }
}
