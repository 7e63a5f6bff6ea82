import Clearances
import Foundation
import Geo
import Roads

@testable import RoadImport

/// How a map is cut in two.
enum Cut: CaseIterable {
    /// Each way is on the side of its first node, whole: the sides share junctions alone.
    case ways
    /// Each side has all ways that touch it, and the nodes of its own: those of the other side are missing.
    case nodes
    /// Each side has all ways that touch it, whole, as most extracts are cut: they overlap.
    case overlapping
}

/// What an OSM file holds.
struct MapObjects {
    private var ways: [SourceWay] = []
    private var relations: [SourceRelation] = []
    private var nodes: [SourceNode] = []

    /// The path of the demo's map.
    static let demo = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "config/demo/ann-arbor.osm").path

    /// The demo's map, cut through its middle.
    static func demoSides(_ cut: Cut = .ways) throws -> [MapObjects] { try MapObjects(demo).sides(cut, at: -83.7485) }

    init(_ path: String) throws {
        final class Objects {
            var ways: [SourceWay] = []
            var relations: [SourceRelation] = []
            var nodes: [SourceNode] = []
        }
        let objects = Objects()
        try OSMFile(path: path).read(
            OSMFile.Visitor(
                node: { objects.nodes.append($0) }, way: { objects.ways.append($0) },
                relation: { objects.relations.append($0) }, progress: { _, _ in true }))
        (ways, relations, nodes) = (objects.ways, objects.relations, objects.nodes)
    }

    /// West and east. Turn restrictions are on both: each counts where its members are.
    func sides(_ cut: Cut, at longitude: Degrees) -> [MapObjects] {
        let west = Set(nodes.filter { $0.position.longitude < longitude }.map(\.id))
        return [true, false].map { isWest in
            var side = self
            func isHere(_ node: Int64) -> Bool { west.contains(node) == isWest }
            side.ways = ways.filter {
                cut == .ways ? $0.nodes.first.map(isHere) ?? false : $0.nodes.contains(where: isHere)
            }
            let named = Set(side.ways.flatMap(\.nodes))
            side.nodes = nodes.filter { cut == .nodes ? isHere($0.id) : named.contains($0.id) }
            return side
        }
    }

    /// - Returns: the bytes of a road file.
    static func build(_ all: [MapObjects], clearances: [PointClearance] = [], snapDistance: Metres = 40) -> [UInt8] {
        var builder = RoadNetworkBuilder(snapDistance: snapDistance)
        for clearance in clearances { builder.add(clearance) }
        for objects in all {
            for way in objects.ways { builder.add(way) }
            for relation in objects.relations { builder.add(relation) }
        }
        builder.finishWays()
        for node in all.flatMap(\.nodes) { builder.add(node) }
        return builder.build().file
    }
}

extension TemporaryDirectory {
    /// - Returns: the paths of the road files of a map's sides, `west.roads` and `east.roads`.
    func writeRoads(of sides: [MapObjects]) throws -> [String] {
        try zip(sides, ["west.roads", "east.roads"]).map { side, name in try write(MapObjects.build([side]), to: name) }
    }
}
