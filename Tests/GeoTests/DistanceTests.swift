import Geo
import Hashing
import Testing

import func Foundation.cos
import func Foundation.pow
import func Foundation.sin

@Suite(.enabled(if: GeodSolve.isThere, "needs GeodSolve of geographiclib-tools"))
struct DistanceTests {
    @Test(
        "Distances below 70° are the geodesics to a millionth up to 10 km, and to 25 millionths up to 50 km",
        arguments: [(10_000.0, 1e-6), (50_000, 2.5e-5)])
    func distances(longest: Metres, tolerance: Double) throws {
        var random = SplitMix64(seed: 17)
        let pairs = (0..<10_000).map { _ in
            let start = Coordinate(.random(in: -69.5...69.5, using: &random), .random(in: -180...180, using: &random))
            let plane = LocalPlane(latitude: start.latitude)
            let reach = Metres.random(in: 1...longest, using: &random)
            let bearing = Double.random(in: 0...2 * .pi, using: &random)
            let end = plane.coordinate(Vector(east: reach * sin(bearing), north: reach * cos(bearing)), from: start)
            return (start, Coordinate(plane: PlanePoint(end.longitude, end.latitude)))
        }.filter { abs($0.1.latitude) < 70 }
        for (pair, geodesic) in zip(pairs, try GeodSolve.distances(pairs)) {
            let error = abs(pair.0.distance(to: pair.1) - geodesic) / geodesic
            #expect(error < tolerance, "\(pair)")
        }
    }

    @Test("Geodesic distances up to 5,000 km, at the poles and across the antimeridian too, are right to a centimetre")
    func geodesics() throws {
        var random = SplitMix64(seed: 18)
        let starts = (0..<6_000).map { index in
            let latitude: Degrees =
                switch index % 4 {
                case 0: .random(in: 88...90, using: &random)
                case 1: [-90, 90, 0, 70, -70][index / 4 % 5]
                default: .random(in: -90...90, using: &random)
                }
            let longitude: Degrees =
                index % 3 == 0 ? [180, -180, 179.9][index / 3 % 3] : .random(in: -180...180, using: &random)
            let exponent = Double.random(in: 0...6.7, using: &random)
            return (
                from: Coordinate(latitude, longitude), bearing: Degrees.random(in: 0...360, using: &random),
                distance: pow(10, exponent)
            )
        }
        for (start, end) in zip(starts, try GeodSolve.places(starts)) {
            let error = abs(Geodesic.distance(from: start.from, to: end) - start.distance)
            #expect(error < 0.01, "\(start) to \(end)")
        }
    }

    @Test("Almost opposite to each other, points are half the earth apart to half a per cent")
    func antipodes() throws {
        let pairs = [(Coordinate(0, 0), Coordinate(0.2, 179.8)), (Coordinate(30, 10), Coordinate(-30, -170))]
        for (pair, geodesic) in zip(pairs, try GeodSolve.distances(pairs)) {
            #expect(abs(Geodesic.distance(from: pair.0, to: pair.1) - geodesic) < 0.005 * geodesic)
        }
    }

    @Test(
        "The border of a circle of any size is where GeographicLib has it, to a centimetre",
        arguments: [10.0, 1e3, 15e3, 1e5, 1e6])
    func circles(radius: Metres) throws {
        var random = SplitMix64(seed: 19)
        let centers = [
            Coordinate(52, 13), Coordinate(-17, 179.99), Coordinate(89.9, 40), Coordinate(-90, 0),
            Coordinate(81.5, -180),
        ]
        for center in centers {
            let starts = (0..<200).map { index in
                (
                    from: center, bearing: Degrees(index) * 1.8,
                    distance: radius * (1 + .random(in: -0.2...0.2, using: &random))
                )
            }
            let shape = PreparedShape(.circle(Circle(center: center, radius: radius)))
            for (start, place) in zip(starts, try GeodSolve.places(starts)) {
                #expect(abs(shape.signedDistance(from: place) - (start.distance - radius)) < 0.01, "\(start)")
                #expect(shape.contains(place) == (start.distance <= radius), "\(start)")
                #expect(start.distance > radius || shape.bounds.contains { $0.contains(place) }, "\(start)")
            }
        }
    }
}
