import Foundation

/// MapLibre GL JS, with which the page draws its map: two files of a folder outside of the program.
struct MapLibrary: Sendable {
    private static let names = ["maplibre-gl.js", "maplibre-gl.css"]

    let assets: [Asset]

    /// - Parameter folder: need not be there; the page has its lists and no map then.
    init(folder: String) {
        assets = Self.names.compactMap { name in
            let file = URL(filePath: folder).appending(path: name)
            return Asset(contentsOf: file, path: "/assets/maplibre/\(name)")
        }
    }

    var isThere: Bool { assets.count == Self.names.count }
}
