import Foundation

/// The files of this repository.
enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static let catalogue = "Sources/headroom/Headroom.docc"

    /// The README and the articles, relative to the root.
    static let documents: [String] = {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: catalogue).path())) ?? []
        return ["README.md"] + names.filter { $0.hasSuffix(".md") }.sorted().map { "\(catalogue)/\($0)" }
    }()

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).standardizedFileURL.path())
    }

    /// Every file below a folder with that extension, relative to the root.
    static func files(under folder: String, _ suffix: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: root.appending(path: folder).path())?.allObjects ?? []
        return names.compactMap { $0 as? String }.filter { $0.hasSuffix(suffix) }.sorted().map { "\(folder)/\($0)" }
    }
}
