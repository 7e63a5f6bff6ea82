import Geo

/// Cuts ways into edges between junctions.
struct EdgeAssembly {
    private(set) var edges: [EdgeRecord] = []
    private(set) var shapes: [ShapeRecord] = []
    private(set) var points: [PointRecord] = []
    private(set) var nodeRecords: [NodeRecord] = []
    /// By index in the node table.
    private(set) var junctions: [Int: UInt32] = [:]
    /// Edges leaving each junction; empty where a barrier stands.
    private(set) var leaving: [[UInt32]] = []
    private(set) var edgesOfWay: [Int64: [UInt32]] = [:]
    private(set) var shapeMetres: Metres = 0
    /// Edges that are no shadows.
    private(set) var mapEdgeCount = 0
    private var blocked: [Bool] = []

    init(ways: [RoadNetworkBuilder.DrivableWay], nodes: NodeTable) {
        var nodes = nodes
        let runs = ways.map { nodes.runs(of: $0.nodes) }
        for run in runs.joined() { nodes.use(run) }
        for (way, runs) in zip(ways.indices, runs) {
            for run in runs { add(run, of: ways[way], index: way, nodes) }
        }
        mapEdgeCount = edges.count
        leaving = Array(repeating: [], count: nodeRecords.count)
        for (index, edge) in edges.enumerated() where !blocked[Int(edge.from)] {
            leaving[Int(edge.from)].append(UInt32(index))
        }
    }

    private mutating func add(
        _ run: ArraySlice<Int>, of way: RoadNetworkBuilder.DrivableWay, index: Int, _ nodes: NodeTable
    ) {
        var start = run.startIndex
        for position in run.indices.dropFirst() {
            let isCut = nodes.flags[run[position]].contains(.junction) || run[start..<position].contains(run[position])
            guard isCut || position == run.endIndex - 1 else { continue }
            addEdges(run[start...position], of: way, index: index, nodes)
            start = position
        }
    }

    private mutating func addEdges(
        _ piece: ArraySlice<Int>, of way: RoadNetworkBuilder.DrivableWay, index: Int, _ nodes: NodeTable
    ) {
        let shape = ShapeRecord(start: UInt32(points.count), count: UInt32(piece.count))
        points += piece.map { nodes.points[$0] }
        shapes.append(shape)
        let line = piece.map { Coordinate(fixed: nodes.points[$0].latitude, nodes.points[$0].longitude) }
        // Between two nodes at one place there is no direction.
        let segments = zip(line, line.dropFirst()).filter { $0.0 != $0.1 }
        let length = segments.reduce(0) { $0 + $1.0.distance(to: $1.1) }
        shapeMetres += length
        let ends = (junction(piece.first!, nodes), junction(piece.last!, nodes))
        let along = segments.first.map { $0.0.bearing(to: $0.1) } ?? 0
        let arriving = segments.last.map { $0.0.bearing(to: $0.1) } ?? 0
        let isTwoWay = way.road.oneway == .no
        // Which of the roads at a junction a gate there bars the map does not say: all of them, so that no detour leads
        // through it.
        let isRestricted = piece.contains { nodes.flags[$0].contains(.restricted) }
        let first = UInt32(edges.count)
        let record = EdgeRecord(
            from: ends.0, to: ends.1, way: UInt32(index), shape: UInt32(shapes.count - 1),
            reverse: isTwoWay ? first + 1 : EdgeRecord.none, original: first, length: Float(length),
            startBearing: Float(along), endBearing: Float(arriving),
            flags: (isRestricted ? EdgeRecord.restricted : 0) | (way.road.isReversible ? EdgeRecord.reversible : 0))
        if let access = way.road.along { append(record.with(access), to: way.id) }
        if let access = way.road.against {
            let original = UInt32(edges.count)
            let reversed = record.reversed(original: original, reverse: isTwoWay ? first : EdgeRecord.none)
            append(reversed.with(access), to: way.id)
        }
    }

    private mutating func append(_ edge: EdgeRecord, to way: Int64) {
        edgesOfWay[way, default: []].append(UInt32(edges.count))
        edges.append(edge)
    }

