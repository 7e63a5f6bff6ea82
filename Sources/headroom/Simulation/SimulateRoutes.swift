import Evaluation
import Fleet
import Foundation
import Geo
import Messages
import RoadImport

/// Trucks with given routes: a GeoJSON file of LineStrings, each with the properties of the truck that drives it.
///
/// `vehicle` (its id) and `speed_mps` are needed; `name`, `height` (none: no profile), `units`, `expect` (stages, in
/// order) and `expect_request` may follow.
enum SimulateRoutes {
    fileprivate struct Feature: Decodable {
        var properties: Properties
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

    /// - Parameters:
    ///   - levels: of the topic pattern beside the vehicle's.
    ///   - units: where a truck names none.
    static func trucks(in path: String, levels: [String], units: UnitSystem) throws -> [SimulatedTruck] {
        try LineFile.features(path).map { feature in
            let place = "\(path): \(feature.place)"
            do {
                let properties = try JSONDecoder().decode(Feature.self, from: Data(feature.bytes)).properties
                return try properties.truck(along: feature.points, levels: levels, units: units, place: place)
            } catch let error as DecodingError {
                throw CommandError.failed("\(place): \(error.summary)")
            }
        }
    }
}

extension SimulateRoutes.Properties {
    fileprivate func truck(
        along line: [Coordinate], levels: [String], units: UnitSystem, place: String
    ) throws -> SimulatedTruck {
        func require<Value>(_ value: Value?, _ problem: String) throws -> Value {
            guard let value else { throw CommandError.failed("\(place): \(problem)") }
            return value
        }
        let id = try require(
            VehicleID(vehicle), "vehicle: expected 1 to 64 characters without + # /, got \"\(vehicle)\"")
        if let height {
            _ = try require(
                LengthText.metres(height), "height: expected a length such as 4.1 m or 13'6\", got \"\(height)\"")
        }
        let trip = try require(
            Trip(line: line, speed: speed_mps),
            "expected two or more different places and a speed_mps above 0, got a speed_mps of \(speed_mps)")
        return SimulatedTruck(
            address: VehicleAddress(vehicle: id, levels: levels), name: name ?? id.text, height: height,
            units: self.units ?? units, trip: trip,
            expectation: expect.map { .init(stages: $0, request: expect_request) })
    }
}

extension DecodingError {
    /// Which member is wrong, what was expected there and what stands there.
    fileprivate var summary: String {
        switch self {
        case .keyNotFound(let key, let context): Self.text(context.codingPath + [key], "expected a value, got nothing")
        case .valueNotFound(let type, let context):
            Self.text(context.codingPath, "expected \(Self.name(of: type)), got null")
        case .typeMismatch(let type, let context):
            Self.text(context.codingPath, "expected \(Self.name(of: type)), got something else")
        case .dataCorrupted(let context): Self.text(context.codingPath, context.debugDescription)
        @unknown default: "\(self)"
        }
    }

    private static func text(_ path: [any CodingKey], _ problem: String) -> String {
        "\(path.map(\.stringValue).joined(separator: ".")): \(problem)"
    }

    private static func name(of type: Any.Type) -> String {
        if type == String.self { return "a text" }
        return type is any Numeric.Type ? "a number" : "a value of another type"
    }
}
