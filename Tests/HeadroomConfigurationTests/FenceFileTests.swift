import Fleet
import Geo
import Messages
import Testing

@testable import Gateway

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
        let folder = try SettingsFolder()
        let paths = try contents.enumerated().map { index, content in try folder.write(content, to: "\(index)") }
        do {
            var read = try FenceFile.read(paths)
            for index in read.rejects.indices {
                read.rejects[index].file = folder.shortened(read.rejects[index].file)
                read.rejects[index].message = folder.shortened(read.rejects[index].message)
            }
            return read
        } catch let error as FenceFileError {
            throw FenceFileError(path: folder.shortened(error.path), reason: error.reason)
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
            read.rejects.map { String($0.message.prefix { $0 != ";" }) } == [
                "properties.radius: the radius is 0.0 m", "geometry: it is missing", "id: it is missing",
                "this is a list", "this is not JSON", "properties.dwell: \"long\" is no duration",
            ])
        #expect(
            read.rejects.first?.description
                == "1:4: b: properties.radius: the radius is 0.0 m; it must be over 0 and at most 1000000 m")
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
                "0:4: a: id: \"a\" stands on line 3 of 0 already; the fence on line 4 needs another",
                "1:1: b: properties.radius: the radius is 0.0 m; it must be over 0 and at most 1000000 m",
                "1:3: b: id: \"b\" stands on line 5 of 0 already; the fence on line 3 needs another",
            ])
    }

    @Test(
        "A file of another kind is an error with its path",
        arguments: [
            ("", "is not GeoJSON (line 1)"), ("lat,lon\n1,2\n", "is not GeoJSON (line 1)"),
            ("[1]", "is not GeoJSON (line 1)"),
            ("{\"type\":\"FeatureCollection\",\n\"features\":[{}", "is not GeoJSON (line 2)"),
            ("\n{\"a\":1}", "is no GeoJSON with Features (line 2: type: it is missing; \"Feature\" would be right)"),
            (
                "{\"type\":\"Topology\"}",
                "is no GeoJSON with Features (line 1: type: \"Topology\" is no fence; \"Feature\" would be right)"
            ),
        ])
    func otherKinds(content: String, reason: String) {
        #expect(throws: FenceFileError(path: "0", reason: reason)) { try read(content) }
    }

    @Test("A file that is not there is an error")
    func missing() {
        #expect(throws: (any Error).self) { try FenceFile.read(["/nowhere/fences.geojson"]) }
    }
}
