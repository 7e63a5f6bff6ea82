import Testing

@testable import RoadImport

@Suite("Lines from files")
struct LineFileTests {
    private static let line =
        #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[2,1],[2,1.1]]},"properties":{"vehicle":"T1"}}"#
    private static let point =
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[2,1]},"properties":{"vehicle":"T2"}}"#

    private func read(_ content: String) throws -> [LineFile.Feature] {
        let folder = try TemporaryDirectory()
        defer { withExtendedLifetime(folder) {} }
        return try LineFile.features(try folder.write(content, to: "lines.geojson"))
    }

    @Test("Each line is read with its place, and as it stands in the file")
    func lines() throws {
        let collection = "{\"type\":\"FeatureCollection\",\"features\":[\n\(Self.line),\n\(Self.line)]}"
        for content in [collection, "\n\(Self.line)\n\(Self.line)\n"] {
            let read = try read(content)
            #expect(read.map(\.place) == ["feature 1 (line 2)", "feature 2 (line 3)"])
            #expect(read.allSatisfy { $0.points.count == 2 && $0.bytes == Array(Self.line.utf8) })
        }
    }

    @Test("Another geometry is refused with the Feature's place, what was expected and what stands there")
    func points() throws {
        let error = #expect(throws: FileError.self) { try read("\(Self.line)\n\(Self.point)\n\(Self.line)") }
        #expect(error?.reason == #"feature 2 (line 2): type: expected a LineString, got "Point""#)
        #expect(error?.isUnopened == false)
    }
}
