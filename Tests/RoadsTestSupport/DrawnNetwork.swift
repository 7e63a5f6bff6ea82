package import Clearances
package import Geo
package import Roads
import Testing

/// A road network drawn in a few lines of text, built and opened as a real road file.
///
///     a 0 0                          a node, metres east and north of the origin; tags may follow
///     b 100 0 barrier=bollard
///     abc residential maxheight=3.2  a way along nodes, its `highway` value, other tags (`+` stands for a space)
///     n1-n2 service                  nodes with longer names are joined by dashes
///     no_left_turn abc c cd          a restriction: from, via (one node, or ways), to; tags may follow
///     @p 100 5 3.2 road=Mill+Lane    a point clearance: id, place, text; `approach=90,270`, `passage=under`, `source=nbi`,
///                                    `date=2026-05`, `detour=50,0`
///
/// A node that a way names and no line places is missing, as at an extract's border. Edges are named by their ends: `ab`
/// is the edge from `a` to `b`, also where the road bends between. OSM ids count nodes from 1 and ways from 1001 on, in the
/// order in which they are first named.
package struct DrawnNetwork {
    package let network: RoadNetwork
    package let report: ImportReport
    package let bytes: [UInt8]
    private let nodeIDs: [String: Int64]
    private let positions: [String: Coordinate]
    private let nodeNames: [Int64: String]
    private let wayIDs: [String: Int64]

    /// On the equator, where metres per degree hardly change.
    package static let origin = Coordinate(latitude: 0, longitude: 9)

    package init(_ drawing: String, origin: Coordinate = DrawnNetwork.origin, snapDistance: Metres = 40) throws {
        let sketch = try Sketch(drawing, origin: origin)
        (bytes, report) = sketch.build(snapDistance: snapDistance)
        network = try RoadNetwork(RoadFileBuffer(bytes))
        nodeIDs = sketch.nodeIDs
        positions = sketch.positions
        nodeNames = Dictionary(uniqueKeysWithValues: sketch.nodeIDs.map { ($1, $0) })
        wayIDs = sketch.wayIDs
    }

    /// Anywhere, by metres east and north.
    package static func place(
        _ east: Metres, _ north: Metres, from origin: Coordinate = DrawnNetwork.origin
    ) -> Coordinate {
        LocalPlane(latitude: origin.latitude).coordinate(Vector(east: east, north: north), from: origin)
    }

    /// The OSM id of a node.
    package func id(node name: String) throws -> Int64 { try #require(nodeIDs[name], "no node \(name)") }

    /// Where a node is, also one that is but a bend of a road.
    package func position(node name: String) throws -> Coordinate {
        try #require(positions[name], "no node \(name)")
    }

    /// The OSM id of a way.
    package func id(way name: String) throws -> Int64 { try #require(wayIDs[name], "no way \(name)") }

    /// Edges on the map, without shadows.
    package var edges: [EdgeID] {
        (0..<network.edgeCount).map { EdgeID($0) }.filter { network.original($0) == $0 }
    }

    /// The only edge of that name.
    package func edge(_ name: String) throws -> EdgeID {
        let found = edges.filter { self.name($0) == name }
        try #require(found.count == 1, "\(found.count) edges are called \(name)")
        return found[0]
    }

    package func name(_ node: NodeID) -> String { nodeNames[network.osmID(node)] ?? "?" }

    /// The names of its ends; a dash between where one is longer than a letter.
    package func name(_ edge: EdgeID) -> String {
        let ends = [name(network.from(edge)), name(network.to(edge))]
        return ends.joined(separator: ends.allSatisfy { $0.count == 1 } ? "" : "-")
    }

    /// Sorted.
    package var edgeNames: [String] { edges.map(name).sorted() }

    /// Where one may go on to, sorted. Shadows bear the name of what they stand for.
    package func successors(_ edge: String) throws -> [String] {
        network.successors(try self.edge(edge)).map(name).sorted()
    }

    /// Whether edges may be driven in this order.
    package func allows(_ path: String...) throws -> Bool {
        var last = [try edge(path[0])]
        for name in path.dropFirst() {
            last = last.flatMap { network.successors($0) }.filter { self.name($0) == name }
        }
        return !last.isEmpty
    }

    /// What is written on the edge for a vehicle that drives along it.
    package func clearances(_ edge: String) throws -> [Clearance] {
        network.clearances(try self.edge(edge)).map(network.clearance)
    }
}

extension RoadNetwork {
    /// Those under what the map calls lower than the legal default without a number, as drivers are told of it.
    package var edgesBelowDefault: TooLowEdges { TooLowEdges(self, unknown: { clearance($0).isBelowDefault }) }
}

/// The drawing's lines as map objects, fed to the builder in the order in which an OSM file has them.
private struct Sketch {
    private(set) var nodeIDs: [String: Int64] = [:]
    private(set) var wayIDs: [String: Int64] = [:]
    private(set) var positions: [String: Coordinate] = [:]
    private let origin: Coordinate
    private var nodes: [SourceNode] = []
    private var ways: [SourceWay] = []
    private var relations: [SourceRelation] = []
    private var clearances: [PointClearance] = []

    init(_ drawing: String, origin: Coordinate) throws {
        self.origin = origin
        for line in drawing.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            guard words.count >= 2 else { continue }
            if words[0].hasPrefix("@") {
                clearances.append(try PointClearance(drawn: String(line), origin: origin))
            } else if words.count >= 3, let east = Metres(words[1]), let north = Metres(words[2]) {
                addNode(words, east: east, north: north)
            } else if words[0].contains("_") {
                addRestriction(words)
            } else {
                addWay(words)
            }
        }
    }

    func build(snapDistance: Metres) -> (file: [UInt8], report: ImportReport) {
        var builder = RoadNetworkBuilder(snapDistance: snapDistance)
        for way in ways { builder.add(way) }
        for relation in relations { builder.add(relation) }
        for clearance in clearances { builder.add(clearance) }
        builder.finishWays()
        for node in nodes { builder.add(node) }
        return builder.build()
    }

    private mutating func addNode(_ words: [String], east: Metres, north: Metres) {
        let position = DrawnNetwork.place(east, north, from: origin)
        positions[words[0]] = position
        nodes.append(SourceNode(id: nodeID(words[0]), position: position, tags: Self.tags(words.dropFirst(3))))
    }

    private mutating func addWay(_ words: [String]) {
        let names = words[0].contains("-") ? words[0].split(separator: "-").map(String.init) : words[0].map(String.init)
        let id = Int64(1001 + ways.count)
        wayIDs[words[0]] = id
        var tags = Self.tags(words.dropFirst(2))
        tags["highway"] = words[1] == "none" ? nil : words[1]
        ways.append(SourceWay(id: id, nodes: names.map { nodeID($0) }, tags: tags))
    }

    private mutating func addRestriction(_ words: [String]) {
        let names = words.dropFirst().filter { !$0.contains("=") }
        let members = names.enumerated().map { position, name in
            let role = position == 0 ? "from" : position == names.count - 1 ? "to" : "via"
            let way = wayIDs[name]
            return SourceRelation.Member(kind: way == nil ? .node : .way, id: way ?? nodeIDs[name] ?? -1, role: role)
        }
        var tags = Self.tags(words.dropFirst())
        tags["type"] = tags["type"] ?? "restriction"
        if tags["restriction:hgv"] == nil { tags["restriction"] = words[0] }
        relations.append(SourceRelation(id: Int64(relations.count + 1), members: members, tags: tags))
    }

    private mutating func nodeID(_ name: String) -> Int64 {
        if let known = nodeIDs[name] { return known }
        let id = Int64(nodeIDs.count + 1)
        nodeIDs[name] = id
        return id
    }

    static func tags(_ words: ArraySlice<String>) -> [String: String] {
        let pairs = words.compactMap { word -> (String, String)? in
            guard let mark = word.firstIndex(of: "=") else { return nil }
            let value = word[word.index(after: mark)...].map { $0 == "+" ? " " : $0 }
            return (String(word[..<mark]), String(value))
        }
        return Dictionary(pairs) { $1 }
    }
}

extension PointClearance {
    /// A point clearance from its line of a drawing.
    package init(drawn line: String, origin: Coordinate = DrawnNetwork.origin) throws {
        let words = line.split(separator: " ").map(String.init)
        let tags = Sketch.tags(words.dropFirst(4))
        func numbers(_ key: String) -> [Double] { (tags[key] ?? "").split(separator: ",").compactMap { Double($0) } }
        let (east, north) = (try #require(Metres(words[1])), try #require(Metres(words[2])))
        let detour = numbers("detour")
        self.init(
            id: String(words[0].dropFirst()), position: DrawnNetwork.place(east, north, from: origin), posted: words[3],
            name: tags["name"] ?? "", road: tags["road"] ?? "", approach: numbers("approach"),
            passage: tags["passage"].flatMap { Passage(rawValue: $0) },
            detours: detour.count == 2 ? [DrawnNetwork.place(detour[0], detour[1], from: origin)] : [],
            source: tags["source"] ?? "survey", date: tags["date"] ?? "")
    }
}
