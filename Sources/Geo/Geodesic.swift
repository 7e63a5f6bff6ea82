private import func Foundation.atan
private import func Foundation.atan2
private import func Foundation.cos
private import func Foundation.hypot
private import func Foundation.sin
private import func Foundation.tan

/// Shortest lines on the WGS 84 ellipsoid, for distances at which a local plane is not good enough.
public enum Geodesic {
    /// Up to this distance and latitude `Coordinate.distance` is within a centimetre of the geodesic: 0.75 millionths.
    static let planeMax: (metres: Metres, latitude: Degrees) = (10_000, 70)

    /// Within a centimetre of the geodesic, but for points almost opposite to each other (over 19,900 km): there it is half a
    /// per cent off at most.
    ///
    /// A local plane as far as it is that good, at a tenth of the cost, else Vincenty's inverse formula.
    public static func distance(from a: Coordinate, to b: Coordinate) -> Metres {
        let plane = a.distance(to: b)
        let latitude = max(a.latitude.magnitude, b.latitude.magnitude)
        return plane <= planeMax.metres && latitude <= planeMax.latitude ? plane : vincenty(from: a, to: b)
    }

    private static let equatorialRadius: Metres = 6_378_137
    private static let polarRadius: Metres = 6_356_752.314_245
    private static let flattening = 1 / 298.257_223_563
    private static let meanRadius: Metres = 6_371_008.8

    /// Vincenty, Direct and inverse solutions of geodesics on the ellipsoid, Survey Review 23 (1975), formulas 13 to 19.
    private static func vincenty(from a: Coordinate, to b: Coordinate) -> Metres {
        let reduced = [a, b].map { atan((1 - flattening) * tan($0.latitude * .pi / 180)) }
        let (sinA, cosA, sinB, cosB) = (sin(reduced[0]), cos(reduced[0]), sin(reduced[1]), cos(reduced[1]))
        let longitude = shortestLongitude(from: a.longitude, to: b.longitude) * .pi / 180
        var lambda = longitude
        var sphere = 0.0
        for _ in 0..<iterationsMax {
            let (sinLambda, cosLambda) = (sin(lambda), cos(lambda))
            let sinSigma = hypot(cosB * sinLambda, cosA * sinB - sinA * cosB * cosLambda)
            guard sinSigma > 0 else { return 0 }
            let cosSigma = sinA * sinB + cosA * cosB * cosLambda
            let sigma = atan2(sinSigma, cosSigma)
            sphere = sigma
            let sinAlpha = cosA * cosB * sinLambda / sinSigma
            let cosSquaredAlpha = 1 - sinAlpha * sinAlpha
            // Along the equator there is no vertex to count from.
            let cosDoubleMiddle = cosSquaredAlpha > 0 ? cosSigma - 2 * sinA * sinB / cosSquaredAlpha : 0
            let c = flattening / 16 * cosSquaredAlpha * (4 + flattening * (4 - 3 * cosSquaredAlpha))
            let middleSquared = 2 * cosDoubleMiddle * cosDoubleMiddle - 1
            let before = lambda
            lambda =
                longitude + (1 - c) * flattening * sinAlpha
                * (sigma + c * sinSigma * (cosDoubleMiddle + c * cosSigma * middleSquared))
            guard (lambda - before).magnitude < convergence else { continue }
            let u = cosSquaredAlpha * (equatorialRadius * equatorialRadius / (polarRadius * polarRadius) - 1)
            let bigA = 1 + u / 16384 * (4096 + u * (-768 + u * (320 - 175 * u)))
            let bigB = u / 1024 * (256 + u * (-128 + u * (74 - 47 * u)))
            let fourth =
                cosDoubleMiddle * (4 * sinSigma * sinSigma - 3) * (4 * cosDoubleMiddle * cosDoubleMiddle - 3)
            let delta =
                bigB * sinSigma
                * (cosDoubleMiddle + bigB / 4 * (cosSigma * middleSquared - bigB / 6 * fourth))
            return polarRadius * bigA * (sigma - delta)
        }
        return sphere * meanRadius
    }

    /// Six are usual; it never converges for points almost opposite to each other.
    private static let iterationsMax = 20
    /// In radians: 6 µm.
    private static let convergence = 1e-12

    /// The point halfway from one to another on the ground, a chord's middle brought to the surface: within a millimetre of the
    /// geodesic's middle for points up to 50 km apart.
    public static func middle(of a: Coordinate, and b: Coordinate) -> Coordinate {
        let middle = (chordPoint(a) + chordPoint(b)) / 2
        // Bowring, The accuracy of geodetic latitude and height equations, Survey Review 28 (1985).
        let axis = hypot(middle.x, middle.y)
        let reduced = atan2(middle.z * equatorialRadius, axis * polarRadius)
        let squared = flattening * (2 - flattening)
        let (sine, cosine) = (sin(reduced), cos(reduced))
        let latitude = atan2(
            middle.z + squared / (1 - squared) * polarRadius * sine * sine * sine,
            axis - squared * equatorialRadius * cosine * cosine * cosine)
        return Coordinate(latitude: latitude * 180 / .pi, longitude: atan2(middle.y, middle.x) * 180 / .pi)
    }

    /// In metres from the earth's centre: to the equator at 0° and at 90°, and to the pole.
    private static func chordPoint(_ place: Coordinate) -> SIMD3<Double> {
        let (latitude, longitude) = (place.latitude * .pi / 180, place.longitude * .pi / 180)
        let squared = flattening * (2 - flattening)
        let radius = equatorialRadius / (1 - squared * sin(latitude) * sin(latitude)).squareRoot()
        return SIMD3(
            radius * cos(latitude) * cos(longitude), radius * cos(latitude) * sin(longitude),
            radius * (1 - squared) * sin(latitude))
    }

    /// Between two points, through the ground: within a millionth of the distance up to 30 km, also round a pole.
    static func chord(from a: Coordinate, to b: Coordinate) -> Metres {
        let difference = chordPoint(b) - chordPoint(a)
        return (difference * difference).sum().squareRoot()
    }
}

extension Coordinate {
    /// The points between two places of a way that is straight on the ground, so many that between them it is straight on the
    /// map as well, to 0.1 m. Below 60° that takes more than a kilometre for there to be one.
    public func straightWay(to other: Coordinate) -> [Coordinate] {
        if isStraightWay(to: other) { return [] }
        var points: [Coordinate] = []
        func divide(_ a: Coordinate, _ b: Coordinate, depth: Int) {
            let (straight, middle) = (a.interpolated(to: b, fraction: 0.5), Geodesic.middle(of: a, and: b))
            guard depth > 0, Geodesic.chord(from: straight, to: middle) > Self.bulgeMax else { return }
            divide(a, middle, depth: depth - 1)
            points.append(middle)
            divide(middle, b, depth: depth - 1)
        }
        divide(self, other, depth: Self.divisionsMax)
        return points
    }

    /// Whether the way is so short that it needs no points, at a glance: at 60° the line on the map is off by L² tan φ / 8R,
    /// 3 cm.
    private func isStraightWay(to other: Coordinate) -> Bool {
        max(latitude.magnitude, other.latitude.magnitude) <= 60 && distance(to: other) <= 1_000
    }

    private static let bulgeMax: Metres = 0.1
    /// Beside a pole: 20 km are divided down to 5 m.
    private static let divisionsMax = 12
}
