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

    /// A Feature that is longer than a message may be.
    private static func longLine(last position: String) -> String {
        let positions = String(repeating: "[2.1234567,1.1234567],", count: 15_000) + position
        return #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[\#(positions)]}}"#
    }

    @Test("A line may be longer than a message; a wrong position of it is named")
    func longLines() throws {
        let features = try read("\(Self.line)\n\(Self.longLine(last: "[2,1]"))")
        #expect(features.map(\.points.count) == [2, 15_001])
        #expect(features.last.map { $0.bytes.count > 300 << 10 } == true)
        let error = #expect(throws: FileError.self) { try read("\(Self.line)\n\(Self.longLine(last: "[2,91]"))") }
        #expect(
            error?.reason
                == "feature 2 (line 2): position 15000: "
                + "expected [longitude from -180 to 180, latitude from -90 to 90], got a list")
    }

    @Test("Of a line that is too long is said how long it may be")
    func tooLong() throws {
        let padded = "{\(String(repeating: " ", count: 2 << 20))\(Self.line.dropFirst())"
        let error = #expect(throws: FileError.self) { try read(padded) }
        #expect(error?.reason == "feature 1 (line 1): expected at most 2097152 bytes, got \(padded.utf8.count)")
    }

    @Test("Waypoints are no line")
    func waypoints() throws {
        let error = #expect(throws: FileError.self) { try read(#"{"waypoints":[[2,1]]}"#) }
        #expect(error?.reason == "feature 1 (line 1): expected a LineString Feature, got waypoints")
    }
}
