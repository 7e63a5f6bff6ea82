import Algorithms
import Clearances
import Geo

/// Lays live clearances over those of a road file: what each limits, which tell of one structure, and what counts.
///
/// Begins with an overlay of others: structures of which something is new or gone are looked at again, and what it says of the
/// rest is taken over. The result is the same as from none.
struct OverlayAssembly {
    private let mapped: MappedClearances
    private let former: ClearanceOverlay
    private var result: ClearanceOverlay
    private let numbers: Numbers
    /// Structures of the overlay before that are looked at again, by the clearance that counted.
    private var structures: Set<ClearanceID> = []
    /// By number: whether the clearance is one that is looked at again.
    private var isAffected: [Bool]

    /// - Parameter live: by id.
    init(_ mapped: MappedClearances, from former: ClearanceOverlay, _ live: [LiveClearance]) {
        (self.mapped, self.former) = (mapped, former)
        numbers = Numbers(former, live)
        result = ClearanceOverlay(
            former, live: live, positions: numbers.positions, kept: numbers.kept, number: numbers.present)
        isAffected = Array(repeating: false, count: result.mappedCount + result.appendedCount)
        for (live, ids) in numbers.gone { remove(live, ids) }
        for (live, ids) in numbers.new { add(live, ids) }
    }

    // MARK: What is looked at again

    private mutating func remove(_ live: LiveClearance, _ ids: [ClearanceID]) {
        for id in ids { lookAgain(at: id) }
        for id in live.mapped {
            result.restore(id)
            lookAgain(near: mapped.places(id).map { mapped.network.coordinate($0.edge, offset: $0.offset) })
        }
        touch(live, -1)
    }

    private mutating func add(_ live: LiveClearance, _ ids: [ClearanceID]) {
        for id in live.mapped {
            var clearance = live.placed
            if case .overriding = live.placement {
                clearance = mapped.network.mappedClearance(id)
                clearance.override(by: live.clearance)
            }
            result.replace(id, by: live, clearance)
        }
        for id in ids { isAffected[Int(id.index)] = true }
        if !former.live.isEmpty { lookAgain(near: live.feet.map(\.position)) }
        touch(live, 1)
    }

    /// Counts who tells of structures of the file. Those that nobody else tells of are as the file has them.
    private mutating func touch(_ live: LiveClearance, _ count: Int) {
        for lowest in Set((live.mapped + live.neighbours).map(mapped.lowest)) {
            let touches = result.touches[lowest, default: 0] + count
            result.touches[lowest] = touches == 0 ? nil : touches
            for id in mapped.structure(lowest) { lookAgain(at: id) }
        }
    }

    /// - Parameter id: its number before.
    private mutating func lookAgain(at id: ClearanceID) {
        structures.insert(formerStatus(id).lowest(of: id))
        if Int(id.index) < mapped.network.clearanceRows.count { isAffected[Int(id.index)] = true }
    }

    private func formerStatus(_ id: ClearanceID) -> ClearanceStatus {
        former.status(id) ?? mapped.network.clearanceRows[id.index].status
    }

    /// Structures that a clearance at one of these places may be part of: each limits an edge near it.
    private mutating func lookAgain(near positions: [Coordinate]) {
        for position in positions {
            // What stands so near to a junction limits what arrives there.
            let reach = StructureMerger.reach + WayCuts.nearest
            for edge in mapped.network.edges(within: reach, of: position) {
                for id in former.limits.clearances(edge.edge) { lookAgain(at: id) }
            }
        }
    }

    private mutating func completeStructures() {
        let appended = (0..<former.appendedCount).lazy.map { [former] in ClearanceID(former.mappedCount + $0) }
        for id in chain(former.mappedWithStatus, appended)
        where structures.contains(formerStatus(id).lowest(of: id)) {
            if let present = numbers.present(id) { isAffected[Int(present.index)] = true }
        }
    }

    // MARK: What comes of it

