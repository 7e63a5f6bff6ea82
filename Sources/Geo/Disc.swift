/// All places no farther than a radius from a centre, made ready to be asked for many places: what is well inside or outside
/// costs a few multiplications.
public struct Disc: Sendable {
    public let center: Coordinate
    public let radius: Metres
    private let plane: LocalPlane
    /// Squares of what is inside, and outside, whatever the plane is off by; nil beside a pole, where it is off by more.
    private let certain: ClosedRange<Double>?

    /// Up to 20 km and 75° of latitude the plane at the centre differs from that midway by less than this: a degree of
    /// longitude by tan φ · Δφ/2, 0.6 %.
    private static let planeError = 0.01
    private static let planeMax: (metres: Metres, latitude: Degrees) = (20_000, 75)

    public init(center: Coordinate, radius: Metres) {
        self.center = center
        self.radius = radius
        plane = LocalPlane(latitude: center.latitude)
        let isTrue = radius <= Self.planeMax.metres && center.latitude.magnitude <= Self.planeMax.latitude
        let (inner, outer) = (radius * (1 - Self.planeError), radius * (1 + Self.planeError))
        certain = isTrue && radius > 0 ? inner * inner...outer * outer : nil
    }

    /// Whether `Coordinate.distance` to the centre is at most the radius.
    public func contains(_ place: Coordinate) -> Bool {
        if let certain {
            let vector = plane.vector(from: center, to: place)
            let squared = vector.east * vector.east + vector.north * vector.north
            if squared < certain.lowerBound { return true }
            if squared > certain.upperBound { return false }
        }
        return place.distance(to: center) <= radius
    }
}
