import Geo
import Hashing

import func Foundation.cos
import func Foundation.sin

/// Longitude and latitude that run on past ±180°, so that GEOS can take them as a plane.
typealias PlanePoint = SIMD2<Double>

extension Coordinate {
    init(plane point: PlanePoint) {
        self.init(latitude: point.y, longitude: point.x - 360 * (point.x / 360).rounded())
    }

    /// Latitude first, as people say it.
    init(_ latitude: Degrees, _ longitude: Degrees) {
        self.init(latitude: latitude, longitude: longitude)
    }
}

extension Polygon {
    /// The outer ring first.
    init(plane rings: [[PlanePoint]]) {
        let rings = rings.map { $0.map { Coordinate(plane: $0) } }
        self.init(outer: rings[0], holes: Array(rings.dropFirst()))
    }

    /// A rectangle with edges along parallels and meridians.
    init(south: Degrees, west: Degrees, north: Degrees, east: Degrees) {
        self.init(outer: [
            Coordinate(south, west), Coordinate(south, east), Coordinate(north, east), Coordinate(north, west),
        ])
    }
}

extension Shape {
    static func polygon(_ outer: [Coordinate], holes: [[Coordinate]] = []) -> Shape {
        .polygons([Polygon(outer: outer, holes: holes)])
    }

    static func circle(_ latitude: Degrees, _ longitude: Degrees, radius: Metres) -> Shape {
        .circle(Circle(center: Coordinate(latitude, longitude), radius: radius))
    }

    static func corridor(_ line: [Coordinate], width: Metres) -> Shape {
        .corridor(Corridor(line: line, width: width))
    }
}

/// Random shapes on the map plane; the same seed draws the same.
struct RandomShapes {
    var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// A ring that sees all of its points from `center`, its radii a part in `radii` of `size`.
    mutating func star(
        _ center: PlanePoint, size: PlanePoint, radii: ClosedRange<Double>, points: Int
    ) -> [PlanePoint] {
        let isClockwise = Bool.random(using: &random)
        let angles = (0..<points).map { (Double($0) + .random(in: 0...0.9, using: &random)) / Double(points) }
        return (isClockwise ? angles.reversed() : angles).map { turn in
            let radius = Double.random(in: radii, using: &random)
            return center + size * radius * PlanePoint(cos(turn * 2 * .pi), sin(turn * 2 * .pi))
        }
    }

    /// A star with up to two holes.
    mutating func polygon(_ center: PlanePoint, size: PlanePoint, points: Int) -> [[PlanePoint]] {
        let outer = star(center, size: size, radii: 0.5...1, points: points)
        let holes = [PlanePoint(-0.15, 0.05), PlanePoint(0.15, -0.05)].prefix(Int.random(in: 0...2, using: &random))
        return [outer]
            + holes.map { star(center + size * $0, size: size, radii: 0.05...0.12, points: max(3, points / 3)) }
    }

    /// A ring once round the earth about a parallel.
    mutating func polarRing(latitude: Degrees, points: Int) -> [PlanePoint] {
        let start = Double.random(in: -180...180, using: &random)
        return (0..<points).map {
            PlanePoint(start + Double($0) * 360 / Double(points), latitude + .random(in: -4...4, using: &random))
        }
    }

    mutating func point(around center: PlanePoint, within size: PlanePoint) -> PlanePoint {
        center + size * PlanePoint(.random(in: -1...1, using: &random), .random(in: -1...1, using: &random))
    }
}
