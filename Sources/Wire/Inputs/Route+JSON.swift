import Fleet
import Geo

extension Route {
    /// Contract §2.3: a GeoJSON LineString Feature, or `waypoints`. A bare LineString, and a FeatureCollection whose first
    /// Feature is one, are what some routing engines answer.
    init(json object: JSONValue) throws(Rejection) {
        guard object.isObject else { throw .wrongType }
        if let waypoints = object["waypoints"] {
            let points = try waypoints.positions(atMost: WireLimits.waypoints)
            guard !points.isEmpty else { throw .unreadableRoute }
            self = .waypoints(points)
        } else {
            let points = try object.lineString(depth: 0).positions(atMost: WireLimits.routePoints)
            guard points.count >= 2 else { throw .unreadableRoute }
            self = .line(points)
        }
    }
}

extension JSONValue {
    /// The coordinates of the one LineString in a GeoJSON object.
    fileprivate func lineString(depth: Int) throws(Rejection) -> JSONValue {
        // A collection, its feature, the feature's geometry.
        guard depth < 3 else { throw .unreadableRoute }
        switch self["type"]?.string {
        case "LineString":
            guard let coordinates = self["coordinates"] else { throw .missingField }
            return coordinates
        case "Feature":
            guard let geometry = self["geometry"] else { throw .missingField }
            return try geometry.lineString(depth: depth + 1)
        case "FeatureCollection":
            guard let features = self["features"]?.elements else { throw .missingField }
            for feature in features { return try feature.lineString(depth: depth + 1) }
            throw .unreadableRoute
        case nil: throw .missingField
        default: throw .unreadableRoute
        }
    }

    /// GeoJSON positions: longitude, latitude, and perhaps an altitude.
    fileprivate func positions(atMost limit: Int) throws(Rejection) -> [Coordinate] {
        guard let elements else { throw .wrongType }
        var positions: [Coordinate] = []
        for element in elements {
            guard positions.count < limit else { throw .tooLarge }
            positions.append(try element.position())
        }
        return positions
    }

    private func position() throws(Rejection) -> Coordinate {
        guard var numbers = elements else { throw .wrongType }
        guard let longitude = numbers.next(), let latitude = numbers.next() else { throw .missingField }
        guard let longitude = longitude.double, let latitude = latitude.double else { throw .wrongType }
        let position = Coordinate(latitude: latitude, longitude: longitude)
        guard position.isValid else { throw .outOfRange }
        return position
    }
}
