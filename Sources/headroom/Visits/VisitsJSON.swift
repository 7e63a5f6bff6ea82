import Foundation
import Geo

/// How visits and overlaps become JSON.
enum VisitsJSON {
    static func text(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else {
            preconditionFailure("finite numbers and texts can always be encoded")
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// Each with the places that it is about: one is a Point, several are a MultiPoint.
    static func collection<Properties: Encodable>(_ features: [([Coordinate], Properties)]) -> String {
        text(Collection(features: features.map { Feature(geometry: Geometry(places: $0), properties: $1) }))
    }

    private struct Collection<Properties: Encodable>: Encodable {
        var type = "FeatureCollection"
        var features: [Feature<Properties>]
    }

    private struct Feature<Properties: Encodable>: Encodable {
        var type = "Feature"
        var geometry: Geometry
        var properties: Properties
    }

    private struct Geometry: Encodable {
        private enum CodingKeys: CodingKey {
            case type, coordinates
        }

        let places: [Coordinate]

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            let pairs = places.map { [$0.longitude, $0.latitude] }
            if pairs.count == 1 {
                try container.encode("Point", forKey: .type)
                try container.encode(pairs[0], forKey: .coordinates)
            } else {
                try container.encode("MultiPoint", forKey: .type)
                try container.encode(pairs, forKey: .coordinates)
            }
        }
    }
}
