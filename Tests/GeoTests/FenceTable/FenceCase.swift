import Fleet
import func Foundation.cos
import func Foundation.pow
import Geo
import Messages

/// A fence, and a truck that drives along a geodesic, stops at its end and stands there.
struct FenceCase: CustomStringConvertible {
    enum Kind: String, CaseIterable {
        case circle, largeCircle, polygon, multipolygon, antimeridian, polar, corridor
    }

    var kind: Kind
    var shape: Shape
    var start: Coordinate
    var bearing: Degrees
    /// How far the truck drives.
    var length: Metres
    var speed: MetresPerSecond
    /// Between two fixes.
    var interval: Seconds

    /// What the truck's fixes say of themselves.
    static let accuracy: Metres = 3
    /// How long it stands.
    private static let standing: Seconds = 300

    var description: String {
        "\(kind.rawValue): \(shape), from \(start) by \(bearing)° for \(length) m at \(speed) m/s, every \(interval) s"
    }

    /// When fixes are taken, and how far along the way.
    var fixes: [(time: Seconds, way: Metres)] {
        stride(from: 0, through: length / speed + Self.standing, by: interval).map { ($0, min(length, $0 * speed)) }
    }
}

/// Draws cases.
struct FenceCaseDraw {
    private var shapes: RandomShapes

    init(seed: UInt64) { shapes = RandomShapes(seed: seed) }

    private mutating func random(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &shapes.random) }

    /// Where a truck drives past: on the border or in the fence.
    private struct Target {
        var shape: Shape
        var place: Coordinate
    }

    mutating func next(_ kind: FenceCase.Kind) throws -> FenceCase {
        let target = try target(kind)
        let speed = random(5...30)
        let before = random(300...3000)
        let bearing = random(0...360)
        let start = try GeodSolve.places([(from: target.place, bearing: bearing + 180, distance: before)])[0]
        // On a geodesic that begins at the start: the bearing there is not that at the target.
        let onward = try GeodSolve.bearing(from: start, to: target.place)
        let interval = [1.0, 5, 10, 30].randomElement(using: &shapes.random)!
        // It stops where a fix is taken: nobody can tell when it slowed down between two.
        let steps = ((before + random(50...3000)) / (speed * interval)).rounded(.up)
        return FenceCase(
            kind: kind, shape: target.shape, start: start, bearing: onward, length: steps * speed * interval,
            speed: speed,
            interval: interval)
    }

    private mutating func target(_ kind: FenceCase.Kind) throws -> Target {
        switch kind {
        case .circle: try circle(logRadius: 1...4.2, latitude: -75...75)
        case .largeCircle: try circle(logRadius: 4.2...6, latitude: -85...85)
        case .polygon: polygons(1, center: PlanePoint(random(-179...179), random(-75...75)))
        case .multipolygon: polygons(3, center: PlanePoint(random(-179...179), random(-75...75)))
        case .antimeridian:
            random(0...1) < 0.5
                ? polygons(2, center: PlanePoint(180, random(-75...75)))
                : try circle(logRadius: 2...6, latitude: -75...75, longitude: 179.99)
        case .polar:
            random(0...1) < 0.5
                ? polygons(1, center: PlanePoint(random(-179...179), random(80...88)))
                : try circle(logRadius: 2...6, latitude: random(0...1) < 0.2 ? 90...90 : 86...90)
        case .corridor: corridor()
        }
    }

    private mutating func circle(
        logRadius: ClosedRange<Double>, latitude: ClosedRange<Degrees>, longitude: Degrees? = nil
    ) throws -> Target {
        let center = Coordinate(random(latitude), longitude ?? random(-180...180))
        let radius = pow(10, random(logRadius))
        let place = try GeodSolve.places([(from: center, bearing: random(0...360), distance: radius * random(0.97...1))]
        )
        return Target(shape: .circle(Circle(center: center, radius: radius)), place: place[0])
    }

    /// With holes, beside each other. From eight points on no gap between two is so wide that a hole reaches out of it.
    private mutating func polygons(_ count: Int, center: PlanePoint) -> Target {
        let size = PlanePoint(random(0.005...0.05) / cos(center.y * .pi / 180), random(0.005...0.05))
        let rings = (0..<count).map { number in
            shapes.polygon(center + size * Double(number) * 1.3, size: size, points: Int(random(8...30)))
        }
        let place = shapes.point(around: center, within: size)
        return Target(shape: .polygons(rings.map { Polygon(plane: $0) }), place: Coordinate(plane: place))
    }

    private mutating func corridor() -> Target {
        var line = [PlanePoint(random(-180...180), random(-70...70))]
        for _ in 0..<Int(random(1...4)) {
            let step = PlanePoint(random(-0.03...0.03), random(-0.03...0.03))
            line.append(line[line.count - 1] + step)
        }
        let width = pow(10, random(1.8...3.3))
        let place = line[0] + (line[1] - line[0]) * random(0...1)
        return Target(
            shape: .corridor(line.map { Coordinate(plane: $0) }, width: width), place: Coordinate(plane: place))
    }
}
