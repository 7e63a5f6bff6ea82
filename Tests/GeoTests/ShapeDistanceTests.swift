import Geo
import Testing

@Suite struct ShapeDistanceTests {
    private static let places = [
        PlanePoint(8.5, 49.5), PlanePoint(-180, 59), PlanePoint(-83.7, -42.3), PlanePoint(179.99, 0),
    ]

    @Test("From a point to a polygon's border it is as far as GEOS says, negative inside", arguments: places)
    func polygons(center: PlanePoint) {
        var shapes = RandomShapes(seed: 5)
        for (points, count) in [(4, 1), (9, 2), (30, 1), (800, 2)] {
            let size = PlanePoint(0.02, 0.015)
            let rings = (0..<count).map { number in
                shapes.polygon(center + size * Double(number) * 0.7, size: size, points: points)
            }
            let shape = PreparedShape(.polygons(rings.map { Polygon(plane: $0) }))
            for _ in 0..<60 {
                let point = shapes.point(around: center, within: size * 1.5)
                let scale = metresPerDegree(at: point)
                let geometry = GEOSGeometry(polygons: rings.map { $0.map { $0.map { ($0 - point) * scale } } })
                let expected = geometry.distanceToBorder(from: .zero)
                let distance = shape.signedDistance(from: Coordinate(plane: point))
                #expect(abs(abs(distance) - expected) < 0.01 + expected * 0.001, "\(point)")
                #expect((distance < 0) == geometry.contains(.zero), "\(point)")
            }
        }
    }

    @Test("From a point to a corridor it is as far as to its line, less half the width", arguments: places)
    func corridors(center: PlanePoint) {
        var shapes = RandomShapes(seed: 6)
        for points in [2, 10, 500] {
            let line = shapes.star(center, size: PlanePoint(0.02, 0.02), radii: 0.3...1, points: points)
            let shape = PreparedShape(.corridor(line.map { Coordinate(plane: $0) }, width: 500))
            for _ in 0..<60 {
                let point = shapes.point(around: center, within: PlanePoint(0.03, 0.03))
                let scale = metresPerDegree(at: point)
                let expected = GEOSGeometry(line: line.map { ($0 - point) * scale }).distanceToBorder(from: .zero)
                let distance = shape.signedDistance(from: Coordinate(plane: point))
                #expect(abs(distance + 250 - expected) < 0.01 + expected * 0.001, "\(point)")
            }
        }
    }

    @Test("From a point to a circle it is as far as to its centre, less the radius")
    func circles() {
        let shape = PreparedShape(.circle(0, 180, radius: 1000))
        let degree = LocalPlane(latitude: 0).metresPerDegreeEast
        #expect(abs(shape.signedDistance(from: Coordinate(0, -179)) - (degree - 1000)) < 0.001)
        #expect(shape.signedDistance(from: Coordinate(0, -180)) == -1000)
    }

    /// RFC 7946 §3.1.9 has polygons cut at the antimeridian; nothing ends there on earth.
    @Test("Where several polygons meet there is no border: along the cut at 180°, along shared edges, inside another")
    func seams() {
        let whole = PreparedShape(.polygons([Polygon(south: 10, west: 178, north: 11, east: -179)]))
        let divided: [[Polygon]] = [
            [
                Polygon(south: 10, west: 178, north: 11, east: 180),
                Polygon(south: 10, west: -180, north: 11, east: -179),
            ],
            [
                Polygon(south: 10, west: 178, north: 11, east: 179),
                Polygon(south: 10, west: 179, north: 11, east: -179),
            ],
            [
                Polygon(south: 10, west: 178, north: 11, east: 179.5),
                Polygon(south: 10, west: 179, north: 11, east: -179),
            ],
            [
                Polygon(south: 10, west: 178, north: 11, east: -179),
                Polygon(south: 10.2, west: 179, north: 10.8, east: 180),
            ],
        ]
        for polygons in divided {
            let shape = PreparedShape(.polygons(polygons))
            for longitude in [177.9, 178.5, 179.02, 179.4, 179.99, -179.99, -179.6, -178] {
                for latitude in [10.05, 10.5, 11.2] {
                    let point = Coordinate(latitude, longitude)
                    #expect(
                        abs(shape.signedDistance(from: point) - whole.signedDistance(from: point)) < 0.01, "\(point)")
                }
            }
            #expect(shape.crossings(from: Coordinate(10.5, 178.2), to: Coordinate(10.5, -179.2)).isEmpty)
        }
    }

    @Test("A hole that reaches out of its polygon has a border only inside")
    func holeAcrossTheBorder() {
        let shape = PreparedShape(
            .polygon(
                [Coordinate(0, 0), Coordinate(0, 2), Coordinate(2, 2), Coordinate(2, 0)],
                holes: [[Coordinate(0.9, 1), Coordinate(0.9, 3), Coordinate(1.1, 3), Coordinate(1.1, 1)]]))
        let east = Coordinate(1, 2.5)
        #expect(!shape.contains(Coordinate(1, 1.5)))
        let corner = east.distance(to: Coordinate(1.1, 2))
        #expect(abs(shape.signedDistance(from: east) - corner) < corner * 0.0001)
    }

    @Test("What has no border is infinitely far")
    func nothing() {
        #expect(PreparedShape(.polygons([])).signedDistance(from: Coordinate(0, 0)) == .infinity)
        #expect(PreparedShape(.polygons([])).bounds.isEmpty)
    }

    private func metresPerDegree(at point: PlanePoint) -> PlanePoint {
        let plane = LocalPlane(latitude: point.y)
        return PlanePoint(plane.metresPerDegreeEast, plane.metresPerDegreeNorth)
    }
}
