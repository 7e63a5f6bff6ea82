import func Foundation.cos
import func Foundation.sin
import Geo
import Hashing
import Messages

/// Where vehicles and fences are.
struct Square {
    /// Of the circles, where nothing else is wanted.
    private static let radii: ClosedRange<Metres> = 100...800

    let center: Coordinate
    private let halfHeight: Degrees
    private let halfWidth: Degrees
    private let area: Double

    /// - Parameter side: in metres.
    init(center: Coordinate, side: Metres) {
        let plane = LocalPlane(latitude: center.latitude)
        self.center = center
        halfHeight = side / plane.metresPerDegreeNorth / 2
        halfWidth = side / plane.metresPerDegreeEast / 2
        area = side * side
    }

    func contains(_ place: Coordinate) -> Bool {
        (place.latitude - center.latitude).magnitude <= halfHeight
            && (place.longitude - center.longitude).magnitude <= halfWidth
    }

    func place(_ random: inout SplitMix64) -> Coordinate {
        Coordinate(
            latitude: center.latitude + (2 * random.fraction() - 1) * halfHeight,
            longitude: center.longitude + (2 * random.fraction() - 1) * halfWidth)
    }

    /// Circles at random places, their radii evenly distributed.
    ///
    /// - Parameter inside: of so many a place is inside on average; nil: radii are as they are.
    func circles(_ count: Int, inside: Double?, seed: UInt64) -> [Fence] {
        let (least, most) = (Self.radii.lowerBound, Self.radii.upperBound)
        let meanArea = Double.pi * (least * least + least * most + most * most) / 3
        let scale = inside.map { ($0 * area / (Double(count) * meanArea)).squareRoot() } ?? 1
        var random = SplitMix64(seed: seed)
        return (0..<count).map { index in
            let circle = Circle(
                center: place(&random), radius: scale * (least + (most - least) * random.fraction()))
            return Fence(id: "circle-\(index)", shape: .circle(circle))
        }
    }
}

extension Coordinate {
    /// So far along a course.
    func moved(_ distance: Metres, towards course: Degrees) -> Coordinate {
        let radians = course * .pi / 180
        let step = Vector(east: distance * sin(radians), north: distance * cos(radians))
        return LocalPlane(latitude: latitude).coordinate(step, from: self)
    }
}

extension Bounds {
    var middle: Coordinate {
        Coordinate(latitude: south, longitude: west)
            .interpolated(to: Coordinate(latitude: north, longitude: east), fraction: 0.5)
    }
}
