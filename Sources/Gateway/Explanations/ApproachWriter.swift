import Clearances
import Foundation
import Geo
package import Roads

/// Writes approaches for programs.
package struct ApproachWriter {
    private let network: RoadNetwork

    package init(network: RoadNetwork) { self.network = network }

    /// One object on one line.
    package func json(_ approach: Approach) -> String { encode(Line(approach, network)) }

    package func geoJSON(_ approaches: [Approach]) -> String {
        encode(FeatureCollection(features: approaches.flatMap(features)))
    }

    private func encode(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else {
            preconditionFailure("finite numbers and texts can always be encoded")
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// The detour as a line, and clearance, detour point and alert point as points.
    private func features(_ approach: Approach) -> [Feature] {
        let line = Line(approach, network)
        var features = [Feature("clearance", .point(network.clearance(approach.hazard.structures[0]).position), line)]
        if let detour = approach.detour {
            features.append(Feature("detour", .point(network.coordinate(detour.junction)), line))
            let way = detour.edges.flatMap(network.line)
            features.append(Feature("detour-line", .line(way), line))
        }
        if let alert = approach.alert { features.append(Feature("alert", .point(alert.position), line)) }
        return features
    }
}

// The objects as they are written: member names are the contract's.

private struct Line: Encodable {
    struct Clearance: Encodable {
        var id: String
        @Null var height: Double?
        var posted: String
        var source: String
        var name: String
        var lat: Double
        var lon: Double
    }

    struct Entry: Encodable {
        var way: Int64
        var from_node: Int64
        var to_node: Int64
    }

    struct Detour: Encodable {
        var node: Int64
        var lat: Double
        var lon: Double
        var from_way: Int64
        var leave_way: Int64
        @Null var turn_onto: String?
        var distance_to_entry: Double
        var length: Double
        var extra: Double
        var turnaround: Bool?
        var shorter: Bool?
    }

    struct Alert: Encodable {
        var lat: Double
        var lon: Double
        var distance_to_entry: Double
        var truncated: Bool?
    }

    var clearance: Clearance
    var entry: Entry
    var `public`: Bool
    var chain: [String]
    @Null var detour: Detour?
    @Null var alert: Alert?

    init(_ approach: Approach, _ network: RoadNetwork) {
        let hazard = approach.hazard
        clearance = Clearance(network.clearance(hazard.structures[0]))
        let key = network.key(hazard.entry)
        entry = Entry(way: key.way, from_node: key.from, to_node: key.to)
        `public` = hazard.isPublic
        chain = hazard.structures.map { network.clearance($0).id }
        detour = approach.detour.map { Detour($0, network) }
        alert = approach.alert.map {
            Alert(
                lat: $0.position.latitude.rounded(7), lon: $0.position.longitude.rounded(7),
                distance_to_entry: $0.distanceToEntry.rounded(1), truncated: $0.isTruncated ? true : nil)
        }
    }
}

extension Line.Clearance {
    init(_ clearance: Clearance) {
        let limit: Double? = if case .limit(let limit) = clearance.reading { Double(limit) / 100 } else { nil }
        self.init(
            id: clearance.id, height: limit, posted: clearance.posted, source: clearance.source, name: clearance.name,
            lat: clearance.position.latitude.rounded(7), lon: clearance.position.longitude.rounded(7))
    }
}

extension Line.Detour {
    init(_ point: DetourPoint, _ network: RoadNetwork) {
        let position = network.coordinate(point.junction)
        self.init(
            node: network.osmID(point.junction), lat: position.latitude, lon: position.longitude,
            from_way: network.wayID(point.arriving), leave_way: network.wayID(point.turnOff),
            turn_onto: network.title(point.turnOff), distance_to_entry: point.distanceToEntry.rounded(1),
            length: point.length.rounded(1), extra: point.extra.rounded(1),
            turnaround: point.isTurnaround ? true : nil, shorter: point.hasShorterWay ? true : nil)
    }
}

/// Written as `null` where there is nothing, instead of being left out.
@propertyWrapper
private struct Null<Value: Encodable>: Encodable {
    var wrappedValue: Value?

    // Without `init()`: a property that is set in no initialiser would be a mistake.
    init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}

private struct FeatureCollection: Encodable {
    var type = "FeatureCollection"
    var features: [Feature]
}

private struct Feature: Encodable {
    enum Geometry: Encodable {
        case point(Coordinate)
        case line([Coordinate])

        private enum CodingKeys: CodingKey {
            case type, coordinates
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            func pair(_ point: Coordinate) -> [Double] { [point.longitude.rounded(7), point.latitude.rounded(7)] }
            switch self {
            case .point(let point):
                try container.encode("Point", forKey: .type)
                try container.encode(pair(point), forKey: .coordinates)
            case .line(let line):
                try container.encode("LineString", forKey: .type)
                try container.encode(line.map(pair), forKey: .coordinates)
            }
        }
    }

    struct Properties: Encodable {
        var kind: String
        var approach: Line
    }

    var type = "Feature"
    var geometry: Geometry
    var properties: Properties

    init(_ kind: String, _ geometry: Geometry, _ line: Line) {
        self.geometry = geometry
        properties = Properties(kind: kind, approach: line)
    }
}

extension Double {
    fileprivate func rounded(_ decimals: Int) -> Double {
        let scale = decimals == 1 ? 10.0 : 1e7
        return (self * scale).rounded() / scale
    }
}
