public import func Foundation.atan2
public import func Foundation.cos
public import func Foundation.sin

/// A displacement in metres, east and north.
public struct Vector: Hashable, Sendable {
    public var east: Metres
    public var north: Metres

    @inlinable
    public init(east: Metres, north: Metres) {
        self.east = east
        self.north = north
    }

    @inlinable public var length: Metres { (east * east + north * north).squareRoot() }

    /// Clockwise from north, `0 ..< 360`.
    @inlinable public var bearing: Degrees {
        let degrees = atan2(east, north) * (180 / .pi)
        return degrees < 0 ? degrees + 360 : degrees
    }

    /// The components along a course and across it, to its right.
    @inlinable
    public func components(along course: Degrees) -> (along: Metres, across: Metres) {
        let (east, north) = (sin(course * .pi / 180), cos(course * .pi / 180))
        return (self.east * east + self.north * north, self.east * north - self.north * east)
    }

    @inlinable
    public static func - (a: Vector, b: Vector) -> Vector {
        Vector(east: a.east - b.east, north: a.north - b.north)
    }
}

/// The cosine of a latitude, within 3e-16: Taylor's series up to the 22nd power, whose next term is below 1e-19 at a pole.
///
/// Every distance needs one, and the C library's takes three times as long, as it has to work for all angles.
@inlinable
func latitudeCosine(_ latitude: Degrees) -> Double {
    let radians = latitude * (.pi / 180)
    let square = radians * radians
    // Horner's scheme.
    var sum = -1.0 / 1_124_000_727_777_607_680_000
    sum = sum * square + 1.0 / 2_432_902_008_176_640_000
    sum = sum * square - 1.0 / 6_402_373_705_728_000
    sum = sum * square + 1.0 / 20_922_789_888_000
    sum = sum * square - 1.0 / 87_178_291_200
    sum = sum * square + 1.0 / 479_001_600
    sum = sum * square - 1.0 / 3_628_800
    sum = sum * square + 1.0 / 40_320
    sum = sum * square - 1.0 / 720
    sum = sum * square + 1.0 / 24
    sum = sum * square - 1.0 / 2
    sum = sum * square + 1
    return sum
}

/// The plane tangent to the WGS 84 ellipsoid at one latitude.
///
/// Metres per degree come from the radii of curvature in the meridian and the prime vertical:
/// `M = a(1-e²)/w³`, `N = a/w`, `w = √(1 - e² sin²φ)` (Torge, Geodesy, §4.1.3).
public struct LocalPlane: Sendable {
    public let metresPerDegreeNorth: Metres
    public let metresPerDegreeEast: Metres

    @inlinable
    public init(latitude: Degrees) {
        let equatorialRadius: Metres = 6_378_137
        let eccentricitySquared = 0.006_694_379_990_141_316
        let cosine = latitudeCosine(latitude)
        let w2 = 1 - eccentricitySquared * (1 - cosine * cosine)
        let w = w2.squareRoot()
        metresPerDegreeNorth = equatorialRadius * (1 - eccentricitySquared) / (w2 * w) * (.pi / 180)
        metresPerDegreeEast = equatorialRadius / w * cosine * (.pi / 180)
    }

    @inlinable
    public func vector(from a: Coordinate, to b: Coordinate) -> Vector {
        Vector(
            east: shortestLongitude(from: a.longitude, to: b.longitude) * metresPerDegreeEast,
            north: (b.latitude - a.latitude) * metresPerDegreeNorth)
    }

    /// The point `vector` away from `origin`; near the poles the plane ends and so does this.
    @inlinable
    public func coordinate(_ vector: Vector, from origin: Coordinate) -> Coordinate {
        Coordinate(
            latitude: origin.latitude + vector.north / metresPerDegreeNorth,
            longitude: origin.longitude + vector.east / metresPerDegreeEast)
    }
}
