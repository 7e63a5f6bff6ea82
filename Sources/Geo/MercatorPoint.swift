import func Foundation.asinh
import func Foundation.atan
import func Foundation.sinh
import func Foundation.tan

/// A place on the square that web maps roll the earth out to: x from 0 in the west to 1 in the east, y from 0 in the north to
/// 1 in the south (EPSG:3857, scaled).
public struct MercatorPoint: Equatable, Sendable {
    /// Where the square ends; the poles lie infinitely far.
    public static let latitudeMax: Degrees = 85.051_128_779_806_59

    public var x: Double
    public var y: Double

    public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

    public init(_ position: Coordinate) {
        let latitude = min(max(position.latitude, -Self.latitudeMax), Self.latitudeMax) * .pi / 180
        x = (position.longitude + 180) / 360
        y = (1 - asinh(tan(latitude)) / .pi) / 2
    }

    public var coordinate: Coordinate {
        Coordinate(latitude: atan(sinh(.pi * (1 - 2 * y))) * 180 / .pi, longitude: x * 360 - 180)
    }
}
