public import Clearances
public import Geo
import Hashing

/// Makes a road file out of map objects: first ways and relations, then the nodes that those need, then `build()`.
///
/// The same objects in the same order give the same bytes.
public struct RoadNetworkBuilder: Sendable {
    struct DrivableWay: Sendable {
        var id: Int64
        var nodes: [Int64]
        var road: RoadTags
        var heights: MaxHeightTags
        /// Of its first node that was read, along the Hilbert curve; known from `build` on.
        var place = UInt64.max
    }

    struct BridgeWay: Sendable {
        var nodes: [Int64]
        var name: String
        var layer: Int
    }

    /// Extracts overlap: what was read before is passed over.
    private var knownWays: Set<Int64> = []
    private var knownRelations: Set<Int64> = []
    private var ways: [DrivableWay] = []
    private var bridges: [BridgeWay] = []
    private var restrictions: [TurnRestriction] = []
    private var nodes = NodeTable(ids: [])
    /// By index in `nodes`.
    private var nodeHeights: [Int: MaxHeightTags] = [:]
    /// The tags of the nodes that say something about roads, by index in `nodes`.
    private var nodeTags: [Int: [String: String]] = [:]
    private var source: SourceWriter
    /// Written behind all ways, so that files that are read in several parts give the same bytes as one.
    private var sourceRelations: [SourceRelation] = []
    private let snapDistance: Metres
    private var pointClearances: [PointClearance] = []
    /// Where in `pointClearances` the first of each id stands.
    private var pointIndices: [BytewiseText: Int] = [:]
    private var report = ImportReport()
    private var baseMap = BaseMapAssembly()

    /// How far from the road that it limits a point clearance may lie: what is farther off is about another road.
    public static let snapDistances: ClosedRange<Metres> = 0...1_000

    /// - Parameter snapDistance: how far from the road that it limits a point clearance may lie; one of `snapDistances`.
    public init(snapDistance: Metres = 40) {
        self.snapDistance = snapDistance
        source = SourceWriter(snapDistance: snapDistance)
    }

    public mutating func add(_ way: SourceWay) {
        guard knownWays.insert(way.id).inserted else { return }
        report.ways += 1
        let isBridge = addBridge(way)
        let road = RoadTags(way.tags)
        if isBridge || road != nil { source.add(way) }
        guard let road else { return }
        report.drivableWays += 1
        let heights = MaxHeightTags(way.tags)
        report.count(heights)
        ways.append(DrivableWay(id: way.id, nodes: way.nodes, road: road, heights: heights))
    }

    /// - Returns: whether it is one.
    private mutating func addBridge(_ way: SourceWay) -> Bool {
        guard let bridge = way.tags["bridge"], bridge != "no" else { return false }
        guard way.tags["highway"] != nil || way.tags["railway"] != nil || way.tags["waterway"] != nil else {
            return false
        }
        let name = way.tags["bridge:name"] ?? way.tags["name"] ?? way.tags["ref"] ?? ""
        let layer = way.tags["layer"].flatMap { Int($0) } ?? 1
        bridges.append(BridgeWay(nodes: way.nodes, name: name, layer: layer))
        return true
    }

    public mutating func add(_ relation: SourceRelation) {
        guard knownRelations.insert(relation.id).inserted else { return }
        do throws(TurnRestriction.RestrictionError) {
            guard let restriction = try TurnRestriction(relation) else { return }
            report.restrictions += 1
            restrictions.append(restriction)
            sourceRelations.append(relation)
        } catch {
            report.restrictions += 1
            report.restrictionsIgnored[error.rawValue, default: 0] += 1
        }
    }

    /// A clearance from elsewhere than the map, at any time before `build`. Ids are the caller's to keep apart.
    public mutating func add(_ clearance: PointClearance) {
        if pointIndices[clearance.$id] == nil { pointIndices[clearance.$id] = pointClearances.count }
        pointClearances.append(clearance)
    }

    /// The same, where one of its id may have been added before: then the lower one counts.
    mutating func addLowest(_ clearance: PointClearance) {
        guard let index = pointIndices[clearance.$id] else { return add(clearance) }
        let known = pointClearances[index].reading
        if known != clearance.reading, known.merged(with: clearance.reading) == clearance.reading {
            pointClearances[index] = clearance
        }
    }

    /// A feature of the base map, at any time before `build`.
    public mutating func add(_ feature: BaseMapFeature) { baseMap.add(feature) }

    /// What the reader of clearance files did not use.
    public mutating func countRejected(_ reason: String) { report.clearancesRejected[reason, default: 0] += 1 }

    /// Call once, after the last way and before the first node.
    public mutating func finishWays() {
        nodes = NodeTable(ids: ways.flatMap(\.nodes) + bridges.flatMap(\.nodes))
    }

    /// Nodes that no kept way names are passed over.
    public mutating func add(_ node: SourceNode) {
        guard let index = nodes.index(of: node.id), node.position.isValid else { return }
        nodes.points[index] = PointRecord(node.position)
        nodes.flags[index].insert(.found)
        let tags = SourceTags.used(node.tags)
        guard !tags.isEmpty else { return }
        nodeTags[index] = tags
        switch Barrier.access(tags) {
        case .open: break
        case .destination: nodes.flags[index].insert(.restricted)
        case .closed: nodes.flags[index].insert([.blocked, .junction])
        }
        let heights = MaxHeightTags(ofNode: tags)
        if !heights.isEmpty {
            nodes.flags[index].insert(.junction)
            nodeHeights[index] = heights
        }
    }

