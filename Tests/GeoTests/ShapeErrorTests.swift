import Geo
import Testing

@Suite struct ShapeErrorTests {
    private static let triangle = [Coordinate(0, 0), Coordinate(0, 1), Coordinate(1, 0)]
    private static let square = [Coordinate(0, 0), Coordinate(0, 2), Coordinate(2, 2), Coordinate(2, 0)]
    /// More than once round the pole.
    private static let spiral = (0..<7).map { (turn: Int) -> Coordinate in
        Coordinate(70 + Double(turn), Double(turn * 120 % 360) - 180)
    }
    private static let outer = ShapePlace.Line.outerRing(polygon: 1)

    @Test(
        "A shape by which nothing can be judged is refused, with what is wrong and where",
        arguments: [
            (.circle(0, 0, radius: 0), .radius(0)),
            (.circle(0, 0, radius: -1), .radius(-1)),
            (.circle(0, 0, radius: .infinity), .radius(.infinity)),
            (.circle(0, 0, radius: 1_000_001), .radius(1_000_001)),
            (.circle(91, 0, radius: 5), .coordinate(Coordinate(91, 0), at: ShapePlace(.center))),
            (.corridor([Coordinate(0, 0), Coordinate(0, 1)], width: 0), .width(0)),
            (.corridor([Coordinate(0, 0), Coordinate(0, 0)], width: 5), .tooFewPoints(1, in: ShapePlace(.line))),
            (.corridor([], width: 5), .tooFewPoints(0, in: ShapePlace(.line))),
            (
                .corridor([Coordinate(0, 0), Coordinate(0, 181)], width: 5),
                .coordinate(Coordinate(0, 181), at: ShapePlace(.line, point: 2))
            ),
            (
                .corridor([Coordinate(0, 0), Coordinate(0, 1), Coordinate(0, -179)], width: 5),
                .ambiguousEdge(at: ShapePlace(.line, point: 2))
            ),
            (.polygons([]), .noPolygon),
            (.polygon([]), .tooFewPoints(0, in: ShapePlace(outer))),
            (
                .polygon([Coordinate(0, 0), Coordinate(1, 1), Coordinate(0, 0)]),
                .tooFewPoints(2, in: ShapePlace(outer))
            ),
            (
                .polygon([Coordinate(0, 180), Coordinate(1, 180), Coordinate(1, -180)]),
                .tooFewPoints(2, in: ShapePlace(outer))
            ),
            (
                .polygon(triangle, holes: [triangle, [Coordinate(0, 0), Coordinate(0.1, 0.1)]]),
                .tooFewPoints(2, in: ShapePlace(.hole(2, polygon: 1)))
            ),
            (
                .polygons([Polygon(outer: triangle), Polygon(outer: triangle + [Coordinate(-91, 0)])]),
                .coordinate(Coordinate(-91, 0), at: ShapePlace(.outerRing(polygon: 2), point: 4))
            ),
            (
                .polygon([Coordinate(0, -90), Coordinate(0, 90), Coordinate(5, 0)]),
                .ambiguousEdge(at: ShapePlace(outer, point: 1))
            ),
            (.polygon(Array(repeating: Coordinate(0, 0), count: 10_001)), .tooManyVertices(10_001)),
        ] as [(Shape, ShapeError)])
    func refused(shape: Shape, problem: ShapeError) {
        #expect(throws: problem) { try shape.validated() }
    }

