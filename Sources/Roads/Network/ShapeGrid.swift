import Algorithms
public import Geo

/// The grid over a road file's shapes: cells of 0.0025° (some 280 m north, 280 m · cos φ east), sorted by key.
enum ShapeGrid {
    /// In 1e-7 degrees. At map matching's largest search radius (100 m) a search reads at most four cells below 60°.
    static let cellSize: Int64 = 25_000

    static func cell(_ fixed: Int32) -> Int64 { (Int64(fixed) + 1_800_000_000) / cellSize }

    static func key(_ row: Int64, _ column: Int64) -> UInt64 { UInt64(row) << 32 | UInt64(column) }

    static func row(ofKey key: UInt64) -> Int64 { Int64(key >> 32) }

    static func column(ofKey key: UInt64) -> Int64 { Int64(key & 0xFFFF_FFFF) }

    /// The eastern end of the grid: 180°.
    static let columnMax = cell(1_800_000_000)

    /// Where a row begins in the south, or a column in the west.
    static func degrees(_ cell: Int64) -> Degrees { Degrees(cell * cellSize - 1_800_000_000) / 1e7 }

    /// Beyond so many cells a segment, of some 20 km, has those of its box left out that it does not come near: a node whose
    /// coordinates are wrong would fill the memory.
    private static let boxCellsMax = 10_000

    /// Cell keys touched by the box round a segment, in order; of a very long one those that it comes to, and some beside them.
    static func cells(_ a: PointRecord, _ b: PointRecord) -> [UInt64] {
        let rows = cell(min(a.latitude, b.latitude))...cell(max(a.latitude, b.latitude))
        let columns = cell(min(a.longitude, b.longitude))...cell(max(a.longitude, b.longitude))
        let isLong = rows.count * columns.count > boxCellsMax && rows.count > 1
        return rows.flatMap { row in
            (isLong ? columns.clamped(to: self.columns(of: row, a, b)) : columns).map { key(row, $0) }
        }
    }

    /// In which columns a segment passes a row that it comes to, and one more on either side.
    private static func columns(of row: Int64, _ a: PointRecord, _ b: PointRecord) -> ClosedRange<Int64> {
        let height = Double(b.latitude) - Double(a.latitude)
        let borders = [row, row + 1].map { row -> Int64 in
            let latitude = Double(row * cellSize - 1_800_000_000)
            let fraction = min(max((latitude - Double(a.latitude)) / height, 0), 1)
            let longitude = Double(a.longitude) + fraction * (Double(b.longitude) - Double(a.longitude))
            return cell(Int32(longitude.rounded()))
        }
        return (min(borders[0], borders[1]) - 1)...(max(borders[0], borders[1]) + 1)
    }
}

/// An edge near a point: how far, and where along it.
public struct NearbyEdge: Hashable, Sendable {
    public var edge: EdgeID
    public var distance: Metres
    /// From the edge's start to the foot of the perpendicular.
    public var offset: Metres
    /// Course of the edge there.
    public var bearing: Degrees
}

extension RoadNetwork {
    /// Both directions of every road within `radius` of `position`, in the order of edge ids.
    public func edges(within radius: Metres, of position: Coordinate) -> [NearbyEdge] {
        guard position.isValid else { return [] }
        let plane = LocalPlane(latitude: position.latitude)
        // A metre more than rounding takes.
        let box = FixedBox(round: position, radius + 1, plane)
        let near = shapeEdges(in: box)
        var found: [NearbyEdge] = []
        found.reserveCapacity(2 * near.count)
        // Roads lie in several cells.
        for (index, primary) in near.enumerated() where index == 0 || primary != near[index - 1] {
            let primary = EdgeID(primary)
            guard let foot = foot(of: position, on: primary, plane), foot.distance <= radius else { continue }
            found.append(foot)
            if let reverse = reverse(primary) {
                found.append(
                    NearbyEdge(
                        edge: reverse, distance: foot.distance, offset: length(reverse) - foot.offset,
                        bearing: (foot.bearing + 180).truncatingRemainder(dividingBy: 360)))
            }
        }
        found.sort { $0.edge < $1.edge }
        return found
    }

