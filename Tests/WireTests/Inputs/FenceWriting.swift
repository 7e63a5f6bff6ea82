import Fleet
import Geo
import Messages

@testable import Wire

/// A suite that writes fences, and what comes of them.
protocol FenceWriting {}

extension FenceWriting {
    /// A ring, and its vertices.
    static var square: String { "[[0,0],[1,0],[1,1],[0,1],[0,0]]" }
    static var squareVertices: [Coordinate] { [at(0, 0), at(0, 1), at(1, 1), at(1, 0)] }

    static func at(_ latitude: Double, _ longitude: Double) -> Coordinate {
        Coordinate(latitude: latitude, longitude: longitude)
    }

    static func feature(_ type: String, _ coordinates: String, _ properties: String = "") -> String {
        #"{"type":"Feature","geometry":{"type":"\#(type)","coordinates":\#(coordinates)},"properties":{\#(properties)}}"#
    }

    /// A circle of 200 m with these properties more.
    static func circle(_ properties: String = "") -> String {
        point("[2,1]", #""radius":200"# + (properties.isEmpty ? "" : "," + properties))
    }

    static func point(_ coordinates: String, _ properties: String = #""radius":200"#) -> String {
        feature("Point", coordinates, properties)
    }

    static func line(_ coordinates: String, _ properties: String = #""width":50"#) -> String {
        feature("LineString", coordinates, properties)
    }

    /// - Parameter rings: without the brackets of their list.
    static func polygon(_ rings: String) -> String { feature("Polygon", "[\(rings)]") }

    static func read(_ payload: String, id: String = "depot-7") throws(GeoJSONError) -> Fence {
        try Fence(geoJSON: Array(payload.utf8), id: id)
    }

    /// Nil: nothing is wrong.
    static func problem(_ payload: String, id: String = "depot-7") -> GeoJSONError? {
        do throws(GeoJSONError) {
            _ = try read(payload, id: id)
            return nil
        } catch {
            return error
        }
    }

    /// Empty: nothing is wrong.
    static func sentence(_ payload: String) -> String { problem(payload)?.description ?? "" }
}
