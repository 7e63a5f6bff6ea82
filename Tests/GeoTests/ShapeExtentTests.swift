import Geo
import Testing

@Suite struct ShapeExtentTests {
    @Test(
        "The bounds are one box, or two across the antimeridian or up to it",
        arguments: [
            ([Polygon(south: 1, west: 2, north: 3, east: 4)], [Bounds(south: 1, west: 2, north: 3, east: 4)]),
            (
                [Polygon(south: 1, west: 170, north: 3, east: -170)],
                [Bounds(south: 1, west: 170, north: 3, east: 180), Bounds(south: 1, west: -180, north: 3, east: -170)]
            ),
            (
                [
                    Polygon(south: 1, west: 170, north: 3, east: 180),
                    Polygon(south: 2, west: -180, north: 4, east: -170),
                ],
                [Bounds(south: 1, west: 170, north: 4, east: 180), Bounds(south: 1, west: -180, north: 4, east: -170)]
            ),
            (
                [Polygon(south: 1, west: 170, north: 3, east: 180)],
                [Bounds(south: 1, west: 170, north: 3, east: 180), Bounds(south: 1, west: -180, north: 3, east: -180)]
            ),
            (
                [Polygon(south: 1, west: -180, north: 3, east: -170)],
                [Bounds(south: 1, west: 180, north: 3, east: 180), Bounds(south: 1, west: -180, north: 3, east: -170)]
            ),
            (
                [Polygon(south: 1, west: -90, north: 3, east: -80), Polygon(south: 1, west: 100, north: 3, east: 110)],
                [Bounds(south: 1, west: 100, north: 3, east: 180), Bounds(south: 1, west: -180, north: 3, east: -80)]
            ),
            (
                [Polygon(outer: [Coordinate(-70, 0), Coordinate(-60, 120), Coordinate(-65, -120)])],
                [Bounds(south: -90, west: -180, north: -60, east: 180)]
            ),
        ])
    func bounds(polygons: [Polygon], expected: [Bounds]) {
        #expect(PreparedShape(.polygons(polygons)).bounds == expected)
        // Without preparing it, the same.
        #expect(Shape.polygons(polygons).bounds?.cut == expected)
    }

    @Test(
        "Boxes lie together in the smallest one, across the antimeridian where that is shorter",
        arguments: [
            ([], nil), ([[1, 2, 3, 4]], [1, 2, 3, 4]), ([[1, 2, 3, 4], [10, -5, 12, 1]], [1, -5, 12, 4]),
            ([[170, 0, 175, 1], [-175, 0, -170, 1]], [170, 0, -170, 1]), ([[179, 0, -179, 1]], [179, 0, -179, 1]),
            ([[179, 0, -179, 1], [-178, 2, -170, 3]], [179, 0, -170, 3]),
            ([[-170, 0, -160, 1], [0, 0, 10, 1]], [-170, 0, 10, 1]),
            ([[-180, -90, 180, 90], [1, 1, 2, 2]], [-180, -90, 180, 90]),
        ] as [([[Double]], [Double]?)])
    func together(boxes: [[Double]], expected: [Double]?) {
        func bounds(_ box: [Double]) -> Bounds { Bounds(south: box[1], west: box[0], north: box[3], east: box[2]) }
        #expect(Bounds(enclosing: boxes.map(bounds)) == expected.map(bounds))
    }

    @Test("The bounds of a line, a circle and a corridor hold them, also across the antimeridian")
    func boundsOfOthers() throws {
        let line = [Coordinate(1, 179), Coordinate(2, -179), Coordinate(0, -178)]
        #expect(Bounds(line: line) == Bounds(south: 0, west: 179, north: 2, east: -178))
        #expect(Bounds(line: []) == nil)
        for shape in [
            Shape.corridor(Corridor(line: line, width: 200)), .circle(Circle(center: Coordinate(0, 180), radius: 5000)),
        ] {
            #expect(shape.bounds?.cut == PreparedShape(shape).bounds)
        }
    }

