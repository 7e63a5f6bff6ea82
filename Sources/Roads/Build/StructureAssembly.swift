import Algorithms
import Clearances
import Geo

/// Every clearance of the network: those of the map, those of points, what each limits, and which tell of one structure.
struct StructureAssembly {
    /// Where a point clearance limits a road.
    struct Foot {
        /// `NodeEdges` tells which edges there are limited.
        var node: Int64
        var way: Int
        var position: Coordinate
    }

    struct Point {
        var clearance: PointClearance
        var feet: Result<[Foot], SnappingError>
    }

    struct Points {
        /// They bear the id of a clearance of the map, and take its place.
        var overrides: [PointClearance]
        var placed: [Point]
    }

    private(set) var clearances: [Clearance]
    /// By position in `clearances`.
    private(set) var statuses: [ClearanceStatus]
    /// Sorted by edge.
    private(set) var limits: [LimitRecord]
    /// Those of them that a lower one of the same structure keeps from counting; sorted by edge.
    private(set) var outweighed: [LimitRecord] = []
    /// From here on clearances are those of points.
    let firstPoint: Int
    private let points: Points

    init(
        _ mapped: ClearanceAssembly, _ points: Points, assembly: EdgeAssembly, nodes: NodeTable,
        ways: [RoadNetworkBuilder.DrivableWay]
    ) {
        clearances = mapped.clearances
        limits = mapped.limits
        statuses = Array(repeating: .inForce, count: clearances.count)
        firstPoint = clearances.count
        self.points = points
        override(by: points.overrides)
        guard !clearances.isEmpty || !points.placed.isEmpty else { return }
        var merger = StructureMerger { ways[$0].isSameRoad(as: ways[$1]) }
        let roads = limits.lazy.map { (clearance: $0.clearance, road: assembly.edges[Int($0.edge)].way) }
        for (number, road) in roads.uniqued(on: { UInt64($0.clearance) << 32 | UInt64($0.road) }) {
            let clearance = clearances[Int(number)]
            merger.add(
                Int(number), at: clearance.position, road: Int(road), isPoint: false, reading: clearance.reading)
        }
        let limiter = PointLimiter(assembly: assembly, nodes: nodes, ways: ways)
        for point in points.placed { add(point, limiter, &merger) }
        merge(merger.structures())
    }

    private mutating func override(by overrides: [PointClearance]) {
        let byID = Dictionary(overrides.map { ($0.id, $0) }) { first, _ in first }
        for index in clearances.indices {
            if let override = byID[clearances[index].id] { clearances[index].override(by: override) }
        }
    }

    private mutating func add(_ point: Point, _ limiter: PointLimiter, _ merger: inout StructureMerger) {
        let feet = (try? point.feet.get()) ?? []
        let index = clearances.count
        let clearance = point.clearance
        clearances.append(Clearance(clearance, road: feet.first.map { limiter.title($0) } ?? ""))
        statuses.append(feet.isEmpty ? .unsnapped : .inForce)
        let edges = Set(feet.flatMap { limiter.edges(clearance, at: $0) })
        limits += edges.sorted().map { LimitRecord(edge: $0, clearance: UInt32(index)) }
        for foot in feet {
            merger.add(index, at: foot.position, road: foot.way, isPoint: true, reading: clearance.reading)
        }
    }

    private mutating func merge(_ structures: [[Int]]) {
        let ranking = StructureRanking(structures) { [clearances] in clearances[$0].reading }
        for member in structures.joined() { statuses[member] = ranking.status(member) }
        (limits, outweighed) = ranking.divide(limits)
        limits.sort(by: LimitRecord.precedes)
        outweighed.sort(by: LimitRecord.precedes)
    }

    func count(in report: inout ImportReport) {
        for clearance in clearances { report.count(clearance.reading) }
        let known = Set(clearances.map(\.id))
        report.clearancesOverridden = points.overrides.count { known.contains($0.id) }
        for override in points.overrides { report.count(override) }
        for point in points.placed {
            report.count(point.clearance)
            switch point.feet {
            case .success: report.clearancesSnapped += 1
            case .failure(let reason):
                report.clearancesUnsnapped[reason.rawValue, default: 0] += 1
                report.unsnapped[point.clearance.id] = reason
            }
        }
        report.clearancesMerged = statuses.count { if case .merged = $0 { true } else { false } }
    }
}

/// The edges that a point clearance limits, and what their road is called.
struct PointLimiter {
    private let assembly: EdgeAssembly
    private let nodes: NodeTable
    private let ways: [RoadNetworkBuilder.DrivableWay]
    private let arriving: [[UInt32]]

    init(assembly: EdgeAssembly, nodes: NodeTable, ways: [RoadNetworkBuilder.DrivableWay]) {
        self.assembly = assembly
        self.nodes = nodes
        self.ways = ways
        arriving = assembly.arriving
    }

    func edges(_ clearance: PointClearance, at foot: StructureAssembly.Foot) -> [UInt32] {
        guard let junction = nodes.index(of: foot.node).flatMap({ assembly.junctions[$0] }) else { return [] }
        let ofWay = assembly.edgesOfWay[ways[foot.way].id] ?? []
        let edges = NodeEdges(
            of: UInt32(foot.way), arriving: arriving[Int(junction)].filter { $0 < assembly.mapEdgeCount },
            leaving: ofWay.filter { assembly.edges[Int($0)].from == junction },
            record: { assembly.edges[Int($0)] }, layer: { ways[Int($0)].road.layer })
        return edges.limited(by: clearance)
    }

    /// Empty where the road has neither name nor number.
    func title(_ foot: StructureAssembly.Foot) -> String {
        let road = ways[foot.way].road
        return RoadTitle.of(name: road.name, number: road.number)
    }
}

extension RoadNetworkBuilder.DrivableWay {
    /// One way, or ways that share a name or number, or nameless ways that meet.
    fileprivate func isSameRoad(as other: Self) -> Bool {
        if id == other.id { return true }
        guard road.layer == other.road.layer else { return false }
        if !road.name.isEmpty && road.name == other.road.name { return true }
        if !road.number.isEmpty && road.number == other.road.number { return true }
        let isNameless = [road.name, road.number, other.road.name, other.road.number].allSatisfy(\.isEmpty)
        let ends = [other.nodes.first, other.nodes.last]
        return isNameless && (ends.contains(nodes.first) || ends.contains(nodes.last))
    }
}
