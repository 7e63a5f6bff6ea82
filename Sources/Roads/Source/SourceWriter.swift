import Clearances
import Geo

/// Writes down the map objects that a network is built from, so that road files can be joined: a seam needs what an edge has
/// lost, the ids of the nodes within it and of those that an extract named and did not hold.
struct SourceWriter: Sendable {
    enum Kind: UInt64 { case way, relation, clearance }

    private var writer = CompactWriter()
    /// Ids and nodes are written as differences: neighbours have been numbered one after the other.
    private var lastWay: Int64 = 0
    private var lastNode: Int64 = 0

    init(snapDistance: Metres) { writer.put(snapDistance) }

    var bytes: [UInt8] { writer.bytes }

    mutating func add(_ way: SourceWay) {
        writer.put(Kind.way.rawValue)
        writer.put(signed: way.id &- lastWay)
        lastWay = way.id
        writer.put(UInt64(way.nodes.count))
        for node in way.nodes {
            writer.put(signed: node &- lastNode)
            lastNode = node
        }
        writer.put(SourceTags.used(way.tags))
    }

    mutating func add(_ relation: SourceRelation) {
        writer.put(Kind.relation.rawValue)
        writer.put(signed: relation.id)
        let members = relation.members.filter { $0.kind != .relation }
        writer.put(UInt64(members.count))
        for member in members {
            writer.put(UInt64(member.kind == .node ? 0 : 1))
            writer.put(signed: member.id)
            writer.put(member.role)
        }
        writer.put(SourceTags.used(relation.tags))
    }

    mutating func add(_ clearance: PointClearance) {
        writer.put(Kind.clearance.rawValue)
        for text in [
            clearance.id, clearance.posted, clearance.name, clearance.road, clearance.passage?.rawValue ?? "",
            clearance.source, clearance.date,
        ] { writer.put(text) }
        writer.put(clearance.position)
        writer.put(UInt64(clearance.approach.count))
        for course in clearance.approach { writer.put(course) }
        writer.put(UInt64(clearance.detours.count))
        for detour in clearance.detours { writer.put(detour) }
    }

    /// The nodes that were found, by id.
    static func bytes(of nodes: NodeTable, tags: [Int: [String: String]]) -> [UInt8] {
        var writer = CompactWriter()
        var (id, point) = (Int64(0), PointRecord(latitude: 0, longitude: 0))
        for index in nodes.ids.indices where nodes.flags[index].contains(.found) {
            let next = nodes.points[index]
            writer.put(signed: nodes.ids[index] &- id)
            writer.put(signed: Int64(next.latitude) - Int64(point.latitude))
            writer.put(signed: Int64(next.longitude) - Int64(point.longitude))
            writer.put(tags[index] ?? [:])
            (id, point) = (nodes.ids[index], next)
        }
        return writer.bytes
    }
}

extension CompactWriter {
    fileprivate mutating func put(_ position: Coordinate) {
        put(position.latitude)
        put(position.longitude)
    }
}
