import Geo
import Testing

@Suite struct ShapeCrossingTests {
    /// Two degrees wide and high, from the equator up, with a hole in the middle.
    private static let square = Shape.polygon(
        [Coordinate(0, 10), Coordinate(0, 12), Coordinate(2, 12), Coordinate(2, 10)],
        holes: [[Coordinate(0.5, 10.5), Coordinate(0.5, 11.5), Coordinate(1.5, 11.5), Coordinate(1.5, 10.5)]])

    @Test(
        "Only real changes of side are crossings",
        arguments: [
            // Through the hole; beside it; from the hole; inside all the way; past it.
            (Coordinate(1, 9), Coordinate(1, 13), [0.25, 0.375, 0.625, 0.75], true),
            (Coordinate(0.25, 9), Coordinate(0.25, 13), [0.25, 0.75], true),
            (Coordinate(1, 11), Coordinate(1, 13), [0.25, 0.5], true),
            (Coordinate(0.25, 10.5), Coordinate(0.25, 11.5), [], true),
            (Coordinate(3, 9), Coordinate(3, 13), [], true),
            // Touching a corner, going in through a corner, and from corner to corner.
            (Coordinate(-1, 11), Coordinate(1, 9), [], true),
            (Coordinate(-1, 9), Coordinate(0.25, 10.25), [0.8], true),
            (Coordinate(-1, 9), Coordinate(3, 13), [0.25, 0.375, 0.625, 0.75], true),
            // Touching the hole's corner from inside.
            (Coordinate(0.25, 10.75), Coordinate(0.75, 10.25), [], false),
            // Along an edge: past it on both ends, from it to the inside, and from the outside into it by its corner.
            (Coordinate(0, 9), Coordinate(0, 13), [], true),
            (Coordinate(0.5, 10.25), Coordinate(0.5, 11.75), [], false),
            // To the border, from the border out, from the border in: a border is inside.
            (Coordinate(1, 9), Coordinate(1, 10), [1], true),
            (Coordinate(1, 10), Coordinate(1, 9), [0], false),
            (Coordinate(0.25, 10), Coordinate(0.25, 11), [], false),
            // No way at all.
            (Coordinate(1, 10), Coordinate(1, 10), [], false),
        ])
    func square(from: Coordinate, to: Coordinate, fractions: [Double], entersFirst: Bool) {
        let crossings = PreparedShape(Self.square).crossings(from: from, to: to)
        #expect(crossings.map(\.isEntering) == fractions.indices.map { ($0 % 2 == 0) == entersFirst })
        #expect(zip(crossings, fractions).allSatisfy { abs($0.fraction - $1) < 1e-9 })
        #expect(crossings.count == fractions.count)
    }

    @Test("A slanted edge that is run along is not crossed over and over")
    func alongASlantedEdge() {
        let corners = [Coordinate(49.1, 8.3), Coordinate(49.123, 8.371), Coordinate(49.2, 8.3)]
        let shape = PreparedShape(.polygon(corners))
        let before = corners[0].interpolated(to: corners[1], fraction: -0.3)
        let after = corners[0].interpolated(to: corners[1], fraction: 1.7)
        #expect(shape.crossings(from: before, to: after).isEmpty)
        let inside = PreparedShape(.polygon(corners + [Coordinate(49.1, 8.2)]))
        #expect(inside.crossings(from: before, to: after).filter(\.isEntering).count <= 1)
    }

    @Test("A tangent of a circle does not cross it, and a chord does twice")
    func tangents() {
        let circle = PreparedShape(.circle(50, 180, radius: 1000))
        for (offset, count) in [(1000.02, 0), (1000, 0), (999.98, 2), (0, 2)] {
            let latitude = latitude(of: offset, northOf: 50)
            let crossings = circle.crossings(from: Coordinate(latitude, 179.9), to: Coordinate(latitude, -179.9))
            #expect(crossings.count == count, "\(offset) m from the centre")
        }
    }

