internal import COsmium
import Geo
import Messages
import Roads
import Wire

/// Why an OSM file could not be read.
package struct OSMFileError: Error, CustomStringConvertible {
    package var path: String
    package var reason: String

    package var description: String { "\(path): \(reason)" }
}

/// An OSM file in any format that libosmium reads: `.osm.pbf`, `.osm`, `.osm.gz`, `.osm.bz2`, `.opl`.
struct OSMFile {
    let path: String

    /// What to do with each object, and whether to go on (`progress`: bytes read so far, size of the file).
    struct Visitor {
        var node: ((SourceNode) -> Void)?
        var way: ((SourceWay) -> Void)?
        var relation: ((SourceRelation) -> Void)?
        var progress: (_ done: Int, _ total: Int) -> Bool
    }

    func read(_ visitor: Visitor) throws(OSMFileError) {
        var error = [CChar](repeating: 0, count: 1024)
        let status = withUnsafePointer(to: visitor) { visitor in
            var handler = cosmium_handler()
            handler.context = UnsafeMutableRawPointer(mutating: visitor)
            handler.progress = { context, done, total in Self.visitor(context).progress(done, total) ? 1 : 0 }
            if visitor.pointee.node != nil { handler.node = Self.onNode }
            if visitor.pointee.way != nil { handler.way = Self.onWay }
            if visitor.pointee.relation != nil { handler.relation = Self.onRelation }
            return cosmium_read(path, &handler, &error, error.count)
        }
        guard status == 0 else {
            let reason = String(decoding: error.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            throw OSMFileError(path: path, reason: reason)
        }
    }

    /// The context is the address of the visitor, which outlives the call to `cosmium_read`.
    private static func visitor(_ context: UnsafeMutableRawPointer?) -> Visitor {
        context!.assumingMemoryBound(to: Visitor.self).pointee
    }

    private static let onNode:
        @convention(c) (
            UnsafeMutableRawPointer?, Int64, Int64, Int32, Double, Double, UnsafePointer<cosmium_tag>?, Int
        ) -> Void = { context, id, lastEdit, isLocated, latitude, longitude, tags, count in
            guard isLocated != 0 else { return }
            let position = Coordinate(latitude: latitude, longitude: longitude)
            let tags = datedTags(tags, count, lastEdit: lastEdit)
            visitor(context).node?(SourceNode(id: id, position: position, tags: tags))
        }

    private static let onWay:
        @convention(c) (
            UnsafeMutableRawPointer?, Int64, Int64, UnsafePointer<Int64>?, Int, UnsafePointer<cosmium_tag>?, Int
        ) -> Void = { context, id, lastEdit, nodes, nodeCount, tags, count in
            let nodes = Array(UnsafeBufferPointer(start: nodes, count: nodeCount))
            let tags = datedTags(tags, count, lastEdit: lastEdit)
            visitor(context).way?(SourceWay(id: id, nodes: nodes, tags: tags))
        }

    private static let onRelation:
        @convention(c) (
            UnsafeMutableRawPointer?, Int64, UnsafePointer<cosmium_member>?, Int, UnsafePointer<cosmium_tag>?, Int
        ) -> Void = { context, id, members, memberCount, tags, count in
            let members = UnsafeBufferPointer(start: members, count: memberCount).map { member in
                let kind: SourceRelation.Member.Kind =
                    switch UInt8(bitPattern: member.type) {
                    case UInt8(ascii: "n"): .node
                    case UInt8(ascii: "w"): .way
                    default: .relation
                    }
                return SourceRelation.Member(kind: kind, id: member.id, role: String(cString: member.role))
            }
            visitor(context).relation?(SourceRelation(id: id, members: members, tags: dictionary(tags, count)))
        }

    /// Where they say a height, with the day of the last edit.
    private static func datedTags(
        _ tags: UnsafePointer<cosmium_tag>?, _ count: Int, lastEdit: Int64
    ) -> [String: String] {
        var tags = dictionary(tags, count)
        if lastEdit != 0, !MaxHeightTags(ofNode: tags).isEmpty {
            let time = RFC3339.text(Timestamp(milliseconds: lastEdit * 1000))
            tags[MaxHeightTags.lastEditKey] = String(time.prefix(10))
        }
        return tags
    }

    static func dictionary(_ tags: UnsafePointer<cosmium_tag>?, _ count: Int) -> [String: String] {
        guard count > 0 else { return [:] }
        var dictionary: [String: String] = [:]
        for tag in UnsafeBufferPointer(start: tags, count: count) {
            dictionary[String(cString: tag.key)] = String(cString: tag.value)
        }
        return dictionary
    }
}