    private mutating func junction(_ node: Int, _ nodes: NodeTable) -> UInt32 {
        if let known = junctions[node] { return known }
        let id = UInt32(nodeRecords.count)
        let point = nodes.points[node]
        nodeRecords.append(NodeRecord(osm: nodes.ids[node], latitude: point.latitude, longitude: point.longitude))
        blocked.append(nodes.flags[node].contains(.blocked))
        junctions[node] = id
        return id
    }

    mutating func add(shadows: [UInt32]) {
        for original in shadows { edges.append(edges[Int(original)]) }
    }

    /// Edges that end at each junction, shadows too.
    var arriving: [[UInt32]] {
        var arriving: [[UInt32]] = Array(repeating: [], count: nodeRecords.count)
        for (index, edge) in edges.enumerated() { arriving[Int(edge.to)].append(UInt32(index)) }
        return arriving
    }

    /// Whether an edge leads back along all of the one before, on the same way or on another that is drawn over it.
    func isUTurn(from edge: UInt32, onto next: UInt32) -> Bool {
        let (edge, back) = (edges[Int(edge)], edges[Int(next)])
        if next == edge.reverse { return true }
        guard back.to == edge.from, back.from == edge.to else { return false }
        let (first, second) = (points(of: edge), points(of: back))
        let isSameOrder = (edge.flags ^ back.flags) & EdgeRecord.againstShape != 0
        return isSameOrder ? first.elementsEqual(second) : first.reversed().elementsEqual(second)
    }

    /// Where roads pass under bridges of a higher layer: what snapping wants to know while the gateway runs.
    func crossings(with bridges: BridgeCrossings, _ ways: [RoadNetworkBuilder.DrivableWay]) -> [CrossingRecord] {
        var crossings: [CrossingRecord] = []
        for edge in firstOfShapes {
            let record = edges[Int(edge)]
            let line = points(of: record).map { Coordinate($0) }
            for position in bridges.over(line, of: ways[Int(record.way)]) {
                crossings.append(CrossingRecord(shape: record.shape, point: PointRecord(position)))
            }
        }
        return crossings
    }

    /// One edge for each shape, in the order of the shapes.
    private var firstOfShapes: [UInt32] {
        (0..<UInt32(mapEdgeCount)).filter { $0 == 0 || edges[Int($0)].shape != edges[Int($0) - 1].shape }
    }

    private func points(of edge: EdgeRecord) -> ArraySlice<PointRecord> {
        let shape = shapes[Int(edge.shape)]
        return points[Int(shape.start)..<Int(shape.start + shape.count)]
    }

    /// The rows of the grid, and the edges in its cells: one for each shape.
    func grid() -> (cells: [CellRecord], items: [UInt32]) {
        var placed: [(key: UInt64, edge: UInt32)] = []
        for edge in firstOfShapes {
            let line = points(of: edges[Int(edge)])
            let keys = Set(zip(line, line.dropFirst()).flatMap { ShapeGrid.cells($0, $1) })
            placed += keys.map { ($0, edge) }
        }
        placed.sort { ($0.key, $0.edge) < ($1.key, $1.edge) }
        var cells: [CellRecord] = []
        for (position, item) in placed.enumerated() where cells.last?.key != item.key {
            cells.append(CellRecord(key: item.key, start: UInt32(position)))
        }
        cells.append(CellRecord(key: .max, start: UInt32(placed.count)))
        return (cells, placed.map(\.edge))
    }
}

extension EdgeRecord {
    /// The same, open as its direction is.
    fileprivate func with(_ access: TruckAccess) -> EdgeRecord {
        var record = self
        switch access {
        case .open: break
        case .destination: record.flags |= Self.restricted
        case .closed: record.flags |= Self.restricted | Self.closed
        }
        return record
    }

    fileprivate func reversed(original: UInt32, reverse: UInt32) -> EdgeRecord {
        var record = self
        (record.from, record.to) = (to, from)
        record.original = original
        record.reverse = reverse
        record.startBearing = (endBearing + 180).truncatingRemainder(dividingBy: 360)
        record.endBearing = (startBearing + 180).truncatingRemainder(dividingBy: 360)
        record.flags |= Self.againstShape
        return record
    }
}
