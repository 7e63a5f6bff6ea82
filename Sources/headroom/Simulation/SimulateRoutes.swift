import Evaluation
import Fleet
import Foundation
import Geo
import Messages

/// Trucks with given routes: a GeoJSON file of LineStrings, each with the properties of the truck that drives it.
///
/// `vehicle` (its id) and `speed_mps` are needed; `name`, `height` (none: no profile), `units`, `expect` (stages, in
/// order) and `expect_request` may follow.
struct SimulateRoutes: Decodable {
    fileprivate struct Feature: Decodable {
        var geometry: Geometry
        var properties: Properties
    }

    fileprivate struct Geometry: Decodable {
        var type: String
        var coordinates: [[Double]]
    }

    fileprivate struct Properties: Decodable {
        var vehicle: String
        var name: String?
        var height: String?
        var units: UnitSystem?
        var speed_mps: MetresPerSecond
        var expect: [AlertMessage.Stage]?
        var expect_request: RequestMessage.Kind?
    }

    fileprivate var features: [Feature]

    /// - Parameters:
    ///   - levels: of the topic pattern beside the vehicle's.
    ///   - units: where a truck names none.
    static func trucks(in path: String, levels: [String], units: UnitSystem) throws -> [SimulatedTruck] {
        guard let content = FileManager.default.contents(atPath: path) else {
            throw CommandError.usage("\(path): there is no such file, or it cannot be read")
        }
        do {
            let routes = try JSONDecoder().decode(SimulateRoutes.self, from: content)
            let trucks = try routes.features.enumerated().map { index, feature in
                try feature.truck(levels: levels, units: units, place: "\(path), feature \(index + 1)")
            }
            guard !trucks.isEmpty else { throw CommandError.usage("\(path) holds no route") }
            return trucks
        } catch let error as DecodingError {
            throw CommandError.usage("\(path): \(error.summary)")
        }
    }
}

extension SimulateRoutes.Feature {
    fileprivate func truck(levels: [String], units: UnitSystem, place: String) throws -> SimulatedTruck {
        func require<Value>(_ value: Value?, _ problem: String) throws -> Value {
            guard let value else { throw CommandError.usage("\(place): \(problem)") }
            return value
        }
        let id = try require(
            VehicleID(properties.vehicle),
            "vehicle: expected 1 to 64 characters without + # /, got \"\(properties.vehicle)\"")
        if let height = properties.height {
            _ = try require(
                LengthText.metres(height), "height: expected a length such as 4.1 m or 13'6\", got \"\(height)\"")
        }
        let line = geometry.coordinates.compactMap { pair in
            pair.count >= 2 ? Coordinate(latitude: pair[1], longitude: pair[0]) : nil
        }
        let isLine = geometry.type == "LineString" && line.count == geometry.coordinates.count
        let trip = try require(
            isLine && line.allSatisfy(\.isValid) ? Trip(line: line, speed: properties.speed_mps) : nil,
            "expected a LineString of two or more places and a speed_mps above 0")
        return SimulatedTruck(
            address: VehicleAddress(vehicle: id, levels: levels), name: properties.name ?? id.text,
            height: properties.height, units: properties.units ?? units, trip: trip,
            expectation: properties.expect.map { .init(stages: $0, request: properties.expect_request) })
    }
}

extension DecodingError {
    /// Where in the document, and what is wrong there.
    fileprivate var summary: String {
        let context: Context? =
            switch self {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
                .dataCorrupted(let context):
                context
            @unknown default: nil
            }
        let path = context?.codingPath.map(\.stringValue).joined(separator: ".") ?? ""
        return [path, context?.debugDescription ?? "\(self)"].filter { !$0.isEmpty }.joined(separator: ": ")
    }
}