    @Test(
        "A ring may not cross, touch or retrace itself",
        arguments: [
            // A bow tie.
            ([Coordinate(0, 0), Coordinate(2, 2), Coordinate(2, 0), Coordinate(0, 2)], 1, 3),
            // A corner that touches an edge.
            ([Coordinate(0, 0), Coordinate(0, 2), Coordinate(1, 2), Coordinate(0, 1), Coordinate(1, 0)], 1, 3),
            // Two loops that share a corner.
            (
                [
                    Coordinate(1, 1), Coordinate(2, 0), Coordinate(2, 2), Coordinate(1, 1), Coordinate(0, 2),
                    Coordinate(0, 0),
                ], 1, 3
            ),
            // There and back again.
            ([Coordinate(0, 0), Coordinate(0, 2), Coordinate(0, 1), Coordinate(1, 1)], 1, 2),
            ([Coordinate(0, 0), Coordinate(0, 1), Coordinate(0, 2)], 1, 3),
            // Two edges that lie on each other in part.
            (
                [
                    Coordinate(0, 0), Coordinate(0, 4), Coordinate(1, 4), Coordinate(0, 3), Coordinate(0, 1),
                    Coordinate(1, 0),
                ], 1, 3
            ),
            // A bow tie across the antimeridian.
            ([Coordinate(0, 179), Coordinate(2, -179), Coordinate(2, 179), Coordinate(0, -179)], 1, 3),
            (spiral, 3, 7),
        ] as [([Coordinate], Int, Int)])
    func selfIntersections(ring: [Coordinate], edge: Int, other: Int) {
        #expect(throws: ShapeError.selfIntersection(at: ShapePlace(Self.outer, point: edge), with: other)) {
            try Shape.polygon(ring).validated()
        }
        #expect(throws: ShapeError.selfIntersection(at: ShapePlace(.hole(1, polygon: 1), point: edge), with: other)) {
            try Shape.polygon(Self.triangle, holes: [ring]).validated()
        }
    }

    @Test(
        "What can be judged by is taken as it is",
        arguments: [
            .circle(-90, 180, radius: 1_000_000), .corridor([Coordinate(0, 0), Coordinate(0, 1)], width: 0.01),
            // A corridor may cross itself.
            .corridor([Coordinate(0, 0), Coordinate(2, 2), Coordinate(2, 0), Coordinate(0, 2)], width: 5),
            .polygon(triangle), .polygon(triangle.reversed()),
            .polygon(triangle + [Coordinate(0.5, 0), Coordinate(0, 0)]),
            // Holes may lie where they like, and polygons overlap.
            .polygon(triangle, holes: [square]), .polygons([Polygon(outer: triangle), Polygon(outer: square)]),
            // Across the antimeridian, round a pole, to a pole, and a belt round the earth as plane maps draw it.
            .polygon([Coordinate(0, 179), Coordinate(0, -179), Coordinate(1, 180)]),
            .polygon([Coordinate(-70, 0), Coordinate(-70, 120), Coordinate(-70, -120)]),
            .polygon([Coordinate(80, 0), Coordinate(80, 10), Coordinate(90, 10), Coordinate(90, 0)]),
            .polygon(
                stride(from: -180.0, through: 180, by: 90).map { Coordinate(0, $0) }
                    + stride(from: 180.0, through: -180, by: -90).map { Coordinate(10, $0) }),
        ] as [Shape])
    func accepted(shape: Shape) throws {
        #expect(try shape.validated() == shape)
    }

    // Without boxes it takes 50 million comparisons, minutes in a debug build.
    @Test("The largest shape is looked through in a moment", .timeLimit(.minutes(1)))
    func largest() throws {
        var shapes = RandomShapes(seed: 1)
        let ring = shapes.star(PlanePoint(180, 0), size: PlanePoint(1, 1), radii: 0.9...1, points: Shape.verticesMax)
        let shape = Shape.polygons([Polygon(plane: [ring])])
        #expect(throws: Never.self) { try shape.validated() }
    }

    @Test(
        "A problem is told in a sentence that says what is expected",
        arguments: [
            (ShapeError.radius(0), "the radius is 0.0 m; it must be over 0 and at most 1000000 m"),
            (
                .coordinate(Coordinate(181, 0), at: ShapePlace(outer, point: 3)),
                "point 3 of the outer ring of polygon 1 is at latitude 181.0, longitude 0.0; latitudes are -90 to 90, "
                    + "longitudes -180 to 180, and longitude comes first in GeoJSON"
            ),
            (.tooFewPoints(1, in: ShapePlace(.line)), "the line has 1 different point; it needs at least two"),
            (
                .selfIntersection(at: ShapePlace(.hole(2, polygon: 1), point: 4), with: 9),
                "the edges from point 4 of hole 2 of polygon 1 and from point 9 cross or touch; the edges of a ring may "
                    + "only meet where one ends and the next begins"
            ),
        ])
    func sentences(problem: ShapeError, sentence: String) {
        #expect("\(problem)" == sentence)
    }
}
