import Fleet
public import Messages
import RoadImport
import Wire

/// A fence in a file that was not used, and where it stands.
public struct FenceReject: Hashable, Sendable, CustomStringConvertible {
    public var file: String
    /// From 1: where the Feature begins.
    public var line: Int
    /// Nil: it says none that can be read.
    public var id: String?
    /// What is wrong, where in the Feature, and what would be right.
    public var message: String

    public var description: String { "\(file):\(line): \(id.map { "\($0): " } ?? "")\(message)" }
}

/// Why a fence file could not be read at all.
public struct FenceFileError: Error, Hashable, Sendable, CustomStringConvertible {
    public var path: String
    public var reason: String

    public var description: String { "\(path): \(reason)" }
}

/// Reads fences from GeoJSON files.
public enum FenceFile {
    /// All fences of some files, in the order in which they stand. Each is read as one that comes by topic.
    ///
    /// Files hold FeatureCollections or Features, one after another. A bad Feature is a reject, and so is one whose id is
    /// taken: which of two was meant is not for a program to guess, and the first stays.
    ///
    /// - Throws: `FenceFileError` where a file is no GeoJSON, `FileError` where it cannot be opened.
    public static func read(_ paths: [String]) throws -> (fences: [Fence], rejects: [FenceReject]) {
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
    private var places: [String: (file: String, line: Int)] = [:]

    mutating func read(_ path: String) throws {
        let file = try MappedFile(path)
        for found in try Self.features(file, path) {
            let bytes = Array(file.bytes[found.bytes])
            do throws(FenceProblem) {
                try take(try Fence(geoJSON: bytes), path, found.line)
            } catch {
                // A lone object of another type is a file of another kind.
                if found.isAlone, error.place == "type" {
                    throw FenceFileError(
                        path: path, reason: "is no GeoJSON with Features (line \(found.line): \(error))")
                }
                let id = Fence.id(inGeoJSON: bytes)
                rejects.append(FenceReject(file: path, line: found.line, id: id, message: "\(error)"))
            }
        }
    }

    private mutating func take(_ fence: Fence, _ path: String, _ line: Int) throws(FenceProblem) {
        if let place = places[fence.id] {
            throw FenceProblem(
                "id",
                "\"\(fence.id)\" stands on line \(place.line) of \(place.file) already; the fence on line \(line) needs another"
            )
        }
        places[fence.id] = (path, line)
        fences.append(fence)
    }

    private static func features(
        _ file: MappedFile, _ path: String
    ) throws(FenceFileError) -> [GeoJSONFeatureScanner.Found] {
        var scanner = GeoJSONFeatureScanner(file.bytes)
        do throws(GeoJSONFeatureScanner.Malformed) {
            return try scanner.features()
        } catch {
            throw FenceFileError(path: path, reason: "is not GeoJSON (line \(error.line))")
        }
    }
}
