import Clearances
import Foundation
import Geo
import Hashing
import Roads
import Testing

@testable import RoadImport

/// Road files of two sides of a border become the network of both.
struct JoinedRoadsTests {
    private static let project = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let demo = project.appending(path: "config/demo/ann-arbor.osm").path

    /// A map that is not cut, and its network.
    private struct WholeMap {
        let objects: MapObjects
        let height: Centimetres
        let edges: Set<RoadNetwork.EdgeDescription>
        let approaches: [String]

        init(_ path: String, height: Centimetres) throws {
            objects = try MapObjects(path)
            self.height = height
            let network = try RoadNetwork(RoadFileBuffer(MapObjects.build([objects])))
            edges = network.edgeDescriptions
            approaches = network.approachDescriptions(height)
        }
    }

    private static let wholeDemo = Result { try WholeMap(demo, height: 412) }
    private static let wholeExtract = Result { try WholeMap(RheinNeckar.path, height: 400) }

    @Test(
        "The demo's map, cut through its middle in every way", arguments: Cut.allCases, [-83.7519, -83.7485, -83.7466])
    func demo(cut: Cut, longitude: Degrees) throws {
        try expectSeamless(Self.wholeDemo.get(), cut, at: longitude)
    }

    @Test("A real extract, cut through its middle in every way", .needsRheinNeckar, arguments: Cut.allCases)
    func extract(cut: Cut) throws {
        try expectSeamless(Self.wholeExtract.get(), cut, at: 8.47)
    }

    /// The joined network is the one that a single build of both sides makes, byte for byte; and of the same edges, turns,
    /// clearances and approaches as the uncut one.
    private func expectSeamless(_ whole: WholeMap, _ cut: Cut, at longitude: Degrees) throws {
        let directory = try TemporaryDirectory()
        let sides = whole.objects.sides(cut, at: longitude)
        let paths = try zip(sides, ["west.roads", "east.roads"]).map { side, name in
            try directory.write(MapObjects.build([side]), to: name)
        }
        let joined = try JoinedRoads.open(paths)
        let together = MapObjects.build(sides)
        #expect(joined.fingerprint == (try RoadNetwork(RoadFileBuffer(together))).fingerprint)
        #expect(joined.edgeDescriptions == whole.edges)
        #expect(joined.approachDescriptions(whole.height) == whole.approaches)
        #expect(!whole.approaches.isEmpty)
        // Without joining them, a cut costs what each side alone does not have.
        guard cut == .ways else { return }
        let apart = try paths.flatMap { try RoadNetwork.open($0).approachDescriptions(whole.height) }
        #expect(Set(apart) != Set(whole.approaches))
    }

    @Test("The order of files is the order in which objects count; a joined file can be joined again")
    func again() throws {
        let directory = try TemporaryDirectory()
        let sides = try MapObjects(Self.demo).sides(.nodes, at: -83.7485)
        let paths = try zip(sides, ["west.roads", "east.roads"]).map { side, name in
            try directory.write(MapObjects.build([side]), to: name)
        }
        let joined = try RoadBuild.build(paths) { _ in }.file
        let more = try directory.write(joined, to: "joined.roads")
        let twice = try RoadBuild.build([more, paths[1]]) { _ in }.file
        #expect(twice.elementsEqual(joined))
        let withOSM = try RoadBuild.build([Self.demo, paths[0]]) { _ in }.file
        #expect(withOSM.elementsEqual(try RoadBuild.build([Self.demo]) { _ in }.file))
    }

