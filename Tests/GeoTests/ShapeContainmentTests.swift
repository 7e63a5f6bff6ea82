import Geo
import Testing

@Suite struct ShapeContainmentTests {
    /// About a centimetre.
    private static let tolerance: Degrees = 1e-7

    /// One star with holes or two that may overlap, of few points and of many, here and there on the map.
    @Test(
        "A point is inside a polygon, or several, where GEOS says so",
        arguments: [
            (PlanePoint(8.5, 49.5), 7), (PlanePoint(-83.7, 42.3), 24), (PlanePoint(179.95, -17), 9),
            (PlanePoint(-180, 66), 80), (PlanePoint(0, 0), 400), (PlanePoint(180, 12), 1500),
        ])
    func polygons(center: PlanePoint, points: Int) throws {
        var shapes = RandomShapes(seed: UInt64(points))
        for size in [PlanePoint(0.004, 0.003), PlanePoint(0.3, 0.2), PlanePoint(20, 5)] {
            for count in 1...2 {
                let rings = (0..<count).map { number in
                    shapes.polygon(center + size * Double(number) * 0.8, size: size, points: points)
                }
                let shape = PreparedShape(try Shape.polygons(rings.map { Polygon(plane: $0) }).validated())
                let geometry = GEOSGeometry(polygons: rings)
                for _ in 0..<700 {
                    let point = shapes.point(around: center + size * 0.3, within: size * 1.6)
                    compare(shape, geometry, point)
                }
            }
        }
    }

    @Test(
        "A point is inside many polygons, some of which overlap, where GEOS says so",
        arguments: [PlanePoint(8.5, 49.5), PlanePoint(180, -17), PlanePoint(-179.9, 66)])
    func manyPolygons(center: PlanePoint) throws {
        var shapes = RandomShapes(seed: 5)
        for (count, spread) in [(9, 1.0), (60, 2), (300, 4)] {
            let size = PlanePoint(0.1, 0.06)
            let rings = (0..<count).map { _ in
                shapes.polygon(shapes.point(around: center, within: size * spread), size: size * 0.4, points: 6)
            }
            let shape = PreparedShape(try Shape.polygons(rings.map { Polygon(plane: $0) }).validated())
            let geometry = GEOSGeometry(polygons: rings)
            for _ in 0..<1500 {
                compare(shape, geometry, shapes.point(around: center, within: size * spread * 1.3))
            }
        }
    }

    @Test("A ring once round the earth encloses the nearer pole", arguments: [-70.0, 66.0, 20.0, -15.0])
    func polarRings(latitude: Degrees) throws {
        var shapes = RandomShapes(seed: 7)
        let pole = latitude > 0 ? 90.0 : -90
        for points in [5, 12, 200] {
            let ring = shapes.polarRing(latitude: latitude, points: points)
            let start = ring[0].x
            let whole =
                ring + [PlanePoint(start + 360, ring[0].y), PlanePoint(start + 360, pole), PlanePoint(start, pole)]
            let geometry = GEOSGeometry(polygons: [[whole]])
            let shape = PreparedShape(try Shape.polygons([Polygon(plane: [ring])]).validated())
            #expect(shape.contains(Coordinate(pole, 0)))
            #expect(!shape.contains(Coordinate(-pole, 0)))
            for _ in 0..<400 {
                let point = shapes.point(
                    around: PlanePoint(start + 180, latitude), within: PlanePoint(180, 90 - abs(latitude)))
                compare(shape, geometry, point)
            }
        }
    }

    @Test("A polygon a kilometre long and a centimetre wide has an inside")
    func slivers() throws {
        var shapes = RandomShapes(seed: 3)
        for slope in [0.0, 0.7, -2] {
            let along = PlanePoint(0.01, 0.01 * slope)
            let rings = [
                [
                    PlanePoint(8, 50), PlanePoint(8, 50) + along, PlanePoint(8, 50 + 1e-7) + along,
                    PlanePoint(8, 50 + 1e-7),
                ]
            ]
            let shape = PreparedShape(try Shape.polygons([Polygon(plane: rings)]).validated())
            let geometry = GEOSGeometry(polygons: [rings])
            for _ in 0..<500 {
                let fraction = Double.random(in: -0.1...1.1, using: &shapes.random)
                let beside = Double.random(in: -2e-7...3e-7, using: &shapes.random)
                compare(shape, geometry, PlanePoint(8, 50 + beside) + along * fraction, tolerance: 1e-11)
            }
            #expect(shape.inradius > 0.001 && shape.inradius < 0.006)
        }
    }

