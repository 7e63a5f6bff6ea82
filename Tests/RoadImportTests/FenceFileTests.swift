import Geo
import Messages
import Testing

@testable import RoadImport

@Suite("Fences from files")
struct FenceFileTests {
    private static func circle(_ id: String, _ properties: String = "\"radius\":200") -> String {
        #"{"type":"Feature","id":"\#(id)","geometry":{"type":"Point","coordinates":[2,1]},"properties":{\#(properties)}}"#
    }

    private static func collection(_ features: String...) -> String {
        "{\"type\":\"FeatureCollection\",\n\"features\":[\n" + features.joined(separator: ",\n") + "\n]}\n"
    }

    /// Reads files of these contents, which are called `0`, `1`, … in what comes back.
    private func read(_ contents: String...) throws -> (fences: [Fence], rejects: [FenceReject]) {
        let folder = try TemporaryDirectory()
        let paths = try contents.enumerated().map { index, content in try folder.write(content, to: "\(index)") }
        do {
            var read = try FenceFile.read(paths)
            for index in read.rejects.indices {
                read.rejects[index].file = folder.shortened(read.rejects[index].file)
                read.rejects[index].message = folder.shortened(read.rejects[index].message)
            }
            return read
        } catch {
            throw FileError(path: folder.shortened(error.path), reason: error.reason)
        }
    }

    @Test("A collection, a lone Feature and Features one a line are all read, in their order")
    func layouts() throws {
        let read = try read(
            Self.collection(Self.circle("b"), Self.circle("a")), Self.circle("c"),
            Self.circle("e") + "\n\u{1E}" + Self.circle("d") + "\n", "{\"type\":\"FeatureCollection\",\"features\":[]}")
        #expect(read.fences.map(\.id) == ["b", "a", "c", "e", "d"])
        #expect(read.rejects == [])
    }

    @Test("No file is no fence")
    func nothing() throws {
        #expect(try FenceFile.read([]).fences == [])
    }

    @Test("A bad Feature is a reject with file, line, id and reason; the others are used")
    func rejects() throws {
        let read = try read(
            Self.circle("x"),
            Self.collection(
                Self.circle("a"), Self.circle("b", "\"radius\":0"),
                #"{"type":"Feature","geometry":null,"properties":{"id":7}}"#, #"{"type":"Feature","geometry":{}}"#,
                "[1]",
                Self.circle("c", "\"radius\":NaN"), Self.circle("d", "\"radius\":1,\n\"dwell\":\"long\""),
                Self.circle("e")))
        #expect(read.fences.map(\.id) == ["x", "a", "e"])
        #expect(read.rejects.allSatisfy { $0.file == "1" })
        #expect(read.rejects.map(\.line) == [4, 5, 6, 7, 8, 9])
        #expect(read.rejects.map(\.id) == ["b", "7", nil, nil, nil, "d"])
        #expect(
            read.rejects.map { String($0.message.prefix { $0 != "," }) } == [
                "properties.radius: expected a length over 0 and up to 1000000 m", "geometry: expected a Point",
                "id: expected a text or a number", "expected a GeoJSON Feature", "expected a GeoJSON Feature",
                "properties.dwell: expected a duration such as 300 or \"5 min\"",
            ])
        #expect(
            read.rejects.first?.description
                == "1:4: b: properties.radius: expected a length over 0 and up to 1000000 m, got 0.0 m")
    }

    @Test("Of two fences of one id the first stays, and the reject names both lines")
    func sameID() throws {
        let read = try read(
            Self.collection(Self.circle("a"), Self.circle("a", "\"radius\":9"), Self.circle("b")),
            Self.circle("b", "\"radius\":0") + "\n\n" + Self.circle("b"))
        #expect(read.fences.map(\.id) == ["a", "b"])
        #expect(read.fences.first?.shape == .circle(.init(center: .init(latitude: 1, longitude: 2), radius: 200)))
        #expect(
            read.rejects.map(\.description) == [
                "0:4: a: id: expected an id of its own, got \"a\", which line 3 of 0 has already",
                "1:1: b: properties.radius: expected a length over 0 and up to 1000000 m, got 0.0 m",
                "1:3: b: id: expected an id of its own, got \"b\", which line 5 of 0 has already",
            ])
    }

    private static let notGeoJSON = "expected GeoJSON: FeatureCollections or Features, one after another"

    @Test(
        "A file of another kind is an error with its path",
        arguments: [
            ("", "line 1: \(notGeoJSON)"), ("lat,lon\n1,2\n", "line 1: \(notGeoJSON)"),
            ("[1]", "line 1: \(notGeoJSON)"),
            ("{\"type\":\"FeatureCollection\",\n\"features\":[{}", "line 2: \(notGeoJSON)"),
            ("\n{\"a\":1}", "line 2: type: expected \"Feature\", got nothing"),
            (
                "{\"type\":\"Topology\"}",
                "line 1: type: expected \"Feature\", got \"Topology\""
            ),
        ])
    func otherKinds(content: String, reason: String) {
        #expect(throws: FileError(path: "0", reason: reason)) { try read(content) }
    }

    @Test("A file that is not there is an error")
    func missing() {
        #expect(throws: (any Error).self) { try FenceFile.read(["/nowhere/fences.geojson"]) }
    }
}

extension TemporaryDirectory {
    /// Without the folder's path.
    fileprivate func shortened(_ text: String) -> String { text.replacing(path + "/", with: "") }
}
