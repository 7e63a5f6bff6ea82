/// A rectangle of latitudes and longitudes, its border included.
///
/// Where `west` is greater than `east` it runs across the antimeridian.
public struct Bounds: Hashable, Sendable, Codable {
    public var south: Degrees
    public var west: Degrees
    public var north: Degrees
    public var east: Degrees

    @inlinable
    public init(south: Degrees, west: Degrees, north: Degrees, east: Degrees) {
        self.south = south
        self.west = west
        self.north = north
        self.east = east
    }

    /// Both points and the straight line between them, the short way round.
    public init(_ a: Coordinate, _ b: Coordinate) {
        let isEastward = shortestLongitude(from: a.longitude, to: b.longitude) >= 0
        self.init(
            south: min(a.latitude, b.latitude), west: isEastward ? a.longitude : b.longitude,
            north: max(a.latitude, b.latitude), east: isEastward ? b.longitude : a.longitude)
    }

    @inlinable public var crossesAntimeridian: Bool { west > east }

    /// One box, or two where it crosses the antimeridian: none of them does.
    public var cut: [Bounds] {
        guard crossesAntimeridian else { return [self] }
        return [
            Bounds(south: south, west: west, north: north, east: 180),
            Bounds(south: south, west: -180, north: north, east: east),
        ]
    }

    @inlinable
    public func contains(_ coordinate: Coordinate) -> Bool {
        guard coordinate.latitude >= south, coordinate.latitude <= north else { return false }
        return crossesAntimeridian
            ? coordinate.longitude >= west || coordinate.longitude <= east
            : coordinate.longitude >= west && coordinate.longitude <= east
    }

    @inlinable
    public func meets(_ other: Bounds) -> Bool {
        guard south <= other.north, other.south <= north else { return false }
        return switch (crossesAntimeridian, other.crossesAntimeridian) {
        case (false, false): west <= other.east && other.west <= east
        case (true, true): true
        default: west <= other.east || other.west <= east
        }
    }

    /// A rectangle that holds everything within `margin` of this one.
    ///
    /// Metres become degrees at the latitude where they are most; from a pole on all longitudes are in it.
    public func widened(by margin: Metres) -> Bounds {
        let south = max(-90, south - margin / LocalPlane.metresPerDegreeNorthMin)
        let north = min(90, north + margin / LocalPlane.metresPerDegreeNorthMin)
        let plane = LocalPlane(latitude: max(south.magnitude, north.magnitude))
        let margin = margin / plane.metresPerDegreeEast
        let width = crossesAntimeridian ? east - west + 360 : east - west
        guard width + 2 * margin < 360 else { return Bounds(south: south, west: -180, north: north, east: 180) }
        return Bounds(
            south: south, west: Self.west(west - margin), north: north, east: Self.east(east + margin))
    }

    /// A western limit brought back to `-180 ... 180`. One on the antimeridian is called 180: then the rectangle crosses it,
    /// and holds points that call it -180 as well as those that call it 180.
    private static func west(_ longitude: Degrees) -> Degrees {
        longitude <= -180 ? longitude + 360 : longitude
    }

    /// An eastern limit brought back; one on the antimeridian is called -180.
    private static func east(_ longitude: Degrees) -> Degrees {
        longitude >= 180 ? longitude - 360 : longitude
    }
}

extension Bounds {
    /// The smallest rectangle that holds all `boxes`, across the antimeridian where that is shorter. Nil where there is none.
    public init?(enclosing boxes: [Bounds]) {
        self.init(
            enclosing: boxes.map { box in
                MapBox(
                    low: MapPoint(box.west, box.south),
                    high: MapPoint(box.crossesAntimeridian ? box.east + 360 : box.east, box.north))
            })
    }

    /// The smallest rectangle that holds all `boxes`, which may lie beyond ±180°: what it leaves out is the widest gap
    /// between them on the way round the earth. Nil where there is none.
    init?(enclosing boxes: [MapBox]) {
        var whole = MapBox()
        for box in boxes { whole.include(box) }
        guard whole.low.y <= whole.high.y else { return nil }
        guard whole.low.x <= -180 || whole.high.x >= 180 || whole.high.x - whole.low.x >= 180 else {
            // The gap behind the earth is the widest.
            self.init(south: whole.low.y, west: whole.low.x, north: whole.high.y, east: whole.high.x)
            return
        }
        self.init(south: whole.low.y, west: -180, north: whole.high.y, east: 180)

        let spans = boxes.map { box in
            let turn = 360 * ((box.low.x + 180) / 360).rounded(.down)
            return (west: box.low.x - turn, east: box.high.x - turn)
        }.sorted { $0.west < $1.west }
        var reached = spans[0].east
        var widest = 0.0
        for next in spans.dropFirst() + [(west: spans[0].west + 360, east: 0)] {
            if next.west - reached > widest {
                widest = next.west - reached
                (west, east) = (Self.west(next.west >= 180 ? next.west - 360 : next.west), Self.east(reached))
            }
            reached = max(reached, next.east)
        }
    }
}

extension LocalPlane {
    /// At the equator, where a degree of latitude is shortest.
    @usableFromInline static let metresPerDegreeNorthMin: Metres = 110_574
    /// At the equator a degree of longitude is the radius long times π/180; elsewhere at least the cosine of that.
    @usableFromInline static let metresPerDegreeEastMax: Metres = 111_319
}
