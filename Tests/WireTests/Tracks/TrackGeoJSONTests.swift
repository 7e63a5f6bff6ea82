import Foundation
import Geo
import Messages
import Testing

@testable import Wire

@Suite("A track as GeoJSON")
struct TrackGeoJSONTests {
    /// One fix a minute at these longitudes, each a degree north of the one before, the first on the equator.
    private func feature(_ longitudes: [Degrees]) throws -> Feature {
        let fixes = longitudes.enumerated().map { index, longitude in
            Fix(
                position: Coordinate(latitude: Degrees(index), longitude: longitude),
                time: Timestamp(milliseconds: Int64(index) * 60_000), accuracy: 5, speed: 10, course: 90,
                altitude: 100 * Metres(index))
        }
        let vehicle = try #require(VehicleID("T42"))
        return try Feature(TrackFormat.geojson.document(of: vehicle, fixes))
    }

    private struct Feature {
        var type: String
        var lines: [[[Double]]]
        var times: [String]
        var speeds: [Double?]
        var listCounts: Set<Int>

        init(_ document: [UInt8]) throws {
            let object = try #require(try JSONSerialization.jsonObject(with: Data(document)) as? [String: Any])
            let geometry = try #require(object["geometry"] as? [String: Any])
            let properties = try #require(object["properties"] as? [String: Any])
            type = try #require(geometry["type"] as? String)
            switch geometry["coordinates"] {
            case let lines as [[[Double]]]: self.lines = lines
            case let line as [[Double]]: lines = [line]
            case let point as [Double]: lines = [[point]]
            default: lines = []
            }
            times = try #require(properties["times"] as? [String])
            speeds = try #require(properties["speeds"] as? [Any]).map { $0 as? Double }
            let lists = ["times", "accuracies", "speeds", "courses"].map { properties[$0] as? [Any] }
            listCounts = Set(lists.map { $0?.count ?? -1 })
        }
    }

    @Test("A track that crosses the antimeridian is cut there, and each part ends on it")
    func crossing() throws {
        let feature = try feature([178, 179, -178, -177])
        #expect(feature.type == "MultiLineString")
        #expect(
            feature.lines == [
                [[178, 0, 0], [179, 1, 100], [180, 1.3333333, 133.3]],
                [[-180, 1.3333333, 133.3], [-178, 2, 200], [-177, 3, 300]],
            ])
    }

    @Test("The lists have one element for each position; where the track is cut, only the time is known")
    func lists() throws {
        let feature = try feature([179, -179])
        #expect(feature.lines.map(\.count) == [2, 2] && feature.listCounts == [4])
        #expect(
            feature.times == [
                "1970-01-01T00:00:00.000Z", "1970-01-01T00:00:30.000Z", "1970-01-01T00:00:30.000Z",
                "1970-01-01T00:01:00.000Z",
            ])
        #expect(feature.speeds == [10, nil, nil, 10])
    }

    @Test("It is cut as often as it crosses, in either direction")
    func severalCrossings() throws {
        let feature = try feature([-179, 179, -179])
        #expect(feature.lines.map { $0.map { $0[0] } } == [[-179, -180], [180, 179, 180], [-180, -179]])
    }

    @Test(
        "A fix on the antimeridian has the longitude of its part's side, and ends the part without a second position",
        arguments: [
            ([179, 180, -179], [[179, 180], [-180, -179]]), ([179, -180, -179], [[179, 180], [-180, -179]]),
            ([179, -180], [[179, 180]]), ([180, -179], [[-180, -179]]), ([-180, 180, 179], [[180, 180, 179]]),
            ([179, -180, 180, 179], [[179, 180, 180, 179]]), ([-180, 180], [[-180, -180]]),
        ] as [([Degrees], [[Double]])])
    func onTheAntimeridian(longitudes: [Degrees], lines: [[Double]]) throws {
        let feature = try feature(longitudes)
        #expect(feature.lines.map { $0.map { $0[0] } } == lines)
        #expect(feature.type == (lines.count == 1 ? "LineString" : "MultiLineString"))
        #expect(feature.listCounts == [lines.joined().count])
    }

    @Test("A track that crosses the prime meridian is one line")
    func primeMeridian() throws {
        let feature = try feature([-1, 1])
        #expect(feature.type == "LineString" && feature.lines == [[[-1, 0, 0], [1, 1, 100]]])
    }

    @Test("A track of one fix is a point, also on the antimeridian")
    func point() throws {
        let feature = try feature([-180])
        #expect(feature.type == "Point" && feature.lines == [[[-180, 0, 0]]])
    }
}
