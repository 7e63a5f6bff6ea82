import Algorithms
public import Geo

/// An edge near a point: how far, and where along it.
public struct NearbyEdge: Hashable, Sendable {
    public var edge: EdgeID
    public var distance: Metres
    /// From the edge's start to the foot of the perpendicular.
    public var offset: Metres
    /// Course of the edge there.
    public var bearing: Degrees
}

/// All roads round a place: those near any position in its middle are found among them, without the grid.
public struct Surroundings: Sendable {
    /// `RoadNetwork.fingerprint` of the road file.
    fileprivate let file: UInt64
    fileprivate let box: FixedBox
    /// Shapes that the box may meet: ascending edges, one for each, and a box round it.
    fileprivate let shapes: [(edge: UInt32, box: FixedBox)]

    /// Whether all roads within `radius` of a position are among them.
    func cover(_ radius: Metres, of position: Coordinate, _ network: RoadNetwork) -> Bool {
        cover(FixedBox(round: position, radius), network)
    }

    fileprivate func cover(_ other: FixedBox, _ network: RoadNetwork) -> Bool {
        file == network.fingerprint && box.contains(other)
    }
}

extension RoadNetwork {
    /// - Parameter radius: how far from `position` a road may be that another position's search is to find among them.
    func surroundings(of position: Coordinate, within radius: Metres) -> Surroundings {
        let box = FixedBox(round: position, radius)
        let shapes = shapeEdges(in: box).map { edge in
            (edge: edge, box: FixedBox(round: self.shapes[edges[edge].shape], points))
        }
        return Surroundings(file: fingerprint, box: box, shapes: shapes)
    }

    /// Both directions of every road within `radius` of `position`, in the order of edge ids.
    ///
    /// - Parameter surroundings: where the position may lie; nil: roads are looked for on the whole map.
    public func edges(
        within radius: Metres, of position: Coordinate, among surroundings: Surroundings? = nil
    ) -> [NearbyEdge] {
        guard position.isValid else { return [] }
        let box = FixedBox(round: position, radius)
        let plane = LocalPlane(latitude: position.latitude)
        var found: [NearbyEdge] = []
        found.reserveCapacity(16)
        func addDirections(of shape: UInt32) {
            let primary = EdgeID(shape)
            guard let foot = foot(of: position, on: primary, plane, within: radius) else { return }
            found.append(foot)
            if let reverse = reverse(primary) {
                found.append(
                    NearbyEdge(
                        edge: reverse, distance: foot.distance, offset: length(reverse) - foot.offset,
                        bearing: (foot.bearing + 180).truncatingRemainder(dividingBy: 360)))
            }
        }
        if let surroundings, surroundings.cover(box, self) {
            for shape in surroundings.shapes where shape.box.meets(box) { addDirections(of: shape.edge) }
        } else {
            for edge in shapeEdges(in: box) { addDirections(of: edge) }
        }
        found.sort { $0.edge < $1.edge }
        return found
    }

    /// One edge for each shape that a box may meet, ascending.
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
        var meeting: [UInt32] = []
        meeting.reserveCapacity(32)
        for (item, line) in lines.enumerated() where box.mayMeet(line, points) { meeting.append(found[item]) }
        meeting.sort()
        // Roads lie in several cells.
        var near: [UInt32] = []
        near.reserveCapacity(meeting.count)
        for edge in meeting where edge != near.last { near.append(edge) }
        return near
    }

    /// The nearest point of an edge. Nil where that is farther than `radius`, and for an edge without points, which a sound file
    /// does not have.
    public func foot(
        of position: Coordinate, on edge: EdgeID, _ plane: LocalPlane, within radius: Metres = .infinity
    ) -> NearbyEdge? {
        let line = points(of: edge)
        guard line.count > 1 else { return nil }
        var start = plane.vector(from: position, to: line[0])
        var nearest = SegmentProjection(fraction: 0, distance: .infinity)
        var segment = start
        var (offset, before): (Metres, Metres) = (0, 0)
        for index in 1..<line.count {
            let end = plane.vector(from: position, to: line[index])
            let length = (end - start).length
            let projection = projectOrigin(onto: start, end)
            if projection.distance < nearest.distance {
                (nearest, segment) = (projection, end - start)
                offset = before + projection.fraction * length
            }
            before += length
            start = end
        }
        guard nearest.distance < .infinity, nearest.distance <= radius else { return nil }
        return NearbyEdge(edge: edge, distance: nearest.distance, offset: offset, bearing: segment.bearing)
    }
}

/// A rectangle as road files have coordinates.
private struct FixedBox: Sendable {
    private(set) var low: PointRecord
    private(set) var high: PointRecord

    init(round position: Coordinate, _ radius: Metres) {
        let plane = LocalPlane(latitude: position.latitude)
        // A metre more than rounding takes.
        let radius = radius + 1
        let north = radius / plane.metresPerDegreeNorth
        let east = radius / max(plane.metresPerDegreeEast, 1)
        low = PointRecord(Coordinate(latitude: position.latitude - north, longitude: position.longitude - east))
        high = PointRecord(Coordinate(latitude: position.latitude + north, longitude: position.longitude + east))
    }

    /// - Parameter line: of one point at least.
    init(round line: ShapeRecord, _ points: Table<PointRecord>) {
        (low, high) = (points[line.start], points[line.start])
        for index in 1..<max(1, Int(line.count)) {
            let point = points[Int(line.start) + index]
            low = PointRecord(
                latitude: min(low.latitude, point.latitude), longitude: min(low.longitude, point.longitude))
            high = PointRecord(
                latitude: max(high.latitude, point.latitude), longitude: max(high.longitude, point.longitude))
        }
    }

    func meets(_ other: FixedBox) -> Bool {
        low.longitude <= other.high.longitude && high.longitude >= other.low.longitude
            && low.latitude <= other.high.latitude && high.latitude >= other.low.latitude
    }

    func contains(_ other: FixedBox) -> Bool {
        low.longitude <= other.low.longitude && high.longitude >= other.high.longitude
            && low.latitude <= other.low.latitude && high.latitude >= other.high.latitude
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
