import Geo

/// Where ways are cut so that a clearance at a point limits the road from there, not from the last junction.
struct WayCuts {
    /// Nearer than this to a node, the node itself is the place: a shorter edge would help nobody.
    static let nearest: Metres = 1

    /// Between two nodes of a way.
    private struct Segment: Hashable {
        var way: Int
        /// Position of the first of the two among the way's nodes.
        var start: Int
    }

    private struct Cut {
        var fraction: Double
        var id: Int64
        var position: Coordinate
    }

    private var cuts: [Segment: [Cut]] = [:]
    private var known: Set<Int64> = []
    private var taken: Set<Int64> = []

    /// The node at a foot: one of the way's own, one cut before, or a new one.
    mutating func node(
        at foot: NearbyRoads.Foot, of clearance: String, _ ways: [RoadNetworkBuilder.DrivableWay], _ nodes: NodeTable
    ) -> Int64 {
        let ids = ways[foot.way].nodes
        for id in [ids[foot.segment], ids[foot.segment + 1]] {
            let distance = nodes.line([id])[0]?.distance(to: foot.position) ?? .infinity
            if distance < Self.nearest {
                known.insert(id)
                return id
            }
        }
        let segment = Segment(way: foot.way, start: foot.segment)
        let before = cuts[segment]?.first { $0.position.distance(to: foot.position) < Self.nearest }
        if let before { return before.id }
        let id = newID(for: clearance, nodes)
        cuts[segment, default: []].append(Cut(fraction: foot.fraction, id: id, position: foot.position))
        return id
    }

    /// Negative, so that it is no OSM node's, and made of the clearance's name (FNV-1a), so that the next road file has
    /// it again. 52 bits, which JSON readers keep.
    private mutating func newID(for clearance: String, _ nodes: NodeTable) -> Int64 {
        let hash = clearance.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        var id = -Int64(hash >> 12) - 1
        while nodes.index(of: id) != nil || taken.contains(id) { id -= 1 }
        taken.insert(id)
        return id
    }

    /// Puts the new nodes into their ways and into the table, whose indices change.
    func apply(to ways: inout [RoadNetworkBuilder.DrivableWay], _ nodes: inout NodeTable) {
        nodes.cut(at: known, and: cuts.values.joined().map { ($0.id, PointRecord($0.position)) })
        // From the back, so that positions before stay what they were.
        for (segment, cuts) in cuts.sorted(by: { $0.key.start > $1.key.start }) {
            let ids = cuts.sorted { $0.fraction < $1.fraction }.map(\.id)
            ways[segment.way].nodes.insert(contentsOf: ids, at: segment.start + 1)
        }
    }
}
