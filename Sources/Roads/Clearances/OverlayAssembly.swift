import Clearances
import Geo

/// Puts live clearances over those of a road file: what each limits, which tell of one structure, and what counts.
struct OverlayAssembly {
    private let mapped: MappedClearances
    private var result: ClearanceOverlay
    /// Where live clearances stand that are placed by their position, in the order in which they came.
    private var placed: [(id: ClearanceID, clearance: LiveClearance, edges: [EdgeID])] = []
    /// Clearances of the file whose place another one of their id takes: what they limited they limit no longer.
    private var displaced: Set<ClearanceID> = []
    /// Clearances of the file whose structures are looked at anew.
    private var touched: Set<ClearanceID> = []

    init(_ mapped: MappedClearances) {
        self.mapped = mapped
        result = ClearanceOverlay(mappedCount: mapped.network.clearanceCount)
    }

    mutating func add(_ live: LiveClearance) {
        switch live.placement {
        case .overriding:
            for id in live.mapped { override(id, by: live.clearance) }
        case .snapped(let place, let neighbours):
            for id in ids(of: live, .inForce) { placed.append((id, live, place.edges)) }
            for id in neighbours { touch(id) }
        case .unsnapped:
            _ = ids(of: live, .unsnapped)
        }
    }

    private mutating func override(_ id: ClearanceID, by clearance: PointClearance) {
        var overridden = mapped.network.mappedClearance(id)
        overridden.override(by: clearance)
        result.replace(id, by: overridden)
        touch(id)
    }

    /// The numbers of those of the file that bear its id, else a new one.
    private mutating func ids(of live: LiveClearance, _ status: ClearanceStatus) -> [ClearanceID] {
        for id in live.mapped {
            result.replace(id, by: live.placed)
            result.setStatus(status, of: id)
            displaced.insert(id)
            touch(id)
        }
        return live.mapped.isEmpty ? [result.append(live, status)] : live.mapped
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
        var rows: [LimitRecord] = []
        rows.reserveCapacity(kept.count + 2 * placed.count)
        func place(_ id: ClearanceID, _ edges: [EdgeID]) {
            result.setStatus(ranking.status(Int(id.index)), of: id)
            for edge in edges { rows.append(LimitRecord(edge: edge.index, clearance: id.index)) }
        }
        for id in kept { place(id, mapped.edges(id)) }
        for (id, _, edges) in placed { place(id, edges) }
        var limits = ranking.divide(rows).counting
        // Those of the file that have nothing to do with them stay.
        limits += network.limits.lazy.filter { [touched] in !touched.contains(ClearanceID($0.clearance)) }
        limits.sort(by: LimitRecord.precedes)
        result.limits = limits
        return result
    }

    private func structures(_ kept: [ClearanceID]) -> [[Int]] {
        let network = mapped.network
        var merger = StructureMerger { network.isSameRoadOnLevel(EdgeID($0), EdgeID($1)) }
        for id in kept {
            for foot in mapped.places(id) {
                let position = network.coordinate(foot.edge, offset: foot.offset)
                merger.add(Int(id.index), at: position, road: Int(foot.edge.index), isPoint: mapped.isPoint(id))
            }
        }
        for (id, live, _) in placed {
            for (edge, position) in live.feet {
                merger.add(Int(id.index), at: position, road: Int(edge.index), isPoint: true)
            }
        }
        return merger.structures()
    }
}
