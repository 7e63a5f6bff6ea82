import Algorithms
public import Clearances
import Geo

/// What limits the roads: the road file's clearances, and what is overlaid (see `LiveClearances`).
extension RoadNetwork {
    public func clearance(_ id: ClearanceID) -> Clearance { overlay?.clearance(id) ?? mappedClearance(id) }

    public func reading(_ id: ClearanceID) -> ClearanceReading {
        overlay?.reading(id) ?? clearanceRows[id.index].reading
    }

    public func status(_ id: ClearanceID) -> ClearanceStatus {
        overlay?.status(id) ?? clearanceRows[id.index].status
    }

    /// What limits one edge, in the direction it is driven.
    public func clearances(_ edge: EdgeID) -> [ClearanceID] {
        let original = original(edge)
        return overlay.map { $0.limits.clearances(original) } ?? limits.clearances(original)
    }

    /// Every edge that carries a clearance, with it; sorted by edge, originals only.
    public var limitedEdges: [(edge: EdgeID, clearance: ClearanceID)] {
        (overlay?.limits ?? Array(limits)).map { (EdgeID($0.edge), ClearanceID($0.clearance)) }
    }

    /// Whether another network on the same road file has live clearances over it that say the same.
    package func hasSameLiveClearances(as other: RoadNetwork) -> Bool {
        (overlay?.live ?? []).elementsEqual(other.overlay?.live ?? []) { $0 === $1 || $0.clearance == $1.clearance }
    }

    /// Where the structure of a clearance stands on a low zone: the foot of its position on the nearest of the edges that it limits. Nil
    /// where it limits none of them.
    package func place(of id: ClearanceID, on zone: [EdgeID]) -> RoadPosition? {
        let position = clearance(id).position
        let plane = LocalPlane(latitude: position.latitude)
        let feet = zone.filter { clearances($0).contains(id) }.compactMap { foot(of: position, on: $0, plane) }
        return feet.min { $0.distance < $1.distance }.map { RoadPosition(edge: $0.edge, offset: $0.offset) }
    }

    /// As the road file has it.
    func mappedClearance(_ id: ClearanceID) -> Clearance {
        let record = clearanceRows[id.index]
        return Clearance(
            id: text(record.id), name: text(record.name), posted: text(record.posted), source: text(record.source),
            position: Coordinate(record.point), reading: record.reading,
            approach: record.approaches.range.map { approaches[$0] },
            detours: record.detours.range.map { Coordinate(detours[$0]) }, date: text(record.date))
    }
}

extension RandomAccessCollection<LimitRecord> where Index == Int {
    /// Those of an edge; the records are in the order of a road file.
    func clearances(_ edge: EdgeID) -> [ClearanceID] {
        self[partitioningIndex { $0.edge >= edge.index }...].prefix { $0.edge == edge.index }
            .map { ClearanceID($0.clearance) }
    }
}

extension ClearanceRecord {
    var reading: ClearanceReading {
        switch limit {
        case Self.unknown: .unknown
        case Self.legalDefault: .legalDefault
        default: .limit(Centimetres(limit))
        }
    }

    static func limit(_ reading: ClearanceReading) -> Int32 {
        switch reading {
        case .limit(let limit): Int32(limit)
        case .legalDefault: legalDefault
        case .unknown: unknown
        }
    }
}
