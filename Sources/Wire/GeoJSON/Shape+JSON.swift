import Geo

extension Shape {
    /// What a Feature's geometry encloses, with the `radius` of a Point or the `width` of a LineString.
    init(geometryOf feature: GeoJSONFeature) throws(GeoJSONError) {
        guard let geometry = feature.geometry else {
            throw GeoJSONError("geometry", expected: "a \(Self.geometries)", got: nil)
        }
        let type = geometry["type"]
        var reader = CoordinateReader()
        func coordinates() throws(GeoJSONError) -> JSONValue {
            if let coordinates = geometry["coordinates"] { return coordinates }
            throw GeoJSONError(CoordinateReader.place, expected: "a list of numbers", got: nil)
        }
        switch type?.string {
        case "Point":
            let center = try CoordinateReader.placeOnEarth(coordinates(), CoordinateReader.place)
            self = .circle(Circle(center: center, radius: try feature.properties.extent("radius")))
        case "LineString":
            let line = try reader.line(coordinates())
            self = .corridor(Corridor(line: line, width: try feature.properties.extent("width")))
        case "Polygon":
            self = .polygons([try reader.polygon(coordinates(), CoordinateReader.place)])
        case "MultiPolygon":
            self = .polygons(try reader.polygons(coordinates()))
        default:
            throw GeoJSONError("geometry.type", expected: Self.geometries, got: type?.shown)
        }
        try requireValidity()
    }

    private static let geometries = "Point, LineString, Polygon or MultiPolygon"

    /// What is wrong with the shape itself, however it was written.
    private func requireValidity() throws(GeoJSONError) {
        do throws(ShapeError) {
            _ = try validated()
        } catch {
            switch error {
            case .radius(let metres): throw Self.extentError("radius", metres)
            case .width(let metres): throw Self.extentError("width", metres)
            default: throw GeoJSONError(CoordinateReader.place, "\(error)")
            }
        }
    }

    private static func extentError(_ name: String, _ metres: Metres) -> GeoJSONError {
        GeoJSONError(
            "properties.\(name)", expected: "a length over 0 and up to \(Int(extentMax)) m", got: "\(metres) m")
    }
}
