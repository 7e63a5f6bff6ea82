import Geo

/// Every clearance of the network: those of the map, those of points, what each limits, and which tell of one structure.
struct StructureAssembly {
    /// Where a point clearance limits a road.
    struct Foot {
        /// The edges that arrive at this node are limited.
        var node: Int64
        var way: Int
        var position: Coordinate
    }

    struct Point {
        var clearance: PointClearance
        var feet: Result<[Foot], UnsnappedReason>
    }

    struct Points {
        /// They bear the id of a clearance of the map, and take its place.
        var overrides: [PointClearance]
        var placed: [Point]
    }

    private(set) var clearances: [Clearance]
    /// By position in `clearances`.
    private(set) var standings: [ClearanceStanding]
    /// Sorted by edge.
    private(set) var limits: [LimitRecord]
    private let points: Points

    init(
        _ mapped: ClearanceAssembly, _ points: Points, assembly: EdgeAssembly, nodes: NodeTable,
        ways: [RoadNetworkBuilder.DrivableWay]
    ) {
        clearances = mapped.clearances
        limits = mapped.limits
        standings = Array(repeating: .inForce, count: clearances.count)
        self.points = points
        override(by: points.overrides)
        guard !points.placed.isEmpty else { return }
        var merger = StructureMerger(ways: ways)
        for limit in limits {
            merger.add(
                Int(limit.clearance), at: clearances[Int(limit.clearance)].position,
                way: Int(assembly.edges[Int(limit.edge)].way))
        }
        let limiter = PointLimiter(assembly: assembly, nodes: nodes, ways: ways)
        for point in points.placed { add(point, limiter, &merger) }
        merge(merger)
        limits.sort { ($0.edge, $0.clearance) < ($1.edge, $1.clearance) }
    }

    private mutating func override(by overrides: [PointClearance]) {
        let byID = Dictionary(overrides.map { ($0.id, $0) }) { first, _ in first }
        for index in clearances.indices {
            guard let override = byID[clearances[index].id] else { continue }
            clearances[index].posted = override.posted
            clearances[index].reading = override.reading
            clearances[index].source = override.source
            if !override.name.isEmpty { clearances[index].name = override.name }
        }
    }

    private mutating func add(_ point: Point, _ limiter: PointLimiter, _ merger: inout StructureMerger) {
        let feet = (try? point.feet.get()) ?? []
        let index = clearances.count
        let clearance = point.clearance
        clearances.append(
            Clearance(
                id: clearance.id, name: limiter.name(clearance, feet), posted: clearance.posted,
                source: clearance.source, position: clearance.position, reading: clearance.reading))
        standings.append(feet.isEmpty ? .unsnapped : .inForce)
        let edges = Set(feet.flatMap { limiter.edges(clearance, at: $0) })
        limits += edges.sorted().map { LimitRecord(edge: $0, clearance: UInt32(index)) }
        for foot in feet { merger.add(index, at: foot.position, way: foot.way, isPoint: true) }
    }

    /// Of the clearances of one structure the lowest counts where several hold; each stays in the list.
    private mutating func merge(_ merger: StructureMerger) {
        var structureOf: [Int: Int] = [:]
        for members in merger.structures() {
            guard let lowest = members.min(by: { rank($0) < rank($1) }) else { continue }
            for member in members {
                structureOf[member] = lowest
                if member != lowest { standings[member] = .merged(into: ClearanceID(lowest)) }
            }
        }
        var counting: [EdgeAndStructure: LimitRecord] = [:]
        for limit in limits {
            let structure = structureOf[Int(limit.clearance)] ?? Int(limit.clearance)
            let key = EdgeAndStructure(edge: limit.edge, structure: structure)
            guard let other = counting[key], rank(Int(other.clearance)) < rank(Int(limit.clearance)) else {
                counting[key] = limit
                continue
            }
        }
        limits = Array(counting.values)
    }

    private struct EdgeAndStructure: Hashable {
        var edge: UInt32
        var structure: Int
    }

    /// The order in which readings of one structure count, as in `ClearanceReading.merged`; the earlier of equals.
    private func rank(_ index: Int) -> (Int, Int) {
        switch clearances[index].reading {
        case .limit(let limit): (limit, index)
        case .unknown: (.max - 1, index)
        case .legalDefault: (.max, index)
        }
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
        report.clearancesMerged = standings.count { if case .merged = $0 { true } else { false } }
    }
}

/// The edges that a point clearance limits, and what it is called.
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

    /// As with a node of the map: the edges that arrive there, on the road's level and on a course that is limited.
    func edges(_ clearance: PointClearance, at foot: StructureAssembly.Foot) -> [UInt32] {
        guard let junction = nodes.index(of: foot.node).flatMap({ assembly.junctions[$0] }) else { return [] }
        let onLevel = arriving[Int(junction)].filter { edge in
            edge < assembly.mapEdgeCount
                && ways[Int(assembly.edges[Int(edge)].way)].road.layer == ways[foot.way].road.layer
        }
        let limited = onLevel.filter { clearance.limits(course: Degrees(assembly.edges[Int($0)].endBearing)) }
        return limited.isEmpty ? onLevel : limited
    }

    func name(_ clearance: PointClearance, _ feet: [StructureAssembly.Foot]) -> String {
        if !clearance.name.isEmpty { return clearance.name }
        if !clearance.road.isEmpty { return clearance.road }
        guard let road = feet.first.map({ ways[$0.way].road }) else { return "" }
        return road.name.isEmpty ? road.number : road.name
    }
}
