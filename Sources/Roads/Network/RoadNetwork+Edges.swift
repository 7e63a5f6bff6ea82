public import Geo

/// What lies at one edge.
extension RoadNetwork {
    public func from(_ edge: EdgeID) -> NodeID { NodeID(edges[edge.index].from) }
    public func to(_ edge: EdgeID) -> NodeID { NodeID(edges[edge.index].to) }
    public func length(_ edge: EdgeID) -> Metres { Metres(edges[edge.index].length) }
    /// Bearing on leaving the edge's first node.
    public func startBearing(_ edge: EdgeID) -> Degrees { Degrees(edges[edge.index].startBearing) }
    /// Bearing on arriving at the edge's last node.
    public func endBearing(_ edge: EdgeID) -> Degrees { Degrees(edges[edge.index].endBearing) }

    /// The same road the other way; nil on a one-way.
    public func reverse(_ edge: EdgeID) -> EdgeID? {
        let reverse = edges[edge.index].reverse
        return reverse == EdgeRecord.none ? nil : EdgeID(reverse)
    }

    /// Itself, or, for a shadow (an edge within a turn restriction that spans several), the edge that is on the map.
    public func original(_ edge: EdgeID) -> EdgeID { EdgeID(edges[edge.index].original) }

    /// Edges that may legally be driven next: no U-turn, no banned turn.
    public func successors(_ edge: EdgeID) -> TurnList {
        TurnList(successorRows, successorStarts[Int(edge.index)]..<successorStarts[Int(edge.index) + 1])
    }

    /// Edges from which this one may legally be entered.
    public func predecessors(_ edge: EdgeID) -> TurnList {
        TurnList(predecessorRows, predecessorStarts[Int(edge.index)]..<predecessorStarts[Int(edge.index) + 1])
    }

    /// Edges that end at a node, whatever may follow them there.
    public func arrivals(_ node: NodeID) -> TurnList {
        TurnList(arrivalRows, arrivalStarts[Int(node.index)]..<arrivalStarts[Int(node.index) + 1])
    }

    public func key(_ edge: EdgeID) -> EdgeKey {
        let record = edges[edge.index]
        return EdgeKey(way: ways[record.way].osm, from: nodes[record.from].osm, to: nodes[record.to].osm)
    }

    public func coordinate(_ node: NodeID) -> Coordinate {
        let record = nodes[node.index]
        return Coordinate(fixed: record.latitude, record.longitude)
    }

    public func osmID(_ node: NodeID) -> Int64 { nodes[node.index].osm }

    /// How far the course turns from one edge to the next, `0 ... 180`.
    public func turnAngle(_ edge: EdgeID, _ next: EdgeID) -> Degrees {
        angle(between: endBearing(edge), and: startBearing(next))
    }

    /// The edge's points in driving order.
    public func line(_ edge: EdgeID) -> [Coordinate] { Array(points(of: edge)) }

    /// The same, read one by one where they lie.
    func points(of edge: EdgeID) -> EdgePoints {
        let record = edges[edge.index]
        let shape = shapes[record.shape]
        return EdgePoints(
            points: points, start: Int(shape.start), count: Int(shape.count),
            isBackwards: record.flags & EdgeRecord.againstShape != 0)
    }

    /// The point `offset` metres along the edge; beyond its ends, the ends.
    public func coordinate(_ edge: EdgeID, offset: Metres) -> Coordinate {
        let line = points(of: edge)
        var rest = max(0, offset)
        for (a, b) in zip(line, line.dropFirst()) {
            let length = a.distance(to: b)
            if rest <= length { return length > 0 ? a.interpolated(to: b, fraction: rest / length) : a }
            rest -= length
        }
        return line[line.count - 1]
    }
}

/// The points of an edge in driving order.
struct EdgePoints: RandomAccessCollection {
    fileprivate let points: Table<PointRecord>
    fileprivate let start: Int
    let count: Int
    fileprivate let isBackwards: Bool

    var startIndex: Int { 0 }
    var endIndex: Int { count }

    subscript(position: Int) -> Coordinate {
        precondition(position >= 0 && position < count, "an edge has no such point")
        let point = points[start + (isBackwards ? count - 1 - position : position)]
        return Coordinate(fixed: point.latitude, point.longitude)
    }
}

