/// Where a point falls on a segment, and how far beside it.
public struct SegmentProjection: Sendable {
    /// 0 at the start, 1 at the end.
    public var fraction: Double
    public var distance: Metres

    @inlinable
    public init(fraction: Double, distance: Metres) {
        self.fraction = fraction
        self.distance = distance
    }
}

/// Projects the plane's origin onto the segment from `a` to `b` (both relative to that origin).
@inlinable
public func projectOrigin(onto a: Vector, _ b: Vector) -> SegmentProjection {
    let d = b - a
    let squared = d.east * d.east + d.north * d.north
    guard squared > 0 else { return SegmentProjection(fraction: 0, distance: a.length) }
    let fraction = min(1, max(0, -(a.east * d.east + a.north * d.north) / squared))
    let foot = Vector(east: a.east + fraction * d.east, north: a.north + fraction * d.north)
    return SegmentProjection(fraction: fraction, distance: foot.length)
}

/// Where two segments cross, as the fraction along the first; nil where they do not or are parallel.
public func crossing(
    of a: (Coordinate, Coordinate), and b: (Coordinate, Coordinate)
) -> Double? {
    let plane = LocalPlane(latitude: a.0.latitude)
    let r = plane.vector(from: a.0, to: a.1)
    let p = plane.vector(from: a.0, to: b.0)
    let s = plane.vector(from: b.0, to: b.1)
    let determinant = r.east * s.north - r.north * s.east
    guard determinant != 0 else { return nil }
    let t = (p.east * s.north - p.north * s.east) / determinant
    let u = (p.east * r.north - p.north * r.east) / determinant
    return (0...1).contains(t) && (0...1).contains(u) ? t : nil
}
