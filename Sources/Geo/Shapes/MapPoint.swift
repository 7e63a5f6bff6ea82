/// A point of the map as a plane: x is the longitude in degrees, which runs on past ±180 where a line does, y the latitude.
typealias MapPoint = SIMD2<Double>

extension SIMD2<Double> {
    init(_ coordinate: Coordinate) {
        self.init(coordinate.longitude, coordinate.latitude)
    }

    var dotSelf: Double { x * x + y * y }

    /// In square metres, as `Coordinate.distance` has it; the way that the longitudes say, not the short one.
    func squaredDistance(to other: MapPoint) -> Double {
        ((other - self) * LocalPlane(latitude: (y + other.y) / 2).scale).dotSelf
    }
}

extension Coordinate {
    /// Brought back to `-180 ... 180`.
    init(_ point: MapPoint) {
        let turns = (point.x / 360).rounded()
        self.init(latitude: point.y, longitude: point.x - 360 * turns)
    }
}

extension LocalPlane {
    /// Metres per degree, east and north.
    var scale: SIMD2<Double> { SIMD2(metresPerDegreeEast, metresPerDegreeNorth) }
}

/// A rectangle of the map plane, empty until something is put in.
struct MapBox {
    var low = MapPoint(repeating: .infinity)
    var high = MapPoint(repeating: -.infinity)

    var size: MapPoint { high - low }
    var middle: MapPoint { (low + high) / 2 }

    mutating func include(_ point: MapPoint) {
        low = pointwiseMin(low, point)
        high = pointwiseMax(high, point)
    }

    mutating func include(_ box: MapBox) {
        low = pointwiseMin(low, box.low)
        high = pointwiseMax(high, box.high)
    }

    func meets(_ box: MapBox) -> Bool {
        low.x <= box.high.x && box.low.x <= high.x && low.y <= box.high.y && box.low.y <= high.y
    }

    /// From `point` to the nearest point of the box, squared, where a degree is `scale` long.
    func squaredDistance(to point: MapPoint, scale: SIMD2<Double>) -> Double {
        (pointwiseMax(pointwiseMax(low - point, point - high), .zero) * scale).dotSelf
    }

    /// A box that holds everything within `margin` of this one.
    func widened(by margin: Metres) -> MapBox {
        let north = margin / LocalPlane.metresPerDegreeNorthMin
        let plane = LocalPlane(latitude: min(90, max(low.y.magnitude, high.y.magnitude) + north))
        let degrees = MapPoint(margin / plane.metresPerDegreeEast, north)
        return MapBox(low: low - degrees, high: high + degrees)
    }
}

/// A straight line on the map.
struct Edge {
    var start: MapPoint
    var end: MapPoint

    var direction: MapPoint { end - start }

    var box: MapBox {
        MapBox(low: pointwiseMin(start, end), high: pointwiseMax(start, end))
    }

    func point(at fraction: Double) -> MapPoint { start + direction * fraction }

    func shifted(by degrees: Double) -> Edge {
        Edge(start: start + MapPoint(degrees, 0), end: end + MapPoint(degrees, 0))
    }
}

/// Twice the area of the triangle that the two vectors span, positive where `b` lies to the left of `a`.
func cross(_ a: MapPoint, _ b: MapPoint) -> Double { a.x * b.y - a.y * b.x }

extension Sequence<Coordinate> {
    /// The points one after the other, each at the longitude next to the one before: a line that runs on past 180°
    /// instead of jumping back. Points repeated in a row are left out.
    func unrolled() -> [MapPoint] {
        var points: [MapPoint] = []
        var shift = 0.0
        var last: Coordinate?
        for coordinate in self {
            if let last {
                // Whole turns only are added, so that one coordinate gives one longitude wherever it stands.
                let difference = coordinate.longitude - last.longitude
                if difference >= 180 { shift -= 360 } else if difference < -180 { shift += 360 }
            }
            last = coordinate
            let point = MapPoint(coordinate.longitude + shift, coordinate.latitude)
            if point != points.last { points.append(point) }
        }
        return points
    }
}
