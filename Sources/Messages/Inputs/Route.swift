public import Geo

/// Where a vehicle is bound, as it or its dispatch says.
public enum Route: Hashable, Sendable, Codable {
    /// The way itself, as a routing engine gives it; at least two points.
    case line([Coordinate])
    /// Places to come by, in order; the last, which may be the only one, is the destination.
    case waypoints([Coordinate])
}