    @Test(
        "Clearances that were snapped when the files were built are snapped anew; of two under one id the lower counts")
    func clearances() throws {
        let directory = try TemporaryDirectory()
        let whole = try MapObjects(Self.demo)
        func clearance(_ id: String, _ posted: String, longitude: Degrees = -83.7482) -> PointClearance {
            PointClearance(
                id: id, position: Coordinate(latitude: 42.280487, longitude: longitude), posted: posted,
                approach: [270], detours: [Coordinate(latitude: 42.281, longitude: -83.7489)], source: "nbi",
                date: "2025")
        }
        let sides = whole.sides(.ways, at: -83.7485)
        let lists = [
            [clearance("nbi:1", "3.9"), clearance("nbi:2", "4.1", longitude: -83.7467)],
            [clearance("nbi:1", "3.8"), clearance("nbi:2", "abc", longitude: -83.7467)],
        ]
        let paths = try zip(zip(sides, lists), ["west.roads", "east.roads"]).map { side, name in
            try directory.write(MapObjects.build([side.0], clearances: side.1), to: name)
        }
        let joined = try JoinedRoads.open(paths)
        let expected = MapObjects.build(sides, clearances: [lists[1][0], lists[0][1]])
        #expect(joined.fingerprint == (try RoadNetwork(RoadFileBuffer(expected))).fingerprint)
        #expect(joined.edgeDescriptions.contains { $0.clearances.contains { $0.id == "nbi:1" } })
    }

    // MARK: Files

    @Test("One file is mapped as it is; several are kept beside the store, and made anew when one was replaced")
    func cache() throws {
        let directory = try TemporaryDirectory()
        let sides = try MapObjects(Self.demo).sides(.ways, at: -83.7485)
        let paths = try zip(sides, ["west.roads", "east.roads"]).map { side, name in
            try directory.write(MapObjects.build([side]), to: name)
        }
        let cache = JoinedRoads.Cache(beside: directory.path + "/gateway.sqlite", mayWrite: true)
        _ = try JoinedRoads.open([paths[0]], cache: cache)
        #expect(directory.files == ["east.roads", "west.roads"])
        let first = try JoinedRoads.open(paths, cache: cache)
        let kept = try #require(directory.files.first { $0.hasPrefix("gateway.sqlite-") })
        let written = try FileManager.default.attributesOfItem(atPath: directory.path + "/" + kept)[.systemFileNumber]
        #expect(try JoinedRoads.open(paths, cache: cache).fingerprint == first.fingerprint)
        let again = try FileManager.default.attributesOfItem(atPath: directory.path + "/" + kept)[.systemFileNumber]
        #expect(written as? Int == again as? Int)

        _ = try directory.write("not mine", to: "gateway.sqlite-old.roads")
        _ = try directory.write(MapObjects.build([sides[0]], clearances: [Self.somewhere]), to: "west.roads")
        let second = try JoinedRoads.open(paths, cache: cache)
        #expect(second.fingerprint != first.fingerprint)
        #expect(!directory.files.contains(kept))
        #expect(directory.files.count == 4)
        // What is mapped stays as it was.
        try first.verify()

        // A damaged one is made again, and who may not write has it in memory.
        let damaged = try #require(
            directory.files.first { $0.hasPrefix("gateway.sqlite-") && $0 != "gateway.sqlite-old.roads" })
        let fingerprint = second.fingerprint
        try FileManager.default.removeItem(atPath: directory.path + "/" + damaged)
        _ = try directory.write("HEADROOM", to: damaged)
        let reader = JoinedRoads.Cache(beside: directory.path + "/gateway.sqlite", mayWrite: false)
        #expect(try JoinedRoads.open(paths, cache: reader).fingerprint == fingerprint)
        #expect(try JoinedRoads.open(paths, cache: cache).fingerprint == fingerprint)
    }

    @Test("What a program with other rules joined of the same files is not used, and removed")
    func cacheOfEarlierProgram() throws {
        let directory = try TemporaryDirectory()
        let sides = try MapObjects(Self.demo).sides(.ways, at: -83.7485)
        let paths = try zip(sides, ["west.roads", "east.roads"]).map { side, name in
            try directory.write(MapObjects.build([side]), to: name)
        }
        // Its key was made of the files alone.
        let key = try paths.map { try RoadNetwork.open($0).fingerprint }
            .reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ $1) &* 0x100_0000_01B3 }
        let earlier = "gateway.sqlite-\(key.hexadecimal).roads"
        _ = try directory.write(MapObjects.build([sides[0]]), to: earlier)
        let cache = JoinedRoads.Cache(beside: directory.path + "/gateway.sqlite", mayWrite: true)
        let joined = try JoinedRoads.open(paths, cache: cache)
        let expected = try JoinedRoads.open(paths)
        #expect(joined.fingerprint == expected.fingerprint)
        #expect(!directory.files.contains(earlier))
    }

    @Test("Where the joined file cannot be written, the roads are joined in memory, and why is told")
    func cacheNotWritable() throws {
        let directory = try TemporaryDirectory()
        let sides = try MapObjects(Self.demo).sides(.ways, at: -83.7485)
        let paths = try zip(sides, ["west.roads", "east.roads"]).map { side, name in
            try directory.write(MapObjects.build([side]), to: name)
        }
        let expected = try JoinedRoads.open(paths).fingerprint
        // A file stands where its folder would be.
        let cache = JoinedRoads.Cache(beside: paths[0] + "/gateway.sqlite", mayWrite: true)
        var warnings: [String] = []
        let joined = try JoinedRoads.open(paths, cache: cache) { warnings.append($0) }
        #expect(joined.fingerprint == expected)
        #expect(warnings.count == 1 && warnings[0].contains("Not a directory"), "\(warnings)")
    }

    private static let somewhere = PointClearance(
        id: "nbi:9", position: Coordinate(latitude: 42.280487, longitude: -83.7482), posted: "4")

    @Test("What cannot be joined is refused with the file's name and the reason")
    func consentRecords() throws {
        let directory = try TemporaryDirectory()
        let sides = try MapObjects(Self.demo).sides(.ways, at: -83.7485)
        let west = try directory.write(MapObjects.build([sides[0]]), to: "west.roads")
        let east = MapObjects.build([sides[1]])
        func refusal(_ content: [UInt8]) throws -> String {
            let other = try directory.write(content, to: "other.roads")
            do {
                _ = try JoinedRoads.open([west, other])
                return "none"
            } catch {
                return "\(error)"
            }
        }
        #expect(
            try refusal(MapObjects.build([sides[0]])).hasSuffix(
                "other.roads: is the same road file as \(west); name it once"))
        #expect(
            try refusal(MapObjects.build([sides[1]], snapDistance: 25)).contains(
                "other.roads: was built with --snap-distance 25.0 m"))
        for distance in [Double.nan, -1, 1e300] {
            #expect(
                try refusal(MapObjects.build([sides[1]], snapDistance: distance)).contains(
                    "other.roads: this road file is damaged (sourceWays"))
        }
        var earlier = east
        earlier[8] = 2
        #expect(
            try refusal(earlier).contains(
                "other.roads: this road file has version 2, this program reads versions 3 and 4"))
        var damaged = east
        damaged[damaged.count - 9] ^= 0x40
        #expect(try refusal(damaged).contains("other.roads: this road file is damaged (source"))
        #expect(try refusal([]).contains("other.roads: expected a road file, got another file"))
    }
}

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

