import Geo

/// Roads within the snap distance of each of many points, found in one pass over the map.
struct NearbyRoads {
    /// Where a way comes nearest to a point.
    struct Foot {
        var way: Int
        /// Position of the segment's first node among the way's nodes.
        var segment: Int
        /// Along the segment, `0 ... 1`.
        var fraction: Double
        var distance: Metres
        /// Course of the way there, in the order of its nodes.
        var bearing: Degrees
        var position: Coordinate
    }

    /// By point: the nearest foot on each way that comes near enough, ways ascending.
    private(set) var feet: [[Foot]]
    private let points: [Coordinate]
    private let radius: Metres
    private let cells: [UInt64: [Int]]

    init(_ points: [Coordinate], radius: Metres) {
        self.points = points
        self.radius = radius
        feet = Array(repeating: [], count: points.count)
        cells = Dictionary(grouping: points.indices) { index in
            let cell = PointRecord(points[index])
            return ShapeGrid.key(ShapeGrid.cell(cell.latitude), ShapeGrid.cell(cell.longitude))
        }
    }

    /// - Parameter line: positions in the order of the way's nodes; nil where a node is missing.
    mutating func add(way: Int, _ line: [Coordinate?]) {
        for (point, segment, a, b, projection) in encounters(line) {
            let foot = Foot(
                way: way, segment: segment, fraction: projection.fraction, distance: projection.distance,
                bearing: a.bearing(to: b), position: a.interpolated(to: b, fraction: projection.fraction))
            if let last = feet[point].last, last.way == way {
                if foot.distance < last.distance { feet[point][feet[point].count - 1] = foot }
            } else {
                feet[point].append(foot)
            }
        }
    }

    private typealias Encounter = (
        point: Int, segment: Int, start: Coordinate, end: Coordinate, projection: SegmentProjection
    )

    /// Every segment of `line` that comes near a point, with that point.
    private func encounters(_ line: [Coordinate?]) -> [Encounter] {
        var found: [Encounter] = []
        for segment in line.indices.dropLast() {
            guard let a = line[segment], let b = line[segment + 1], a != b else { continue }
            for point in candidates(a, b) {
                let plane = LocalPlane(latitude: points[point].latitude)
                let projection = projectOrigin(
                    onto: plane.vector(from: points[point], to: a), plane.vector(from: points[point], to: b))
                if projection.distance <= radius { found.append((point, segment, a, b, projection)) }
            }
        }
        return found
    }

    /// Points in the cells that the box round a segment touches.
    private func candidates(_ a: Coordinate, _ b: Coordinate) -> [Int] {
        let plane = LocalPlane(latitude: max(a.latitude.magnitude, b.latitude.magnitude))
        let north = radius / plane.metresPerDegreeNorth
        let east = radius / max(plane.metresPerDegreeEast, 1)
        let low = Coordinate(
            latitude: min(a.latitude, b.latitude) - north, longitude: min(a.longitude, b.longitude) - east)
        let high = Coordinate(
            latitude: max(a.latitude, b.latitude) + north, longitude: max(a.longitude, b.longitude) + east)
        return ShapeGrid.cells(PointRecord(low), PointRecord(high)).flatMap { cells[$0] ?? [] }
    }
}