    @Test("All that is inside is in the bounds and in the enclosing circle")
    func everythingIsEnclosed() throws {
        var shapes = RandomShapes(seed: 21)
        for (index, center) in [PlanePoint(8.5, 49.5), PlanePoint(180, 59), PlanePoint(-83, -17)].enumerated() {
            for size in [0.001, 0.1, 3] {
                let size = PlanePoint(size, size)
                let ring = shapes.star(center, size: size, radii: 0.3...1, points: 12)
                let line = shapes.star(center, size: size, radii: 0.3...1, points: 5).map { Coordinate(plane: $0) }
                let radius = size.x * 60_000
                for shape in [
                    Shape.polygons([Polygon(plane: [ring])]), .corridor(line, width: radius),
                    .circle(Circle(center: Coordinate(plane: center), radius: radius)),
                ] {
                    let prepared = PreparedShape(shape)
                    let circle = prepared.enclosingCircle
                    for _ in 0..<500 {
                        let point = Coordinate(plane: shapes.point(around: center, within: size * 2))
                        guard prepared.signedDistance(from: point) <= 0 else { continue }
                        #expect(prepared.contains(point), "\(index): \(point)")
                        #expect(prepared.bounds.contains { $0.contains(point) }, "\(index): \(point)")
                        #expect(
                            Geodesic.distance(from: circle.center, to: point) <= circle.radius * 1.001,
                            "\(index): \(point)")
                    }
                }
            }
        }
    }

    @Test("The enclosing circle is hardly larger than the smallest")
    func enclosingCircle() {
        let degree = LocalPlane(latitude: 0).metresPerDegreeEast
        let triangle = PreparedShape(.polygon([Coordinate(-0.01, 180), Coordinate(0.01, 180), Coordinate(0, -179.99)]))
        #expect((0.01 * degree...0.0103 * degree).contains(triangle.enclosingCircle.radius))
        let circle = Circle(center: Coordinate(50, 8), radius: 300)
        #expect(PreparedShape(.circle(circle)).enclosingCircle == circle)
        let pole = PreparedShape(.polygon([Coordinate(-70, 0), Coordinate(-60, 120), Coordinate(-65, -120)]))
            .enclosingCircle
        #expect(pole.center.latitude == -90)
        #expect(Geodesic.distance(from: pole.center, to: Coordinate(-60, 180)) <= pole.radius)
        #expect(pole.radius < 3_350_000)
    }

    @Test("The inradius is that of about the largest circle inside, and not more")
    func inradius() {
        let degree = LocalPlane(latitude: 0).metresPerDegreeNorth
        let square = Polygon(south: -0.01, west: 179.99, north: 0.01, east: -179.99)
        let slab = Polygon(south: -0.001, west: 10, north: 0.001, east: 10.1)
        let hole = [
            Coordinate(-0.009, 179.992), Coordinate(0.009, 179.992), Coordinate(0.009, -179.991),
            Coordinate(-0.009, -179.991),
        ]
        for (shape, expected) in [
            (Shape.polygons([square]), 0.01 * degree), (.polygons([slab]), 0.001 * degree),
            (.polygons([square, slab]), 0.01 * degree),
            (.polygon(square.outer, holes: [hole]), 0.0013 * degree), (.circle(50, 8, radius: 123), 123),
            (.corridor([Coordinate(50, 8), Coordinate(50, 9)], width: 123), 61.5),
        ] {
            let radius = PreparedShape(shape).inradius
            #expect(radius <= expected * 1.02 && radius >= expected * 0.75, "\(radius) of \(expected)")
        }
    }

    @Test(
        "Widened bounds hold all within the margin, wherever they lie",
        arguments: [
            (Bounds(south: 1, west: 2, north: 3, east: 4), 1000.0),
            (Bounds(south: -60, west: 179, north: -59, east: 180), 5e5),
            (Bounds(south: 70, west: 170, north: 80, east: -170), 1e5),
            (Bounds(south: 89.9, west: 0, north: 89.9, east: 0), 5e4),
        ])
    func widened(bounds: Bounds, margin: Metres) {
        var shapes = RandomShapes(seed: 4)
        let wide = bounds.widened(by: margin)
        for corner in [Coordinate(bounds.south, bounds.west), Coordinate(bounds.north, bounds.east)] {
            for _ in 0..<500 {
                let around = PlanePoint(corner.longitude, corner.latitude)
                let point = Coordinate(plane: shapes.point(around: around, within: PlanePoint(30, 6)))
                guard point.isValid, corner.distance(to: point) <= margin else { continue }
                #expect(wide.contains(point), "\(point)")
            }
        }
    }
}