    /// One edge for each shape that a box may meet, sorted; one may be there several times.
    private func shapeEdges(in box: FixedBox) -> [UInt32] {
        var found: [UInt32] = []
        found.reserveCapacity(128)
        let columns = (first: ShapeGrid.cell(box.low.longitude), last: ShapeGrid.cell(box.high.longitude))
        for row in ShapeGrid.cell(box.low.latitude)...ShapeGrid.cell(box.high.latitude) {
            // The cells of a row lie one behind the other.
            let last = ShapeGrid.key(row, columns.last)
            var cell = cells.partitioningIndex { [first = ShapeGrid.key(row, columns.first)] in $0.key >= first }
            while cell + 1 < cells.count, cells[cell].key <= last {
                for item in cells[cell].start..<cells[cell + 1].start { found.append(cellItems[item]) }
                cell += 1
            }
        }
        // Step by step, so that memory is fetched for many edges at once: waiting for it takes most of the time.
        let lines = found.map { edges[$0].shape }.map { shapes[$0] }
        var count = 0
        for (item, line) in lines.enumerated() where box.mayMeet(line, points) {
            found[count] = found[item]
            count += 1
        }
        found.removeLast(found.count - count)
        found.sort()
        return found
    }

    /// The nearest point of an edge. Nil for an edge without points, which a sound file does not have.
    public func foot(of position: Coordinate, on edge: EdgeID, _ plane: LocalPlane) -> NearbyEdge? {
        var best: (projection: SegmentProjection, segment: Vector, offset: Metres)?
        var before: Metres = 0
        let line = points(of: edge)
        guard let first = line.first else { return nil }
        var start = plane.vector(from: position, to: first)
        for point in line.dropFirst() {
            let end = plane.vector(from: position, to: point)
            defer { start = end }
            let length = (end - start).length
            let projection = projectOrigin(onto: start, end)
            if projection.distance < best?.projection.distance ?? .infinity {
                best = (projection, end - start, before + projection.fraction * length)
            }
            before += length
        }
        return best.map { best in
            NearbyEdge(
                edge: edge, distance: best.projection.distance, offset: best.offset, bearing: best.segment.bearing)
        }
    }
}

/// A rectangle as road files have coordinates.
private struct FixedBox {
    let low: PointRecord
    let high: PointRecord

    init(round position: Coordinate, _ radius: Metres, _ plane: LocalPlane) {
        let north = radius / plane.metresPerDegreeNorth
        let east = radius / max(plane.metresPerDegreeEast, 1)
        low = PointRecord(Coordinate(latitude: position.latitude - north, longitude: position.longitude - east))
        high = PointRecord(Coordinate(latitude: position.latitude + north, longitude: position.longitude + east))
    }

    /// Whether the box round any part of a line meets this one. Of most edges in the cells none does, and to find that out
    /// costs a tenth of finding the nearest point.
    func mayMeet(_ line: ShapeRecord, _ points: Table<PointRecord>) -> Bool {
        guard line.count > 0 else { return false }
        var start = points[line.start]
        for index in 1..<max(1, Int(line.count)) {
            let end = points[Int(line.start) + index]
            if min(start.longitude, end.longitude) <= high.longitude,
                max(start.longitude, end.longitude) >= low.longitude,
                min(start.latitude, end.latitude) <= high.latitude, max(start.latitude, end.latitude) >= low.latitude
            {
                return true
            }
            start = end
        }
        return false
    }
}

extension PointRecord {
    /// Rounded to OSM's 1e-7 degrees; out of range is clamped.
    init(_ coordinate: Coordinate) {
        latitude = Int32((min(max(coordinate.latitude, -90), 90) * 1e7).rounded())
        longitude = Int32((min(max(coordinate.longitude, -180), 180) * 1e7).rounded())
    }

    /// Along the Hilbert curve through all that the two numbers can be.
    var hilbertDistance: UInt64 {
        HilbertCurve.distance(x: UInt32(bitPattern: longitude) ^ 1 << 31, y: UInt32(bitPattern: latitude) ^ 1 << 31)
    }
}
