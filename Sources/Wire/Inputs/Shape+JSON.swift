import Geo

extension Shape {
    /// What a Feature's geometry encloses, with the `radius` of a Point or the `width` of a LineString.
    init(geometryOf feature: JSONValue, _ properties: FenceProperties) throws(FenceProblem) {
        guard let geometry = feature["geometry"] else {
            throw FenceProblem("geometry", "it is missing; a Point, LineString, Polygon or MultiPolygon would be right")
        }
        let type = geometry["type"]
        var reader = CoordinateReader()
        func coordinates() throws(FenceProblem) -> JSONValue {
            if let coordinates = geometry["coordinates"] { return coordinates }
            throw FenceProblem(CoordinateReader.place, "it is missing; a list of numbers would be right")
        }
        switch type?.string {
        case "Point":
            let center = try CoordinateReader.position(coordinates(), CoordinateReader.place)
            self = .circle(Circle(center: center, radius: try properties.extent("radius", of: "Point")))
        case "LineString":
            let line = try reader.line(coordinates())
            self = .corridor(Corridor(line: line, width: try properties.extent("width", of: "LineString")))
        case "Polygon":
            self = .polygons([try reader.polygon(coordinates(), CoordinateReader.place)])
        case "MultiPolygon":
            self = .polygons(try reader.polygons(coordinates()))
        default:
            throw FenceProblem(
                "geometry.type",
                (type.map { "\($0.shown) is no shape of a fence" } ?? "it is missing")
                    + "; Point, LineString, Polygon or MultiPolygon would be right")
        }
        try requireValidity()
    }

    /// What is wrong with the shape itself, however it was written.
    private func requireValidity() throws(FenceProblem) {
        do throws(ShapeProblem) {
            _ = try validated()
        } catch {
            let place =
                switch error {
                case .radius: "properties.radius"
                case .width: "properties.width"
                default: CoordinateReader.place
                }
            throw FenceProblem(place, "\(error)")
        }
    }
}

extension FenceProperties {
    fileprivate func extent(_ name: StaticString, of geometry: String) throws(FenceProblem) -> Metres {
        if let extent = try length(name) { return extent }
        throw FenceProblem(
            "properties.\(name)",
            "it is missing; a \(geometry) needs one, a number of metres or a text such as \"200 m\"")
    }
}

/// Reads the coordinates of one geometry and counts the vertices, to stop at the limit and not behind a million.
private struct CoordinateReader {
    static let place = "geometry.coordinates"

    private var vertices = 0

    mutating func line(_ value: JSONValue) throws(FenceProblem) -> [Coordinate] {
        let line = try positions(value, Self.place)
        guard line.count >= 2 else {
            throw FenceProblem(Self.place, "\(line.count) positions make no line; two or more would")
        }
        return line
    }

    mutating func polygons(_ value: JSONValue) throws(FenceProblem) -> [Polygon] {
        var polygons: [Polygon] = []
        for element in try Self.list(value, Self.place) {
            polygons.append(try polygon(element, "\(Self.place)[\(polygons.count)]"))
        }
        guard !polygons.isEmpty else {
            throw FenceProblem(Self.place, "it is empty; a list of polygons would be right")
        }
        return polygons
    }

    mutating func polygon(_ value: JSONValue, _ place: String) throws(FenceProblem) -> Polygon {
        var rings: [[Coordinate]] = []
        for element in try Self.list(value, place) {
            rings.append(try ring(element, "\(place)[\(rings.count)]"))
        }
        guard let outer = rings.first else { throw FenceProblem(place, "it is empty; a list of rings would be right") }
        return Polygon(outer: outer, holes: Array(rings.dropFirst()))
    }

    /// Without the last position, which closes it.
    private mutating func ring(_ value: JSONValue, _ place: String) throws(FenceProblem) -> [Coordinate] {
        let ring = try positions(value, place, closing: 1)
        guard ring.count >= 4 else {
            throw FenceProblem(
                place, "\(ring.count) positions make no ring; four would, of which the last is the first again")
        }
        guard ring.first == ring.last else {
            throw FenceProblem(place, "its last position is not its first; a ring that is closed would be right")
        }
        return ring.dropLast()
    }

    /// - Parameter closing: how many of them are no vertices of their own.
    private mutating func positions(
        _ value: JSONValue, _ place: String, closing: Int = 0
    ) throws(FenceProblem) -> [Coordinate] {
        var positions: [Coordinate] = []
        for element in try Self.list(value, place) {
            guard vertices + positions.count < WireLimits.fenceVertices + closing else {
                throw FenceProblem(
                    place, "there are more than \(WireLimits.fenceVertices) vertices; a simpler shape would be right")
            }
            positions.append(try Self.position(element, "\(place)[\(positions.count)]"))
        }
        vertices += positions.count - closing
        return positions
    }

    static func position(_ value: JSONValue, _ place: @autoclosure () -> String) throws(FenceProblem) -> Coordinate {
        guard var numbers = value.elements, let longitude = numbers.next()?.double,
            let latitude = numbers.next()?.double
        else { throw FenceProblem(place(), "\(value.shown) is no position; [longitude, latitude] would be") }
        let position = Coordinate(latitude: latitude, longitude: longitude)
        guard position.isValid else {
            throw FenceProblem(
                place(),
                "[\(longitude), \(latitude)] is not on the earth; longitude (-180 to 180) comes first, then latitude (-90 to 90)"
            )
        }
        return position
    }

    private static func list(_ value: JSONValue, _ place: String) throws(FenceProblem) -> JSONValue.Elements {
        if let elements = value.elements { return elements }
        throw FenceProblem(place, "\(value.shown) is no list; positions stand in one")
    }
}