/// What the road that an edge belongs to is like.
extension RoadNetwork {
    private func way(_ edge: EdgeID) -> WayRecord { ways[edges[edge.index].way] }

    public func wayID(_ edge: EdgeID) -> Int64 { way(edge).osm }
    /// On which level it lies, as OSM has it: 0 on the ground, more on bridges, less in tunnels.
    func layer(_ edge: EdgeID) -> Int { Int(way(edge).layer) }
    func isBridge(_ edge: EdgeID) -> Bool { way(edge).flags & WayRecord.isBridge != 0 }
    public func roadClass(_ edge: EdgeID) -> RoadClass { RoadClass(rawValue: way(edge).roadClass) ?? .service }
    func isRoundabout(_ edge: EdgeID) -> Bool { way(edge).flags & WayRecord.isRoundabout != 0 }
    public func isLink(_ edge: EdgeID) -> Bool { way(edge).flags & WayRecord.isLink != 0 }
    public func isService(_ edge: EdgeID) -> Bool { way(edge).roadClass == RoadClass.service.rawValue }
    /// Whether a truck may only start or end here, by the way's tags or because of a barrier on the edge.
    public func isDestinationOnly(_ edge: EdgeID) -> Bool {
        isOfDestinationWay(edge) || edges[edge.index].flags & EdgeRecord.restricted != 0
    }
    /// The same by the way's access and kind of service road alone: up to a barrier a road may be open to everybody.
    public func isOfDestinationWay(_ edge: EdgeID) -> Bool { way(edge).flags & WayRecord.destinationOnly != 0 }
    /// Whether trucks may not drive in this direction: who does is warned all the same; no detour and no way that
    /// avoids low bridges leads there.
    func isClosed(_ edge: EdgeID) -> Bool { edges[edge.index].flags & EdgeRecord.closed != 0 }
    /// Whether the road is driven one way at some hours and the other way at others.
    func isReversible(_ edge: EdgeID) -> Bool { edges[edge.index].flags & EdgeRecord.reversible != 0 }
    public func usualSpeed(_ edge: EdgeID) -> MetresPerSecond { MetresPerSecond(way(edge).usualSpeed) }
    /// Empty where the road has none.
    public func name(_ edge: EdgeID) -> String { text(way(edge).name) }
    /// Empty where the road has none.
    public func number(_ edge: EdgeID) -> String { text(way(edge).number) }

    /// What a driver would call the road: its name, else its number; nil where it has neither.
    public func title(_ edge: EdgeID) -> String? {
        let title = RoadTitle.of(name: name(edge), number: number(edge))
        return title.isEmpty ? nil : title
    }

    /// Whether two edges are of one way, or share a name or a number.
    public func isSameRoad(_ a: EdgeID, _ b: EdgeID) -> Bool {
        let (one, other) = (edges[a.index].way, edges[b.index].way)
        if one == other { return true }
        return isSame(ways[one].name, ways[other].name) || isSame(ways[one].number, ways[other].number)
    }

    /// Equal texts are stored once, so positions decide.
    private func isSame(_ a: TextRecord, _ b: TextRecord) -> Bool {
        a.length > 0 && a.offset == b.offset && a.length == b.length
    }
}

/// Edges that follow or precede one edge.
public struct TurnList: RandomAccessCollection, Sendable {
    private let rows: Table<UInt32>
    private let range: Range<UInt32>

    init(_ rows: Table<UInt32>, _ range: Range<UInt32>) {
        self.rows = rows
        self.range = range
    }

    public var startIndex: Int { Int(range.lowerBound) }
    public var endIndex: Int { Int(range.upperBound) }
    public subscript(_ position: Int) -> EdgeID { EdgeID(rows[position]) }
}

extension Coordinate {
    /// From OSM's whole 1e-7 degrees.
    init(fixed latitude: Int32, _ longitude: Int32) {
        self.init(latitude: Degrees(latitude) / 1e7, longitude: Degrees(longitude) / 1e7)
    }

    init(_ point: PointRecord) { self.init(fixed: point.latitude, point.longitude) }
}
