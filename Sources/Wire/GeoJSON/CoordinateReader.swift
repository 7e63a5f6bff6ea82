import Geo

/// Reads the coordinates of one geometry and counts the vertices, to stop at the limit and not behind a million.
struct CoordinateReader {
    static let place = "geometry.coordinates"

    private var vertices = 0

    mutating func line(_ value: JSONValue) throws(GeoJSONError) -> [Coordinate] {
        let line = try positions(value, Self.place)
        guard line.count >= 2 else {
            throw GeoJSONError(Self.place, expected: "two or more positions", got: "\(line.count)")
        }
        return line
    }

    mutating func polygons(_ value: JSONValue) throws(GeoJSONError) -> [Polygon] {
        var polygons: [Polygon] = []
        for element in try Self.list(value, Self.place) {
            polygons.append(try polygon(element, "\(Self.place)[\(polygons.count)]"))
        }
        guard !polygons.isEmpty else {
            throw GeoJSONError(Self.place, expected: "a list of polygons", got: "an empty list")
        }
        return polygons
    }

    mutating func polygon(_ value: JSONValue, _ place: String) throws(GeoJSONError) -> Polygon {
        var rings: [[Coordinate]] = []
        for element in try Self.list(value, place) {
            rings.append(try ring(element, "\(place)[\(rings.count)]"))
        }
        guard let outer = rings.first else {
            throw GeoJSONError(place, expected: "a list of rings", got: "an empty list")
        }
        return Polygon(outer: outer, holes: Array(rings.dropFirst()))
    }

    /// Without the last position, which closes it.
    private mutating func ring(_ value: JSONValue, _ place: String) throws(GeoJSONError) -> [Coordinate] {
        let ring = try positions(value, place, closing: 1)
        guard ring.count >= 4, let first = ring.first, let last = ring.last else {
            throw GeoJSONError(
                place, expected: "four or more positions, the last the same as the first", got: "\(ring.count)")
        }
        guard first == last else {
            throw GeoJSONError(
                place, expected: "the first position \(Self.shown(first)) again as the last", got: Self.shown(last))
        }
        return ring.dropLast()
    }

    /// - Parameter closing: how many of them are no vertices of their own.
    private mutating func positions(
        _ value: JSONValue, _ place: String, closing: Int = 0
    ) throws(GeoJSONError) -> [Coordinate] {
        var positions: [Coordinate] = []
        for element in try Self.list(value, place) {
            guard vertices + positions.count < WireLimits.fenceVertices + closing else {
                throw GeoJSONError(place, expected: "at most \(WireLimits.fenceVertices) vertices", got: "more")
            }
            positions.append(try Self.placeOnEarth(element, "\(place)[\(positions.count)]"))
        }
        vertices += positions.count - closing
        return positions
    }

    /// A position within the ranges of latitude and longitude.
    static func placeOnEarth(
        _ value: JSONValue, _ place: @autoclosure () -> String
    ) throws(GeoJSONError) -> Coordinate {
        let position = try position(value, place())
        guard position.isValid else { throw outOfRange(position, place()) }
        return position
    }

    /// `[longitude, latitude]`, perhaps with a height above the sea, which says nothing here.
    static func position(_ value: JSONValue, _ place: @autoclosure () -> String) throws(GeoJSONError) -> Coordinate {
        guard var numbers = value.elements, let longitude = numbers.next()?.double,
            let latitude = numbers.next()?.double
        else { throw GeoJSONError(place(), expected: "[longitude, latitude]", got: value.shown) }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    static func outOfRange(_ position: Coordinate, _ place: String) -> GeoJSONError {
        GeoJSONError(
            place, expected: "longitude from -180 to 180, then latitude from -90 to 90", got: shown(position))
    }

    private static func shown(_ position: Coordinate) -> String { "[\(position.longitude), \(position.latitude)]" }

    static func list(_ value: JSONValue, _ place: String) throws(GeoJSONError) -> JSONValue.Elements {
        if let elements = value.elements { return elements }
        throw GeoJSONError(place, expected: "a list of positions", got: value.shown)
    }
}