    mutating func overlay() -> ClearanceOverlay {
        completeStructures()
        let network = mapped.network
        var merger = StructureMerger { network.isSameRoadOnLevel(EdgeID($0), EdgeID($1)) }
        var limiting: [(id: ClearanceID, edges: [EdgeID])] = []
        for id in isAffected.indices.lazy.filter({ [isAffected] in isAffected[$0] }).map({ ClearanceID($0) }) {
            let (index, live) = (Int(id.index), result.live(id))
            let reading = result.reading(id) ?? network.clearanceRows[id.index].reading
            switch live?.placement {
            case .unsnapped:
                result.setStatus(.unsnapped, of: id)
            case .snapped(let place, _):
                for (edge, position) in live?.feet ?? [] {
                    merger.add(index, at: position, road: Int(edge.index), isPoint: true, reading: reading)
                }
                limiting.append((id, place.edges))
            case nil where result.touches[mapped.lowest(of: id)] == nil:
                result.setStatus(nil, of: id)
            case .overriding, nil:
                for foot in mapped.places(id) {
                    merger.add(
                        index, at: network.coordinate(foot.edge, offset: foot.offset),
                        road: Int(foot.edge.index), isPoint: mapped.isPoint(id), reading: reading)
                }
                limiting.append((id, mapped.edges(id)))
            }
        }
        let ranking = StructureRanking(merger.structures()) { [result] index in
            result.reading(ClearanceID(index)) ?? network.clearanceRows[index].reading
        }
        for (id, _) in limiting { result.setStatus(ranking.status(Int(id.index)), of: id) }
        let limits = limiting.flatMap { id, edges in
            edges.map { LimitRecord(edge: $0.index, clearance: id.index) }
        }
        result.limits = keptLimits() + restoredLimits() + ranking.divide(limits).counting
        // Mostly runs that are in order.
        result.limits.sort(by: LimitRecord.precedes)
        return result
    }

    private func keptLimits() -> [LimitRecord] {
        former.limits.compactMap { limit in
            guard let id = numbers.present(ClearanceID(limit.clearance)), !isAffected[Int(id.index)] else { return nil }
            return LimitRecord(edge: limit.edge, clearance: id.index)
        }
    }

    /// What is as the file has it.
    private func restoredLimits() -> [LimitRecord] {
        mapped.network.limits.filter { limit in
            let id = ClearanceID(limit.clearance)
            return isAffected[Int(limit.clearance)] && result.live(id) == nil
                && result.touches[mapped.lowest(of: id)] == nil
        }
    }
}

/// Which live clearances of an overlay are also in the next one, and under which numbers.
private struct Numbers {
    private(set) var gone: [(live: LiveClearance, ids: [ClearanceID])] = []
    private(set) var new: [(live: LiveClearance, ids: [ClearanceID])] = []
    /// Of the appended ones.
    private(set) var positions: [Int] = []
    /// Of each of these where it was among the appended ones before; nil: it is new.
    private(set) var kept: [Int?] = []
    private let mappedCount: Int
    /// The other way round.
    private var present: [ClearanceID?] = []

    init(_ former: ClearanceOverlay, _ live: [LiveClearance]) {
        mappedCount = former.mappedCount
        var before = former.live[...]
        func id(_ position: Int) -> ClearanceID { ClearanceID(former.mappedCount + position) }
        for (position, next) in live.enumerated() {
            while let first = before.first, first !== next, first.clearance.$id <= next.clearance.$id {
                remove(before.removeFirst())
            }
            let isKept = before.first === next
            if isKept { before.removeFirst() }
            if !isKept { new.append((next, next.mapped.isEmpty ? [id(kept.count)] : next.mapped)) }
            guard next.mapped.isEmpty else { continue }
            if isKept { present.append(id(kept.count)) }
            kept.append(isKept ? present.count - 1 : nil)
            positions.append(position)
        }
        for rest in before { remove(rest) }
    }

    private mutating func remove(_ live: LiveClearance) {
        guard live.mapped.isEmpty else { return gone.append((live, live.mapped)) }
        gone.append((live, [ClearanceID(mappedCount + present.count)]))
        present.append(nil)
    }

    /// The number of what had another one before; nil: it is gone.
    func present(_ id: ClearanceID) -> ClearanceID? {
        Int(id.index) < mappedCount ? id : present[Int(id.index) - mappedCount]
    }
}