extension RoadNetwork {
    /// An edge by OSM ids.
    struct EdgeDescription: Hashable {
        var key: EdgeKey
        var length: Metres
        var roadClass: RoadClass
        var title: String?
        var successors: Set<EdgeKey>
        var clearances: Set<Clearance>
    }

    /// Every edge, with what may follow it, what limits it and what it is.
    var edgeDescriptions: Set<EdgeDescription> {
        Set(
            (0..<edgeCount).map { EdgeID($0) }.map { edge in
                EdgeDescription(
                    key: key(edge), length: length(edge), roadClass: roadClass(edge), title: title(edge),
                    successors: Set(successors(edge).map(key)), clearances: Set(clearances(edge).map(clearance)))
            })
    }

    /// By OSM ids; sorted.
    func approachDescriptions(_ height: Centimetres) -> [String] {
        HazardTable(self, height: height).approaches(self, alertDistance: 1609.344).map { approach in
            let clearances = approach.hazard.clearances.map { clearance($0).id }
            let detour = approach.detour.map { point in
                "\(osmID(point.junction)) \(key(point.arriving)) \(key(point.turnOff)) \(point.length.rounded()) "
                    + "\(point.extra.rounded()) \(point.distanceToEntry.rounded())"
            }
            let alert = approach.alert.map { "\($0.distanceToEntry.rounded()) \($0.isTruncated)" }
            return "\(clearances) \(key(approach.hazard.entry)) \(detour ?? "none") \(alert ?? "none")"
        }.sorted()
    }
}
