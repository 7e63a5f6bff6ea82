import Geo
import Messages

extension Route {
    /// A GeoJSON LineString Feature, or `waypoints`. A bare LineString, and a FeatureCollection whose first
    /// Feature is one, are what some routing engines answer.
    init(json object: JSONValue) throws(InputError) {
        guard object.isObject else { throw object.notAnObject() }
        if let waypoints = object["waypoints"] {
            let points = try waypoints.positions(atMost: WireLimits.waypoints)
            guard !points.isEmpty else {
                throw waypoints.refused(.unreadableRoute, at: "waypoints", expected: "one position or more")
            }
            self = .waypoints(points)
        } else {
            let points = try object.lineString(depth: 0).positions(atMost: WireLimits.routePoints)
            guard points.count >= 2 else {
                throw object.refused(.unreadableRoute, at: "coordinates", expected: "two positions or more")
            }
            self = .line(points)
        }
    }
}

extension JSONValue {
    /// The coordinates of the one LineString in a GeoJSON object.
    fileprivate func lineString(depth: Int) throws(InputError) -> JSONValue {
        // A collection, its feature, the feature's geometry.
        guard depth < 3 else { throw refused(.unreadableRoute, at: "geometry", expected: "a LineString") }
        let expected = depth == 0 ? "a LineString Feature, or waypoints" : "a LineString"
        switch self["type"]?.string {
        case "LineString":
            guard let coordinates = self["coordinates"] else {
                throw missing("coordinates", expected: "a list of positions")
            }
            return coordinates
        case "Feature":
            guard let geometry = self["geometry"] else { throw missing("geometry", expected: "a LineString") }
            return try geometry.lineString(depth: depth + 1)
        case "FeatureCollection":
            guard let features = self["features"]?.elements else {
                throw missing("features", expected: "a list with a LineString Feature")
            }
            for feature in features { return try feature.lineString(depth: depth + 1) }
            throw note.note(
                .unreadableRoute, ReadingProblem("expected a LineString Feature", at: "features", got: "none"))
        case nil: throw missing("type", expected: expected)
        default: throw (self["type"] ?? self).refused(.unreadableRoute, at: "type", expected: expected)
        }
    }

    /// GeoJSON positions: longitude, latitude, and perhaps an altitude.
    fileprivate func positions(atMost limit: Int) throws(InputError) -> [Coordinate] {
        guard let elements else { throw refused(.wrongType, at: "coordinates", expected: "a list of positions") }
        var positions: [Coordinate] = []
        for element in elements {
            guard positions.count < limit else {
                throw note.note(
                    .tooLarge, ReadingProblem("expected at most \(limit) positions", at: "coordinates", got: "more"))
            }
            do throws(InputError) {
                positions.append(try element.position())
            } catch {
                throw element.refused(
                    error, at: "position \(positions.count)",
                    expected: "[longitude from -180 to 180, latitude from -90 to 90]")
            }
        }
        return positions
    }

    private func position() throws(InputError) -> Coordinate {
        guard var numbers = elements else { throw .wrongType }
        guard let longitude = numbers.next(), let latitude = numbers.next() else { throw .missingField }
        guard let longitude = longitude.double, let latitude = latitude.double else { throw .wrongType }
        let position = Coordinate(latitude: latitude, longitude: longitude)
        guard position.isValid else { throw .outOfRange }
        return position
    }
}
