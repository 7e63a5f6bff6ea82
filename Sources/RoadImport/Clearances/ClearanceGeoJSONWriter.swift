public import Clearances
internal import Foundation
import Geo
import Roads

/// Writes clearances as a FeatureCollection, one Feature a line, as `roads build` and the gateway read them.
public enum ClearanceGeoJSON {
    public static func bytes(_ clearances: [PointClearance]) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var bytes = Array("{\"type\":\"FeatureCollection\",\"features\":[\n".utf8)
        for (index, clearance) in clearances.enumerated() {
            if index > 0 { bytes += ",\n".utf8 }
            do {
                bytes += try encoder.encode(Feature(clearance))
            } catch {
                preconditionFailure("a clearance of texts and finite numbers can be encoded: \(error)")
            }
        }
        return bytes + Array("\n]}\n".utf8)
    }

    private struct Feature: Encodable {
        struct Point: Encodable {
            var type = "Point"
            var coordinates: [Double]
        }

        struct Properties: Encodable {
            var clearance: String
            var name: String?
            var road: String?
            var approach: [Double]?
            var passage: PointClearance.Passage?
            var detours: [[Double]]?
            var source: String
            var date: String?
        }

        var type = "Feature"
        var id: String
        var geometry: Point
        var properties: Properties

        init(_ clearance: PointClearance) {
            func unlessEmpty<T: Collection>(_ value: T) -> T? { value.isEmpty ? nil : value }
            id = clearance.id
            geometry = Point(coordinates: [clearance.position.longitude, clearance.position.latitude])
            properties = Properties(
                clearance: clearance.posted, name: unlessEmpty(clearance.name), road: unlessEmpty(clearance.road),
                approach: unlessEmpty(clearance.approach), passage: clearance.passage,
                detours: unlessEmpty(clearance.detours.map { [$0.longitude, $0.latitude] }),
                source: clearance.source, date: unlessEmpty(clearance.date))
        }
    }
}
