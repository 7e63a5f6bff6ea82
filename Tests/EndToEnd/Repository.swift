import Foundation

/// What the tests find beside themselves.
enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static let demo = root.appending(path: "config/demo")
    static let demoMap = demo.appending(path: "ann-arbor.osm").path()

    /// Heidelberg, Mannheim and round about; not part of this repository.
    static let rheinNeckar = root.appending(path: "../shared/data/osm/rhein-neckar_de_2016.osm.pbf").standardizedFileURL
        .path()

    /// What the OwnTracks recorder kept of a phone; not part of this repository.
    static let ownTracks = root.appending(path: "../shared/data/mqtt/owntracks-demo-iphone.rec").standardizedFileURL
        .path()

    /// The program under test: `HEADROOM_BINARY`, else what was linked last, for release or to debug: the other one may be of
    /// before the change that is tested.
    static let program: String = {
        if let named = ProcessInfo.processInfo.environment["HEADROOM_BINARY"] { return named }
        let built = ["release", "debug"].map { root.appending(path: ".build/\($0)/headroom").path() }
        return built.max { linkTime($0) < linkTime($1) } ?? built[0]
    }()

    private static func linkTime(_ path: String) -> Date {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.modificationDate] as? Date ?? .distantPast
    }

    static func isThere(_ path: String) -> Bool { FileManager.default.isReadableFile(atPath: path) }

    /// Debian keeps servers in /usr/sbin, where not every account looks.
    static func tool(_ name: String) -> String {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let places = path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin"]
        return places.map { "\($0)/\(name)" }.first(where: isThere) ?? name
    }
}

/// A directory of a test's own, gone with its owner.
final class Scratch {
    let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "headroom-end-to-end-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    func path(_ name: String) -> String { directory.appending(path: name).path() }

    func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: directory.appending(path: name))
        return path(name)
    }

    func text(_ name: String) -> String {
        FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
