import Geo

/// Bridges, of roads and of anything else, and where they cross the roads beneath them.
struct BridgeCrossings {
    struct Bridge {
        /// The nodes of the whole way, also where the line is a piece of it.
        var nodes: [Int64]
        var name: String
        var layer: Int
        var line: [Coordinate]
    }

    /// In the order in which the line that is crossed is driven.
    struct Crossing {
        /// Position of the crossed segment in its line.
        var segment: Int
        /// Along that segment, `0 ... 1`.
        var fraction: Double
        var position: Coordinate
        var bridge: Int
    }

    private struct Segment {
        var bridge: Int
        var ends: (Coordinate, Coordinate)
        var box: Box
    }

    private let bridges: [Bridge]
    /// By cell of the grid.
    private let segments: [UInt64: [Segment]]

    init(_ bridges: [Bridge]) {
        self.bridges = bridges
        var segments: [UInt64: [Segment]] = [:]
        for (index, bridge) in bridges.enumerated() {
            for ends in zip(bridge.line, bridge.line.dropFirst()) {
                let segment = Segment(bridge: index, ends: ends, box: Box([ends.0, ends.1]))
                for cell in ShapeGrid.cells(PointRecord(ends.0), PointRecord(ends.1)) {
                    segments[cell, default: []].append(segment)
                }
            }
        }
        self.segments = segments
    }

    /// Where a way, or a piece of it, first passes under a bridge of a higher layer, and the bridge's name.
    func first(
        over line: [Coordinate], of way: RoadNetworkBuilder.DrivableWay
    ) -> (position: Coordinate, name: String)? {
        crossings(over: line, of: way).first.map { ($0.position, bridges[$0.bridge].name) }
    }

    /// Where a way, or a piece of it, passes under bridges of a higher layer.
    func over(_ line: [Coordinate], of way: RoadNetworkBuilder.DrivableWay) -> [Coordinate] {
        var positions: [Coordinate] = []
        for crossing in crossings(over: line, of: way) where positions.last != crossing.position {
            positions.append(crossing.position)
        }
        return positions
    }

    /// A bridge that shares a node with the way carries it on.
    private func crossings(over line: [Coordinate], of way: RoadNetworkBuilder.DrivableWay) -> [Crossing] {
        crossings(of: line, layer: way.road.layer).filter { crossing in
            !way.nodes.contains(where: bridges[crossing.bridge].nodes.contains)
        }
    }

    private func crossings(of line: [Coordinate], layer: Int) -> [Crossing] {
        guard line.count >= 2 else { return [] }
        let candidates = segments(near: Box(line)).filter { bridges[$0.bridge].layer > layer }
        guard !candidates.isEmpty else { return [] }
        var found: [Crossing] = []
        for (index, ends) in zip(line, line.dropFirst()).enumerated() {
            let box = Box([ends.0, ends.1])
            for candidate in candidates where candidate.box.meets(box) {
                guard let fraction = crossing(of: ends, and: candidate.ends) else { continue }
                let position = ends.0.interpolated(to: ends.1, fraction: fraction)
                found.append(Crossing(segment: index, fraction: fraction, position: position, bridge: candidate.bridge))
            }
        }
        return found.sorted { ($0.segment, $0.fraction, $0.bridge) < ($1.segment, $1.fraction, $1.bridge) }
    }

    /// Segments of bridges whose box meets another; more than once where they lie in several cells.
    private func segments(near box: Box) -> [Segment] {
        // A line to a node whose coordinates are wrong may meet more cells than there are.
        guard box.rows.count * box.columns.count < segments.count else {
            return segments.keys.sorted().flatMap { segments(inCell: $0, near: box) }
        }
        return box.rows.flatMap { row in
            box.columns.flatMap { segments(inCell: ShapeGrid.key(row, $0), near: box) }
        }
    }

    private func segments(inCell key: UInt64, near box: Box) -> [Segment] {
        segments[key, default: []].filter { $0.box.meets(box) }
    }

    private struct Box {
        var south: Degrees = 90
        var north: Degrees = -90
        var west: Degrees = 180
        var east: Degrees = -180

        init(_ line: [Coordinate]) {
            for point in line {
                south = min(south, point.latitude)
                north = max(north, point.latitude)
                west = min(west, point.longitude)
                east = max(east, point.longitude)
            }
        }

        /// The rows of the grid that it meets.
        var rows: ClosedRange<Int64> { cell(south)...cell(north) }
        var columns: ClosedRange<Int64> { cell(west)...cell(east) }

        private func cell(_ degrees: Degrees) -> Int64 { ShapeGrid.cell(Int32((degrees * 1e7).rounded())) }

        func meets(_ other: Box) -> Bool {
            south <= other.north && other.south <= north && west <= other.east && other.west <= east
        }
    }
}
