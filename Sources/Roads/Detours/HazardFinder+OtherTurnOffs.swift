import Geo

/// Ways to an entry on which no turn-off has a detour, though others have one.
extension HazardFinder {
    /// On a way that passes no turn-off with a detour, or only one whose detour is the shorter way, the last turn-off of any kind
    /// is the last: a truck there has come round from the far side, as one that takes the detour does which it was told to
    /// take, or from where its road begins. All of the way would else be one without a turn-off.
    mutating func addOtherTurnOffs(_ walk: Walk, _ entry: EdgeID, to found: inout Found) {
        let told = behindDetourPoints(walk, found)
        guard told.count < walk.tooLate.count else { return }
        let entries = aliases(entry)
        let distances = Dictionary(walk.tooLate.map { ($0.edge, $0.distance) }) { first, _ in first }
        var tooLate = told.union(entries)
        var frontier = entries + walk.tooLate.map(\.edge).filter(told.contains)
        while let next = frontier.popLast() {
            for arriving in network.predecessors(next) where distances[arriving] != nil && !tooLate.contains(arriving) {
                guard case .leads(let onto) = finding(arriving, next, .turnOff) else {
                    tooLate.insert(arriving)
                    frontier.append(arriving)
                    continue
                }
                for edge in [arriving, onto] { dependence.add(edge, network) }
                found.decisions.append(
                    Found.Decision(
                        arriving: arriving, next: next, detour: nil, turnOff: onto,
                        distanceToEntry: distances[next].map { $0 + network.length(next) } ?? 0))
            }
        }
        found.tooLate = found.tooLate.filter { tooLate.contains($0.edge) }
    }

    /// The edges that are too late for those who have passed a detour point, or have come out of another low zone.
    private func behindDetourPoints(_ walk: Walk, _ found: Found) -> Set<EdgeID> {
        let edges = Set(walk.tooLate.map(\.edge))
        let decided = found.decisions.filter { decision in
            decision.detour.map { !found.hazard.detours[$0].isShorter } ?? false
        }
        var behind: Set<EdgeID> = []
        var frontier = decided.map(\.next) + walk.chainTails.flatMap { Array(network.successors($0)) }
        while let edge = frontier.popLast() {
            guard edges.contains(edge), behind.insert(edge).inserted else { continue }
            frontier += Array(network.successors(edge))
        }
        return behind
    }
}
