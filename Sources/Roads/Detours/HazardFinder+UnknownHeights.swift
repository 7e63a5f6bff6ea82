/// Detours under something of unknown height, of which a vehicle that takes them is warned.
extension HazardFinder {
    /// Puts another detour in the place of each that leads under such a thing: the shortest from the same junction that leads under
    /// none. Where there is no such detour, it stays.
    ///
    /// Another search takes the place of the one that the detours were found by.
    ///
    /// - Parameter found: with as many decisions as there are turn-offs, in the same order.
    mutating func avoidUnknown(_ walk: Walk, _ zone: LowZone, in found: inout Found) {
        guard let unknown else { return }
        let positions = found.hazard.detours.indices.filter { unknown.limits(found.hazard.detours[$0].edges) }
        guard !positions.isEmpty else { return }
        found.hasAvoidedUnknown = true
        search.start(at: straightRoad.rejoinPoints(zone).map(\.node), avoiding: unknown)
        for position in positions {
            let decisions = found.decisions.indices.filter { found.decisions[$0].detour == position }
            // Those that share a detour show that of the first.
            guard let first = decisions.first, let onto = firstEdge(from: walk.turnOffs[first]) else { continue }
            var turnOff = walk.turnOffs[first]
            turnOff.onto = onto
            let hasShorterWay = found.hazard.detours[position].hasShorterWay
            found.hazard.detours[position] = detour(turnOff, zone)
            found.hazard.detours[position].hasShorterWay = hasShorterWay
            for decision in decisions {
                guard let onto = firstEdge(from: walk.turnOffs[decision]) else { continue }
                for edge in search.path(onto) { dependence.add(edge, network) }
                found.decisions[decision].turnOff = onto
            }
        }
    }

    /// The first edge of the shortest detour from a turn-off; the search goes on as far as that takes.
    private mutating func firstEdge(from turnOff: Walk.TurnOff) -> EdgeID? {
        var isLast = false
        while true {
            switch finding(turnOff.arriving, turnOff.next, isLast ? .detour : .detourOrUndecided) {
            case .leads(let onto): return onto
            case .leadsNowhere: return nil
            case .undecided: isLast = extendSearch()
            }
        }
    }
}
