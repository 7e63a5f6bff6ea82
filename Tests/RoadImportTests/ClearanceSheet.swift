import Clearances
import Foundation
import RoadImport
import Roads

/// Clearance files written for one test and read back.
enum ClearanceSheet {
    /// - Parameter files: the content of each, read in this order.
    static func read(_ files: String..., as format: ClearanceFormat? = nil) throws -> ClearanceCollection {
        var collection = ClearanceCollection()
        for content in files { try read(Array(content.utf8), as: format, into: &collection) }
        return collection
    }

    static func read(_ bytes: [UInt8]) throws -> ClearanceCollection {
        var collection = ClearanceCollection()
        try read(bytes, as: nil, into: &collection)
        return collection
    }

    private static func read(
        _ bytes: [UInt8], as format: ClearanceFormat?, into collection: inout ClearanceCollection
    ) throws {
        try withFile(bytes) { try ClearanceFile.read($0, as: format, into: &collection) }
    }

    static func withFile<Result>(_ content: [UInt8], _ body: (String) throws -> Result) throws -> Result {
        let url = FileManager.default.temporaryDirectory.appending(path: "clearances-\(UUID().uuidString)")
        try Data(content).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        return try body(url.path)
    }
}

extension ClearanceCollection {
    /// The reasons of the rejects, in the order of the rows.
    var reasons: [ClearanceRejection] { rejects.map(\.reason) }
    /// Ids and texts, as in `nbi:54-1=4.95`.
    var values: [String] { clearances.map { "\($0.id)=\($0.posted)" } }
}