    @Test("A point is inside a corridor where GEOS has it no farther than half a width from the line")
    func corridors() throws {
        var shapes = RandomShapes(seed: 11)
        for points in [2, 5, 60, 1000] {
            for center in [PlanePoint(8.5, 49.5), PlanePoint(179.99, -17)] {
                let line = shapes.star(center, size: PlanePoint(0.05, 0.05), radii: 0.2...1, points: points)
                let width = 800.0
                let shape = PreparedShape(
                    try Shape.corridor(line.map { Coordinate(plane: $0) }, width: width).validated())
                let plane = LocalPlane(latitude: center.y)
                let scale = PlanePoint(plane.metresPerDegreeEast, plane.metresPerDegreeNorth)
                let geometry = GEOSGeometry(line: line.map { ($0 - center) * scale })
                for _ in 0..<500 {
                    let point = shapes.point(around: center, within: PlanePoint(0.06, 0.06))
                    let distance = geometry.distanceToBorder(from: (point - center) * scale)
                    guard abs(distance - width / 2) > width / 2 * 0.001 else { continue }
                    #expect(shape.contains(Coordinate(plane: point)) == (distance < width / 2), "\(point)")
                }
            }
        }
    }

    @Test("Corners, edges and the borders of holes are inside")
    func borders() {
        let shape = PreparedShape(
            .polygon(
                [Coordinate(0, 170), Coordinate(0, -170), Coordinate(10, -170), Coordinate(10, 170)],
                holes: [[Coordinate(4, 175), Coordinate(4, 180), Coordinate(6, 180), Coordinate(6, 175)]]))
        for latitude in [0.0, 5, 10] {
            for longitude in [170.0, -170] { #expect(shape.contains(Coordinate(latitude, longitude))) }
        }
        for longitude in [-180.0, 180, 175] { #expect(shape.contains(Coordinate(5, longitude))) }
        #expect(!shape.contains(Coordinate(5, 177)))
        #expect(!shape.contains(Coordinate(10.000001, 175)))
    }

    @Test("The border of a circle and of a corridor is inside")
    func roundBorders() {
        let circle = PreparedShape(.circle(50, 180, radius: 1000))
        let center = Coordinate(50, 180)
        for longitude in [179.99, -179.99] {
            let point = Coordinate(50, longitude)
            #expect(PreparedShape(.circle(50, 180, radius: center.distance(to: point))).contains(point))
            #expect(circle.contains(point))
        }
        #expect(!circle.contains(Coordinate(50, 179.98)))
    }

    /// The layout in which Antarctica is given by plane maps: along the rim to the pole and back, with or without points
    /// on the way.
    @Test("A way along the rim of the map to a pole is no border")
    func rimToPole() throws {
        let coast = stride(from: -180.0, through: 180, by: 20).map { Coordinate(-70, $0) }
        let rims = [
            [Coordinate(-90, 180), Coordinate(-90, -180)],
            stride(from: 180.0, through: -180, by: -60).map { Coordinate(-90, $0) },
        ]
        for rim in rims {
            let shape = PreparedShape(try Shape.polygon(coast + rim).validated())
            #expect(shape.contains(Coordinate(-80, 180)))
            #expect(shape.contains(Coordinate(-89.9, 10)))
            #expect(!shape.contains(Coordinate(-60, 180)))
            let degree = LocalPlane(latitude: -75).metresPerDegreeNorth
            #expect(abs(shape.signedDistance(from: Coordinate(-80, 179.9)) + 10 * degree) < 100)
        }
    }

    @Test("A belt round the earth that a plane map closes along its rim has two borders")
    func belt() throws {
        let edge = stride(from: -180.0, through: 180, by: 60)
        let shape = PreparedShape(
            try Shape.polygon(edge.map { Coordinate(40, $0) } + edge.reversed().map { Coordinate(50, $0) }).validated())
        for longitude in [-180.0, -179.9, 0, 60, 179.9, 180] {
            #expect(shape.contains(Coordinate(45, longitude)))
            #expect(!shape.contains(Coordinate(39, longitude)) && !shape.contains(Coordinate(51, longitude)))
            let toBorder = Coordinate(49, longitude).distance(to: Coordinate(50, longitude))
            #expect(abs(shape.signedDistance(from: Coordinate(49, longitude)) + toBorder) < 1)
        }
    }

    private func compare(
        _ shape: PreparedShape, _ geometry: GEOSGeometry, _ point: PlanePoint, tolerance: Degrees = tolerance
    ) {
        let expected = geometry.contains(point)
        guard shape.contains(Coordinate(plane: point)) != expected else { return }
        #expect(geometry.distanceToBorder(from: point) < tolerance, "\(point) is \(expected ? "inside" : "outside")")
    }
}
