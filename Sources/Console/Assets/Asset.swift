import Foundation
import Messages

/// A static file of the page, read once.
struct Asset: Sendable {
    /// In a URL.
    let path: String
    let contentType: String
    let bytes: [UInt8]
    /// Nil where they are better sent as they are.
    let gzip: [UInt8]?
    let tag: EntityTag

    /// Nil where it cannot be read, or is of a kind that pages are not made of.
    init?(contentsOf file: URL, path: String) {
        guard let contentType = Self.contentTypes[file.pathExtension.lowercased()],
            let data = FileManager.default.contents(atPath: file.path())
        else { return nil }
        let isCompressed = contentType.hasPrefix("image/png") || contentType == "font/woff2"
        self.init(Array(data), contentType, path: path, isCompressed: isCompressed)
    }

    private init(_ bytes: [UInt8], _ contentType: String, path: String, isCompressed: Bool) {
        (self.path, self.contentType, self.bytes) = (path, contentType, bytes)
        gzip = isCompressed ? nil : Gzip.compressed(bytes)
        tag = EntityTag(of: bytes)
    }

    /// The texts of the page in the cab, a file for each language.
    static let cabTexts = Language.allCases.map { language in
        let texts = Dictionary(uniqueKeysWithValues: TextTable.table(language).map { ($0.rawValue, $1) })
        let encoder = JSONEncoder()
        // Equal texts have an equal tag.
        encoder.outputFormatting = .sortedKeys
        guard let data = try? encoder.encode(texts) else { preconditionFailure("texts are JSON") }
        return Asset(Array(data), "application/json", path: "/cab/texts/\(language.rawValue).json", isCompressed: false)
    }

    private static let contentTypes = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
        "svg": "image/svg+xml", "png": "image/png", "ico": "image/vnd.microsoft.icon", "json": "application/json",
        "webmanifest": "application/manifest+json", "woff2": "font/woff2",
    ]

    /// All files of a folder, `index.html` as `/` and others by their path in it.
    static func all(in folder: URL) -> [Asset] {
        let names = FileManager.default.enumerator(atPath: folder.path())?.compactMap { $0 as? String } ?? []
        return names.sorted().compactMap { name in
            Asset(contentsOf: folder.appending(path: name), path: name == "index.html" ? "/" : "/\(name)")
        }
    }
}
