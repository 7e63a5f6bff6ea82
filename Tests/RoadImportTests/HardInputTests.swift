import Clearances
import Foundation
import Geo
import RoadImport
import Roads
import Testing
import Wire

@Suite("Bad clearances and foreign road files are refused by a message that says what is wrong")
struct HardInputTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private static func feature(_ properties: String, id: String = "\"id\": \"a\",", at place: String = "8.505, 49.5")
        -> String
    {
        """
        {"type": "Feature", \(id) "geometry": {"type": "Point", "coordinates": [\(place)]}, "properties": {\(properties)}}
        """
    }

    // MARK: One feature, as a topic brings it

    private func problem(_ feature: String, id: String = "a") throws -> String {
        try #require(throws: GeoJSONError.self) { try PointClearance(geoJSON: Array(feature.utf8), id: id) }
            .description
    }

    @Test(
        "a feature is kept under its topic's id, which it may repeat or leave out", arguments: ["\"id\": \"a\",", ""])
    func identifier(id: String) throws {
        let clearance = try PointClearance(geoJSON: Array(Self.feature("\"clearance\": 3.2", id: id).utf8), id: "a")
        #expect(clearance.id == "a" && clearance.reading == .limit(320))
        #expect(clearance.position == Coordinate(latitude: 49.5, longitude: 8.505))
    }

    private static let expected = #"expected 1-10 m, as 3.2, "3.2 m" or "10'6\"""#

    @Test(
        "a height that cannot be read or cannot be true is refused, with what is expected and what was got",
        arguments: [
            ("\"clearance\": 0", "0"), ("\"clearance\": 0.0", "0"), ("\"clearance\": \"0 m\"", "\"0 m\""),
            ("\"clearance\": \"0'0\\\"\"", "\"0'0\"\""), ("\"clearance\": -3.2", "-3.2"), ("\"clearance\": 0.5", "0.5"),
            ("\"clearance\": 30", "30"), ("\"clearance\": \"abc\"", "\"abc\""), ("\"clearance\": [3]", "a list"),
        ])
    func height(properties: String, got: String) throws {
        #expect(try problem(Self.feature(properties)) == "properties.clearance: \(Self.expected), got \(got)")
    }

    @Test(
        "no height at all is refused", arguments: ["\"clearance\": null", "\"clearance\": \" \"", "\"name\": \"b\""])
    func missing(properties: String) throws {
        #expect(try problem(Self.feature(properties)) == "properties.clearance: \(Self.expected), got nothing")
    }

    @Test(
        "anything else that is wrong is named too",
        arguments: [
            (feature("\"clearance\": 3", id: "\"id\": \"b\","), "id: expected the topic's id \"a\" or none, got \"b\""),
            (feature("\"clearance\": 3", id: "\"id\": 7,"), "id: expected the topic's id \"a\" or none, got \"7\""),
            (
                feature("\"clearance\": 3", at: "49.5, 95"),
                "geometry.coordinates: expected longitude from -180 to 180, then latitude from -90 to 90, got [49.5, 95.0]"
            ),
            (
                feature("\"clearance\": 3", at: "8.5"),
                "geometry.coordinates: expected [longitude, latitude], got a list"
            ),
            (
                feature("\"clearance\": 3, \"approach\": [400]"),
                "properties.approach: expected a course from 0 to 360, got [400.0]"
            ),
            (
                feature("\"clearance\": 3, \"passage\": \"beside\""),
                "properties.passage: expected \"under\" or \"over\", got \"beside\""
            ),
            (
                #"{"type": "Feature", "geometry": {"type": "LineString", "coordinates": [[1, 2], [3, 4]]}, "properties": {}}"#,
                "geometry.type: expected \"Point\", got \"LineString\""
            ),
            (
                #"{"type": "FeatureCollection", "features": []}"#,
                "type: expected \"Feature\", got \"FeatureCollection\""
            ),
            ("{\"clearance\": 3}", "type: expected \"Feature\", got nothing"),
            ("3.2 m", "expected a GeoJSON Feature, got text that is not JSON"),
            ("{\"type\":", "expected a GeoJSON Feature, got text that is not JSON"),
        ])
    func named(feature: String, message: String) throws { #expect(try problem(feature) == message) }

    // MARK: Files of clearances

    /// Beside the crossing of `OSMText`.
    private func built(_ features: String...) throws -> (file: [UInt8], report: ImportReport) {
        let path = try directory.write(features.joined(separator: "\n"), to: "extra.geojson")
        let osm = try directory.write(OSMText.xml, to: "crossing.osm")
        return try RoadBuild.build([osm], clearances: ClearanceFile.readGeoJSON([path])) { _ in }
    }

    @Test("of two features of one id the first stays; the message says where that stands")
    func duplicate() throws {
        let path = try directory.write(
            [Self.feature("\"clearance\": 3.2"), Self.feature("\"clearance\": 2.8")].joined(separator: "\n"),
            to: "extra.geojson")
        let read = try ClearanceFile.readGeoJSON([path])
        #expect(read.values == ["a=3.2"])
        #expect(read.rejects.map(\.message) == ["id that is taken: a stands at \(path):1 already"])
        #expect(read.rejects.map(\.line) == [2])
    }

    @Test("a height of 0 is rejected with its line; the road file counts it, and the others are in force")
    func zero() throws {
        let built = try built(
            Self.feature("\"clearance\": 0", id: "\"id\": \"b\","), Self.feature("\"clearance\": 3.2"))
        #expect(built.report.clearancesRejected == ["clearance of 0 or less": 1])
        #expect(built.report.clearancesSnapped == 1)
    }

    @Test("a clearance far from any road limits none, and is kept and reported as too far")
    func farAway() throws {
        let built = try built(Self.feature("\"clearance\": 3.2", at: "8.505, 49.51"))
        #expect(built.report.clearancesSnapped == 0)
        #expect(built.report.clearancesUnsnapped == ["too-far": 1])
        #expect(built.report.unsnapped == ["a": .tooFar])
        let network = try RoadNetwork(RoadFileBuffer(built.file))
        let all = (0..<network.clearanceCount).map { ClearanceID($0) }
        let clearance = try #require(all.first { network.clearance($0).id == "a" })
        #expect(network.status(clearance) == .unsnapped)
        #expect(network.limitedEdges.allSatisfy { $0.clearance != clearance })
    }

    @Test("so is one that comes later, with the same reason")
    func farAwayLater() throws {
        let osm = try directory.write(OSMText.xml, to: "crossing.osm")
        var live = LiveClearances(try RoadNetwork(RoadFileBuffer(RoadBuild.build([osm]) { _ in }.file)))
        let far = try PointClearance(
            geoJSON: Array(Self.feature("\"clearance\": 3.2", at: "8.505, 49.51").utf8), id: "a")
        #expect(live.set(far) == .unsnapped(.tooFar))
        #expect(live.network.limitedEdges.allSatisfy { live.network.clearance($0.clearance).id != "a" })
    }

    // MARK: Road files

    @Test("a road file of another version is refused by its path and both versions, with what to do")
    func version() throws {
        let osm = try directory.write(OSMText.xml, to: "crossing.osm")
        var bytes = try RoadBuild.build([osm]) { _ in }.file
        bytes[8] = 1
        let path = try directory.write(bytes, to: "old.roads")
        let error = try #require(throws: FileError.self) { try RoadNetwork.open(path) }
        #expect(
            error.description
                == "\(path): this road file has version 1, this program reads versions 3 and 4; "
                + "build it again with `headroom roads build`")
    }

    @Test("a road file cut off in the middle is refused, not read as far as it goes")
    func cutOff() throws {
        let osm = try directory.write(OSMText.xml, to: "crossing.osm")
        let bytes = try RoadBuild.build([osm]) { _ in }.file
        let path = try directory.write(Array(bytes.prefix(bytes.count / 2)), to: "half.roads")
        let error = try #require(throws: FileError.self) { try RoadNetwork.open(path) }
        #expect(error.description.hasPrefix("\(path): this road file is not as long as it says"))
    }
}