    /// - Returns: the bytes of a road file, and what was read.
    public consuming func build() -> (file: [UInt8], report: ImportReport) {
        sortWays()
        for relation in sourceRelations { self.source.add(relation) }
        for clearance in pointClearances { self.source.add(clearance) }
        let source = (ways: self.source.bytes, nodes: SourceWriter.bytes(of: nodes, tags: nodeTags))
        report.nodes = nodes.flags.count { $0.contains(.found) }
        report.missingNodes = nodes.ids.count - report.nodes
        let bridges = bridgeCrossings()
        let points = placePoints(bridges)
        var assembly = EdgeAssembly(ways: ways, nodes: nodes)
        let turns = TurnTable(assembly, rules: rules(assembly))
        assembly.add(shadows: turns.shadows)
        let mapped = clearances(assembly, bridges)
        for heights in mapped.nodeHeightsUsed { report.count(heights) }
        let structures = StructureAssembly(mapped, points, assembly: assembly, nodes: nodes, ways: ways)
        structures.count(in: &report)
        report.junctions = assembly.nodeRecords.count
        report.directedEdges = assembly.mapEdgeCount
        report.lengthKilometres = (assembly.shapeMetres / 100).rounded() / 10
        var contents = RoadFileContents(
            ways: ways, assembly: assembly, turns: turns, structures: structures,
            crossings: assembly.crossings(with: bridges, ways), report: report,
            baseMap: baseMap, source: source)
        let file = contents.bytes()
        return (file, contents.report)
    }

    /// Ways, and so edges, shapes and junctions, get their numbers by where they lie: neighbours are near each other in each
    /// table, and which of two equals comes first does not depend on the order of the map's files.
    private mutating func sortWays() {
        for index in ways.indices {
            let first = ways[index].nodes.lazy.compactMap { [nodes] in nodes.found($0) }.first
            ways[index].place = first.map { nodes.points[$0].hilbertDistance } ?? .max
        }
        ways.sort { ($0.place, $0.id) < ($1.place, $1.id) }
    }

    private mutating func rules(_ assembly: EdgeAssembly) -> [TurnTable.Rule] {
        let finder = RuleFinder(
            edges: assembly.edges, edgesOfWay: assembly.edgesOfWay,
            junction: { [nodes] id in nodes.index(of: id).flatMap { assembly.junctions[$0] } })
        var rules: [TurnTable.Rule] = []
        for restriction in restrictions {
            do throws(TurnRestriction.RestrictionError) {
                rules += try finder.rules(for: restriction)
            } catch {
                report.restrictionsIgnored[error.rawValue, default: 0] += 1
            }
        }
        return rules
    }

    /// Snaps the point clearances that are no override, and cuts the roads there.
    private mutating func placePoints(_ bridges: BridgeCrossings) -> StructureAssembly.Points {
        let heights = nodeHeights.map { (nodes.ids[$0.key], $0.value) }
        let mapped = mappedIDs(bridges)
        let overrides = pointClearances.filter { mapped.contains($0.id) }
        let placement = PointPlacement(
            pointClearances.filter { !mapped.contains($0.id) }, ways: ways, bridges: bridges, nodes: nodes,
            radius: snapDistance)
        var cuts = WayCuts()
        let placed = placement.placed.map { placed in
            let feet = placed.outcome.map { feet in
                feet.map { foot in
                    let node = cuts.node(at: foot, of: placed.clearance.id, ways, nodes)
                    return StructureAssembly.Foot(node: node, way: foot.way, position: foot.position)
                }
            }
            return StructureAssembly.Point(clearance: placed.clearance, feet: feet)
        }
        cuts.apply(to: &ways, &nodes)
        nodeHeights = Dictionary(
            uniqueKeysWithValues: heights.compactMap { id, tags in nodes.index(of: id).map { ($0, tags) } })
        return StructureAssembly.Points(overrides: overrides, placed: placed)
    }

    /// The ids of the map's clearances, where point clearances may have such ones. A height on what no road leads along
    /// or to is no clearance.
    private func mappedIDs(_ bridges: BridgeCrossings) -> Set<String> {
        guard pointClearances.contains(where: { $0.id.hasPrefix("osm:") }) else { return [] }
        let assembly = EdgeAssembly(ways: ways, nodes: nodes)
        return Set(clearances(assembly, bridges).clearances.map(\.id))
    }

    private func clearances(_ assembly: EdgeAssembly, _ bridges: BridgeCrossings) -> ClearanceAssembly {
        ClearanceAssembly(ways: ways, nodeHeights: nodeHeights, assembly: assembly, nodes: nodes, bridges: bridges)
    }

    private func bridgeCrossings() -> BridgeCrossings {
        BridgeCrossings(
            bridges.flatMap { bridge in
                nodes.lines(bridge.nodes).map { line in
                    BridgeCrossings.Bridge(nodes: bridge.nodes, name: bridge.name, layer: bridge.layer, line: line)
                }
            })
    }
}
