import Clearances
import Geo

/// Puts live clearances over those of a road file: what each limits, which tell of one structure, and what counts.
struct OverlayAssembly {
    /// What a live clearance limits.
    enum Placement: Sendable {
        /// What the clearance of the map limits that bears its id.
        case overriding
        /// With the clearances of the file that may tell of the same structure.
        case snapped(RoadSnapping.Place, neighbours: [ClearanceID])
        case unsnapped(SnappingError)
    }

    private let mapped: MappedClearances
    private var result: ClearanceOverlay
    /// Where live clearances stand that are placed by their position, in the order in which they came.
    private var placed: [(id: ClearanceID, place: RoadSnapping.Place)] = []
    /// Clearances of the file whose place another one of their id takes: what they limited they limit no longer.
    private var displaced: Set<ClearanceID> = []
    /// Clearances of the file whose structures are looked at anew.
    private var touched: Set<ClearanceID> = []

    init(_ mapped: MappedClearances) {
        self.mapped = mapped
        result = ClearanceOverlay(mappedCount: mapped.network.clearanceCount)
    }

    mutating func add(_ clearance: PointClearance, _ placement: Placement) {
        switch placement {
        case .overriding:
            for id in mapped.withID(clearance.id) { override(id, by: clearance) }
        case .snapped(let place, let neighbours):
            for id in ids(of: Clearance(clearance, road: place.road)) {
                result.setStatus(.inForce, of: id)
                placed.append((id, place))
            }
            for id in neighbours { touch(id) }
        case .unsnapped:
            for id in ids(of: Clearance(clearance, road: "")) { result.setStatus(.unsnapped, of: id) }
        }
    }

    private mutating func override(_ id: ClearanceID, by clearance: PointClearance) {
        var overridden = mapped.network.mappedClearance(id)
        overridden.override(by: clearance)
        result.replace(id, by: overridden)
        touch(id)
    }

    /// The numbers of those of the file that bear its id, else a new one.
    private mutating func ids(of clearance: Clearance) -> [ClearanceID] {
        let replaced = mapped.withID(clearance.id)
        for id in replaced {
            result.replace(id, by: clearance)
            displaced.insert(id)
            touch(id)
        }
        return replaced.isEmpty ? [result.append(clearance)] : replaced
    }

    private mutating func touch(_ id: ClearanceID) {
        if !touched.contains(id) { touched.formUnion(mapped.structure(of: id)) }
    }

    // MARK: Structures

    func overlay() -> ClearanceOverlay {
        let network = mapped.network
        var result = result
        let kept = touched.subtracting(displaced).sorted()
        let ranking = StructureRanking(structures(kept)) { [result] index in
            result.reading(ClearanceID(index)) ?? network.clearanceRows[index].reading
        }
        for id in kept + placed.map(\.id) { result.setStatus(ranking.status(Int(id.index)), of: id) }
        let limits = kept.map { ($0, mapped.edges($0)) } + placed.map { ($0.id, $0.place.edges) }
        let rows = limits.flatMap { id, edges in edges.map { LimitRecord(edge: $0.index, clearance: id.index) } }
        // Those of the file that have nothing to do with them stay.
        let others = network.limits.filter { !touched.contains(ClearanceID($0.clearance)) }
        result.limits = (others + ranking.divide(rows).counting).sorted(by: LimitRecord.precedes)
        return result
    }

    private func structures(_ kept: [ClearanceID]) -> [[Int]] {
        let network = mapped.network
        var merger = StructureMerger { network.isSameRoadOnLevel(EdgeID($0), EdgeID($1)) }
        func add(_ id: ClearanceID, _ feet: [NearbyEdge], isPoint: Bool) {
            for foot in feet {
                let position = network.coordinate(foot.edge, offset: foot.offset)
                merger.add(Int(id.index), at: position, road: Int(foot.edge.index), isPoint: isPoint)
            }
        }
        for id in kept { add(id, mapped.places(id), isPoint: mapped.isPoint(id)) }
        for (id, place) in placed { add(id, place.feet, isPoint: true) }
        return merger.structures()
    }
}
