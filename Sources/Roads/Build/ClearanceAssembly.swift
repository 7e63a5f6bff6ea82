import Clearances
import Geo

/// Turns the height tags of ways and nodes into clearances and the edges that they limit.
struct ClearanceAssembly {
    private(set) var clearances: [Clearance] = []
    /// Sorted by edge.
    private(set) var limits: [LimitRecord] = []
    /// Heights of nodes that drivable ways do pass.
    private(set) var nodeHeightsUsed: [MaxHeightTags] = []
    private let assembly: EdgeAssembly
    private let nodes: NodeTable

    init(
        ways: [RoadNetworkBuilder.DrivableWay], nodeHeights: [Int: MaxHeightTags], assembly: EdgeAssembly,
        nodes: NodeTable, bridges: BridgeCrossings
    ) {
        self.assembly = assembly
        self.nodes = nodes
        for way in ways where !way.heights.isEmpty { add(way, bridges) }
        let arriving = nodeHeights.isEmpty ? [] : assembly.arriving
        for (node, heights) in nodeHeights.sorted(by: { $0.key < $1.key }) {
            guard let junction = assembly.junctions[node] else { continue }
            nodeHeightsUsed.append(heights)
            let edges = arriving[Int(junction)].filter { $0 < assembly.mapEdgeCount }
            let touching = Set((edges + assembly.leaving[Int(junction)]).map { assembly.edges[Int($0)].way })
            // Forward is along the node's way: where several meet, nobody can tell along which.
            add(touching.count == 1 ? heights : heights.withoutDirections, at: node, edges, ways)
        }
        limits.sort { ($0.edge, $0.clearance) < ($1.edge, $1.clearance) }
    }

    private mutating func add(_ way: RoadNetworkBuilder.DrivableWay, _ bridges: BridgeCrossings) {
        let edges = (assembly.edgesOfWay[way.id] ?? []).filter { assembly.edges[Int($0)].way != EdgeRecord.none }
        guard !edges.isEmpty, let place = place(way, bridges) else { return }
        limit(edges, by: way.heights, id: "osm:way:\(way.id)", name: place.name, at: place.position)
    }

    /// A node limits the edges that arrive there.
    private mutating func add(
        _ heights: MaxHeightTags, at node: Int, _ edges: [UInt32], _ ways: [RoadNetworkBuilder.DrivableWay]
    ) {
        guard let first = edges.first else { return }
        let road = ways[Int(assembly.edges[Int(first)].way)].road
        limit(
            edges, by: heights, id: "osm:node:\(nodes.ids[node])", name: title(road), at: Coordinate(nodes.points[node])
        )
    }

    /// One clearance for both directions where they agree, else one for each.
    private mutating func limit(
        _ edges: [UInt32], by heights: MaxHeightTags, id: String, name: String, at position: Coordinate
    ) {
        for forward in [true, false] {
            let limited = edges.filter { isAgainst($0) != forward }
            guard !limited.isEmpty, let tag = heights.deciding(forward: forward) else { continue }
            let clearance = Clearance(
                id: id, name: name, posted: tag.value, source: "osm", position: position, reading: tag.reading,
                date: heights.date)
            limit(limited, by: clearance)
        }
    }

    private func isAgainst(_ edge: UInt32) -> Bool {
        assembly.edges[Int(edge)].flags & EdgeRecord.againstShape != 0
    }

    private mutating func limit(_ edges: [UInt32], by clearance: Clearance) {
        // Both directions of one way mostly carry the same clearance: it stands here once.
        let id: Int
        if let last = clearances.last, last == clearance {
            id = clearances.count - 1
        } else {
            id = clearances.count
            clearances.append(clearance)
        }
        limits += edges.map { LimitRecord(edge: $0, clearance: UInt32(id)) }
    }

    /// The crossing with a higher bridge, if there is one; else a bridge's or a road's own middle, of its longest piece
    /// where nodes are missing.
    private func place(
        _ way: RoadNetworkBuilder.DrivableWay, _ bridges: BridgeCrossings
    ) -> (position: Coordinate, name: String)? {
        let (road, pieces) = (way.road, nodes.lines(way.nodes))
        if !road.isBridge, let crossing = pieces.lazy.compactMap({ bridges.first(over: $0, of: way) }).first {
            let titles = [RoadTitle.first(crossing.name), title(road)].filter { !$0.isEmpty }
            return (crossing.position, titles.joined(separator: " over "))
        }
        let longest = pieces.max { Self.length($0) < Self.length($1) }
        return longest.map { (Self.middle(of: $0), title(road)) }
    }

    private func title(_ road: RoadTags) -> String { RoadTitle.of(name: road.name, number: road.number) }

    private static func lengths(_ line: [Coordinate]) -> [Metres] {
        zip(line, line.dropFirst()).map { $0.distance(to: $1) }
    }

    private static func length(_ line: [Coordinate]) -> Metres { lengths(line).reduce(0, +) }

    private static func middle(of line: [Coordinate]) -> Coordinate {
        let lengths = lengths(line)
        var rest = lengths.reduce(0, +) / 2
        for (index, length) in lengths.enumerated() {
            if rest <= length, length > 0 {
                return line[index].interpolated(to: line[index + 1], fraction: rest / length)
            }
            rest -= length
        }
        return line[0]
    }
}
