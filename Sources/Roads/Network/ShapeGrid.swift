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

    /// Cell keys touched by the box round a segment.
    static func cells(_ a: PointRecord, _ b: PointRecord) -> [UInt64] {
        let rows = cell(min(a.latitude, b.latitude))...cell(max(a.latitude, b.latitude))
        let columns = cell(min(a.longitude, b.longitude))...cell(max(a.longitude, b.longitude))
        return rows.flatMap { row in columns.map { key(row, $0) } }
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
        let plane = LocalPlane(latitude: position.latitude)
        var found: [NearbyEdge] = []
        for primary in shapeEdges(within: radius, of: position, plane) {
            guard mayBeWithin(radius, of: position, primary, plane),
                let foot = foot(of: position, on: primary, plane), foot.distance <= radius
            else { continue }
            found.append(foot)
            if let reverse = reverse(primary) {
                found.append(
                    NearbyEdge(
                        edge: reverse, distance: foot.distance, offset: length(reverse) - foot.offset,
                        bearing: (foot.bearing + 180).truncatingRemainder(dividingBy: 360)))
            }
        }
        return found.sorted { $0.edge < $1.edge }
    }

    /// Whether the box round any part of an edge is within a radius. Of most edges in the cells none is, and to find that out
    /// costs a tenth of finding the nearest point.
    private func mayBeWithin(
        _ radius: Metres, of position: Coordinate, _ edge: EdgeID, _ plane: LocalPlane
    ) -> Bool {
        let line = points(of: edge)
        // A millimetre more than rounding takes.
        let reach = radius + 0.001
        var start: Vector?
        for index in 0..<line.count {
            let end = plane.vector(from: position, to: line[index])
            if let start, min(start.east, end.east) <= reach, max(start.east, end.east) >= -reach,
                min(start.north, end.north) <= reach, max(start.north, end.north) >= -reach
            {
                return true
            }
            start = end
        }
        return false
    }

    /// One edge for each shape in the cells round `position`, sorted, each once.
    private func shapeEdges(within radius: Metres, of position: Coordinate, _ plane: LocalPlane) -> [EdgeID] {
        let north = radius / plane.metresPerDegreeNorth
        let east = radius / max(plane.metresPerDegreeEast, 1)
        guard position.isValid else { return [] }
        let south = PointRecord(Coordinate(latitude: position.latitude - north, longitude: position.longitude - east))
        let top = PointRecord(Coordinate(latitude: position.latitude + north, longitude: position.longitude + east))
        var found: [UInt32] = []
        let columns = (first: ShapeGrid.cell(south.longitude), last: ShapeGrid.cell(top.longitude))
        for row in ShapeGrid.cell(south.latitude)...ShapeGrid.cell(top.latitude) {
            // The cells of a row lie one behind the other.
            let last = ShapeGrid.key(row, columns.last)
            var cell = cells.partitionPoint { [first = ShapeGrid.key(row, columns.first)] in $0.key < first }
            while cell + 1 < cells.count, cells[cell].key <= last {
                for item in cells[cell].start..<cells[cell + 1].start { found.append(cellItems[item]) }
                cell += 1
            }
        }
        found.sort()
        // Roads lie in several cells.
        return found.indices.compactMap { $0 > 0 && found[$0] == found[$0 - 1] ? nil : EdgeID(found[$0]) }
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

extension PointRecord {
    /// Rounded to OSM's 1e-7 degrees; out of range is clamped.
    init(_ coordinate: Coordinate) {
        latitude = Int32((min(max(coordinate.latitude, -90), 90) * 1e7).rounded())
        longitude = Int32((min(max(coordinate.longitude, -180), 180) * 1e7).rounded())
    }
}
