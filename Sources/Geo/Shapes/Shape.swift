/// An area on the map: what a fence encloses.
public enum Shape: Hashable, Sendable, Codable {
    case circle(Circle)
    /// One polygon or several; inside is what any of them encloses.
    case polygons([Polygon])
    case corridor(Corridor)
}

/// All points no farther than a radius from a centre.
public struct Circle: Hashable, Sendable, Codable {
    public var center: Coordinate
    /// Over 0.
    public var radius: Metres

    public init(center: Coordinate, radius: Metres) {
        self.center = center
        self.radius = radius
    }
}

/// What one ring encloses and none of its holes does.
///
/// Rings are closed: the last point is joined to the first, which is not repeated. Either winding; an edge between two points
/// runs the short way round the earth, so that a ring may lie across the antimeridian.
public struct Polygon: Hashable, Sendable, Codable {
    public var outer: [Coordinate]
    public var holes: [[Coordinate]]

    public init(outer: [Coordinate], holes: [[Coordinate]] = []) {
        self.outer = outer
        self.holes = holes
    }
}

/// All points no farther than half a width from a line.
public struct Corridor: Hashable, Sendable, Codable {
    /// At least two points.
    public var line: [Coordinate]
    /// The whole width; over 0.
    public var width: Metres

    public init(line: [Coordinate], width: Metres) {
        self.line = line
        self.width = width
    }
}

extension Shape {
    /// What the shape lies in; nil where nothing is inside. Cheaper than preparing it.
    public var bounds: Bounds? {
        switch self {
        case .circle(let circle): Bounds(circle.center, circle.center).widened(by: circle.radius)
        case .polygons(let polygons): Bounds(enclosing: polygons.map { Ring($0.outer).extent })
        case .corridor(let corridor): Bounds(line: corridor.line)?.widened(by: corridor.width / 2)
        }
    }
}

extension Bounds {
    /// The shape of a line that runs the short way round the earth from point to point; nil where it has none.
    public init?(line: [Coordinate]) {
        var box = MapBox()
        for point in line.unrolled() { box.include(point) }
        self.init(enclosing: [box])
    }
}
