import BinaryCoding
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

    init(snapDistance: Metres) { writer.binary.append(snapDistance) }

    var bytes: [UInt8] { writer.binary.bytes }

    mutating func add(_ way: SourceWay) {
        writer.binary.append(number: Kind.way.rawValue)
        writer.binary.append(signed: way.id &- lastWay)
        lastWay = way.id
        writer.binary.append(number: UInt64(way.nodes.count))
        for node in way.nodes {
            writer.binary.append(signed: node &- lastNode)
            lastNode = node
        }
        writer.put(SourceTags.used(way.tags))
    }

    mutating func add(_ relation: SourceRelation) {
        writer.binary.append(number: Kind.relation.rawValue)
        writer.binary.append(signed: relation.id)
        let members = relation.members.filter { $0.kind != .relation }
        writer.binary.append(number: UInt64(members.count))
        for member in members {
            writer.binary.append(number: UInt64(member.kind == .node ? 0 : 1))
            writer.binary.append(signed: member.id)
            writer.put(member.role)
        }
        writer.put(SourceTags.used(relation.tags))
    }

    mutating func add(_ clearance: PointClearance) {
        writer.binary.append(number: Kind.clearance.rawValue)
        for text in [
            clearance.id, clearance.posted, clearance.name, clearance.road, clearance.passage?.rawValue ?? "",
            clearance.source, clearance.date,
        ] { writer.put(text) }
        writer.put(clearance.position)
        writer.binary.append(number: UInt64(clearance.approach.count))
        for course in clearance.approach { writer.binary.append(course) }
        writer.binary.append(number: UInt64(clearance.detours.count))
        for detour in clearance.detours { writer.put(detour) }
    }

    /// The nodes that were found, by id.
    static func bytes(of nodes: NodeTable, tags: [Int: [String: String]]) -> [UInt8] {
        var writer = CompactWriter()
        var (id, point) = (Int64(0), PointRecord(latitude: 0, longitude: 0))
        for index in nodes.ids.indices where nodes.flags[index].contains(.found) {
            let next = nodes.points[index]
            writer.binary.append(signed: nodes.ids[index] &- id)
            writer.binary.append(signed: Int64(next.latitude) - Int64(point.latitude))
            writer.binary.append(signed: Int64(next.longitude) - Int64(point.longitude))
            writer.put(tags[index] ?? [:])
            (id, point) = (nodes.ids[index], next)
        }
        return writer.binary.bytes
    }
}

extension CompactWriter {
    fileprivate mutating func put(_ position: Coordinate) {
        binary.append(position.latitude)
        binary.append(position.longitude)
    }
}
