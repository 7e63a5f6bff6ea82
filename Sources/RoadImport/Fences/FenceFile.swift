import Hashing
package import Messages
import Wire

/// A fence in a file that was not used, and where it stands.
package struct FenceReject: Hashable, Sendable, CustomStringConvertible {
    package var file: String
    /// From 1: where the Feature begins.
    package var line: Int
    /// Nil: it says none that can be read.
    package var id: String?
    /// Where in the Feature what was expected and what was got.
    package var message: String

    package var description: String { "\(file):\(line): \(id.map { "\($0): " } ?? "")\(message)" }
}

/// Reads fences from GeoJSON files.
package enum FenceFile {
    /// All fences of some files, in the order in which they stand. Each is read as one that comes by topic.
    ///
    /// Files hold FeatureCollections or Features, one after another. A bad Feature is a reject, and so is one whose id is
    /// taken: which of two was meant is not for a program to guess, and the first stays.
    ///
    /// - Throws: `FileError` where a file cannot be opened or is not GeoJSON.
    package static func read(_ paths: [String]) throws(FileError) -> (fences: [Fence], rejects: [FenceReject]) {
        var collection = FenceCollection()
        for path in paths { try collection.read(path) }
        return (collection.fences, collection.rejects)
    }
}

/// What was read so far.
private struct FenceCollection {
    private(set) var fences: [Fence] = []
    private(set) var rejects: [FenceReject] = []
    /// Where the fence of an id stands.
    private var places: [BytewiseText: (file: String, line: Int)] = [:]

    mutating func read(_ path: String) throws(FileError) {
        try GeoJSONFile(MappedFile(path), path: path).read { bytes, line in
            do throws(GeoJSONError) {
                try take(try Fence(geoJSON: bytes), path, line)
                return nil
            } catch {
                let id = GeoJSONFeatureReader().id(bytes)
                rejects.append(FenceReject(file: path, line: line, id: id, message: "\(error)"))
                return error
            }
        }
    }

    private mutating func take(_ fence: Fence, _ path: String, _ line: Int) throws(GeoJSONError) {
        if let place = places[fence.$id] {
            throw GeoJSONError(
                "id",
                "expected an id of its own, got \"\(fence.id)\", which line \(place.line) of \(place.file) has already")
        }
        places[fence.$id] = (path, line)
        fences.append(fence)
    }
}