    /// The nearest place on a meridian beside a large circle is not at the latitude of its centre.
    @Test("A way that goes into a circle by two centimetres crosses it twice", arguments: [100.0, 10_000, 500_000])
    func grazes(reach: Metres) {
        let center = Coordinate(60, 179.9)
        let longitude = 179.9 + reach / LocalPlane(latitude: 60).metresPerDegreeEast
        let way = [59.0, 64].map { Coordinate(plane: PlanePoint(longitude, $0)) }
        var (low, high) = (0.0, 1.0)
        func distance(_ fraction: Double) -> Metres {
            Geodesic.distance(from: center, to: way[0].interpolated(to: way[1], fraction: fraction))
        }
        for _ in 0..<100 {
            let (a, b) = (low + (high - low) / 3, high - (high - low) / 3)
            if distance(a) < distance(b) { high = b } else { low = a }
        }
        for (depth, count) in [(0.02, 2), (-0.02, 0)] {
            let circle = PreparedShape(.circle(Circle(center: center, radius: distance(low) + depth)))
            #expect(circle.crossings(from: way[0], to: way[1]).count == count, "\(depth) m deep")
        }
    }

    @Test("The ends of a corridor are round, and its bends do not count")
    func corridor() {
        let shape = PreparedShape(
            .corridor([Coordinate(50, 8), Coordinate(50, 8.01), Coordinate(50.01, 8.01)], width: 200))
        #expect(
            shape.crossings(from: Coordinate(50, 7.99), to: Coordinate(50, 8.02)).map(\.isEntering) == [true, false])
        #expect(
            shape.crossings(from: Coordinate(50, 8), to: Coordinate(50.01, 8.01)).map(\.isEntering) == [false, true])
        let beyond = latitude(of: 99, northOf: 50)
        #expect(shape.crossings(from: Coordinate(beyond, 7.99), to: Coordinate(beyond, 8.005)).count == 1)
        #expect(shape.crossings(from: Coordinate(50.005, 7.99), to: Coordinate(50.005, 8.02)).count == 2)
    }

    @Test("Between two crossings all is on one side, and a crossing is on the border", arguments: 1...8)
    func everyShape(seed: UInt64) {
        var shapes = RandomShapes(seed: seed)
        let centers = [PlanePoint(8.5, 49.5), PlanePoint(180, -60), PlanePoint(-180, 5)]
        let center = centers[Int(seed) % centers.count]
        let size = PlanePoint(0.02, 0.02) * (seed > 6 ? 20 : 1)
        let line = shapes.star(center, size: size, radii: 0.3...1, points: 6).map { Coordinate(plane: $0) }
        for shape in [
            Shape.polygons(
                (0..<2).map { number in
                    Polygon(plane: shapes.polygon(center + size * Double(number) * 0.8, size: size, points: 12))
                }),
            .circle(Circle(center: Coordinate(plane: center), radius: size.x * 40_000)),
            .corridor(line, width: size.x * 20_000),
        ] {
            let prepared = PreparedShape(shape)
            for _ in 0..<40 {
                let from = Coordinate(plane: shapes.point(around: center, within: size * 1.5))
                let to = Coordinate(plane: shapes.point(around: center, within: size * 1.5))
                check(prepared, from: from, to: to)
            }
        }
    }

    private func check(_ shape: PreparedShape, from: Coordinate, to: Coordinate) {
        let crossings = shape.crossings(from: from, to: to)
        func point(_ fraction: Double) -> Coordinate {
            let point = from.interpolated(to: to, fraction: fraction)
            return Coordinate(plane: PlanePoint(point.longitude, point.latitude))
        }
        var isInside = shape.contains(from)
        for crossing in crossings {
            #expect(crossing.isEntering != isInside)
            isInside = crossing.isEntering
            #expect(abs(shape.signedDistance(from: point(crossing.fraction))) < 0.01, "\(from) to \(to): \(crossing)")
        }
        #expect(isInside == shape.contains(to), "\(from) to \(to)")
        for fraction in stride(from: 0.0, through: 1, by: 1.0 / 512) {
            let expected = crossings.last { $0.fraction <= fraction }?.isEntering ?? shape.contains(from)
            let distance = shape.signedDistance(from: point(fraction))
            #expect(abs(distance) < 0.01 || (distance < 0) == expected, "\(from) to \(to) at \(fraction)")
        }
    }

    /// So far north that `Coordinate.distance` is `metres`.
    private func latitude(of metres: Metres, northOf latitude: Degrees) -> Degrees {
        var north = latitude
        for _ in 0..<4 { north = latitude + metres / LocalPlane(latitude: (latitude + north) / 2).metresPerDegreeNorth }
        return north
    }
}
