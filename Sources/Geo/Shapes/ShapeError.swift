/// What keeps a shape from being a fence.
public enum ShapeError: Error, Hashable, Sendable {
    /// Not a number, not over 0, or over `Shape.extentMax`.
    case radius(Metres)
    /// Not a number, not over 0, or over `Shape.extentMax`.
    case width(Metres)
    case coordinate(Coordinate, at: ShapePlace)
    case noPolygon
    /// Over `Shape.verticesMax`.
    case tooManyVertices(Int)
    /// Fewer than three different points make no ring, fewer than two no line.
    case tooFewPoints(Int, in: ShapePlace)
    /// The edge that begins there runs half round the earth, and which half is not said.
    case ambiguousEdge(at: ShapePlace)
    /// The edges that begin at a point and at another of the same ring cross, touch or overlap.
    case selfIntersection(at: ShapePlace, with: Int)
}

/// A point of a shape or, where none is named, one of its lines. All numbers count from 1, as they stand in the input.
public struct ShapePlace: Hashable, Sendable {
    /// What a line of a shape is.
    public enum Line: Hashable, Sendable {
        case center
        case line
        case outerRing(polygon: Int)
        case hole(Int, polygon: Int)
    }

    public var line: Line
    public var point: Int?

    public init(_ line: Line, point: Int? = nil) {
        self.line = line
        self.point = point
    }
}

extension ShapePlace.Line: CustomStringConvertible {
    public var description: String {
        switch self {
        case .center: "the centre"
        case .line: "the line"
        case .outerRing(let polygon): "the outer ring of polygon \(polygon)"
        case .hole(let hole, let polygon): "hole \(hole) of polygon \(polygon)"
        }
    }
}

extension ShapePlace: CustomStringConvertible {
    public var description: String {
        point.map { "point \($0) of \(line)" } ?? "\(line)"
    }
}

extension ShapeError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .radius(let metres): Self.extent("radius", metres)
        case .width(let metres): Self.extent("width", metres)
        case .coordinate(let coordinate, let place):
            "\(place) is at latitude \(coordinate.latitude), longitude \(coordinate.longitude); latitudes are -90 to 90, "
                + "longitudes -180 to 180, and longitude comes first in GeoJSON"
        case .noPolygon: "there is no polygon in it; at least one is needed"
        case .tooManyVertices(let count):
            "it has \(count) points; at most \(Shape.verticesMax) are taken: simplify it or make several of it"
        case .tooFewPoints(let count, let place):
            "\(place) has \(count) different point\(count == 1 ? "" : "s"); it needs at least "
                + (place.line == .line ? "two" : "three")
        case .ambiguousEdge(let place):
            "the edge from \(place) runs half round the earth, and which way is not said; put a point in between"
        case .selfIntersection(let place, let other):
            "the edges from \(place) and from point \(other) cross or touch; the edges of a ring may only meet where "
                + "one ends and the next begins"
        }
    }

    private static func extent(_ name: String, _ metres: Metres) -> String {
        "the \(name) is \(metres) m; it must be over 0 and at most \(Int(Shape.extentMax)) m"
    }
}
