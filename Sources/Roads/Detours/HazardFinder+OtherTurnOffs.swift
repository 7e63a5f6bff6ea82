import Geo

/// Ways to an entry on which no turn-off has a detour, though others have one.
extension HazardFinder {
    /// On a way that passes no turn-off with a detour, or only one whose detour is the shorter way, the last turn-off of any kind
    /// counts. A truck there comes from where its road begins, or round from the far side, as it does on the detour that it was
    /// told to take: it would else be told for miles that no turn-off is left.
    mutating func addOtherTurnOffs(_ walk: Walk, _ entry: EdgeID, _ zone: LowZone, to found: inout Found) {
        let told = behind(walk, found.decisions.filter { !hasShorterWay($0, found.hazard) })
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
        let behindAny = behind(walk, found.decisions)
        found.leading = found.tooLate.filter { !tooLate.contains($0.edge) && behindAny.contains($0.edge) }
        found.tooLate = found.tooLate.filter { tooLate.contains($0.edge) }
        addTurnOffsBeforeFarSide(walk, zone, to: &found)
    }

    /// A way from the far side without a turn-off, such as a loop road that ends low, is a trap: the last turn-off before the far side
    /// counts. Who is told on another way already is told of no turn-off there.
    private mutating func addTurnOffsBeforeFarSide(_ walk: Walk, _ zone: LowZone, to found: inout Found) {
        let behind = found.tooLate.filter { network.from($0.edge) == zone.far }
        guard !behind.isEmpty else { return }
        let before = self.walk(
            from: behind.map { (edge: $0.edge, distance: $0.distance + network.length($0.edge)) }, zone,
            until: .turnOff)
        for item in before.tooLate { dependence.add(item.edge, network) }
        let known = Set(walk.tooLate.map(\.edge) + found.decisions.map(\.arriving))
        found.tooLate += before.tooLate.filter { !known.contains($0.edge) }.map {
            (edge: $0.edge, distance: $0.distance)
        }
        found.decisions += before.turnOffs.filter { !known.contains($0.arriving) }.map {
            Found.Decision($0, detour: nil)
        }
    }

    private func hasShorterWay(_ decision: Found.Decision, _ hazard: Hazard) -> Bool {
        decision.detour.map { hazard.detours[$0].hasShorterWay } ?? false
    }

    /// The edges that are too late for those who have decided so, or have come out of another low zone.
    private func behind(_ walk: Walk, _ decisions: [Found.Decision]) -> Set<EdgeID> {
        let edges = Set(walk.tooLate.map(\.edge))
        var behind: Set<EdgeID> = []
        var frontier = decisions.map(\.next) + walk.chainTurns.map(\.next)
        while let edge = frontier.popLast() {
            guard edges.contains(edge), behind.insert(edge).inserted else { continue }
            frontier += Array(network.successors(edge))
        }
        return behind
    }
}
