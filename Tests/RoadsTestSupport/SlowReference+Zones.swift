import Geo
import Roads

/// Low zones and chains of them.
extension SlowReference {
    /// A low zone, or several of one hazard with what lies between.
    struct Zone {
        /// At least one.
        var edges: [EdgeID]
        /// On which the road goes straight on behind it; nil at a dead end.
        var onward: EdgeID?

        var last: EdgeID { edges[edges.count - 1] }
    }

    /// The low zones of one hazard. A truck that can only have set off in the first is not past a turn-off behind it.
    func zone(from entry: EdgeID) -> Zone {
        let chain = chain(from: entry)
        guard beginnings.contains(entry) else { return chain }
        let turnOff = chain.edges.indices.dropLast().first { place in
            !tooLow.contains(chain.edges[place])
                && mayTurnOff(from: chain.edges[place], before: chain.edges[place + 1])
        }
        guard let last = turnOff.flatMap({ chain.edges[..<$0].lastIndex(where: tooLow.contains) }) else {
            return chain
        }
        return Zone(edges: Array(chain.edges[...last]), onward: chain.edges[last + 1])
    }

    /// From the entry straight on to the far side; where no detour point lies before the next low zone, to the far side of
    /// that one, unless this takes every detour away, or comes back to where the entry begins.
    ///
    /// - Parameter chain: what was joined before; a chain that comes back to itself ends there.
    private func chain(from entry: EdgeID, after chain: [EdgeID] = []) -> Zone {
        let zone = lowRoad(from: entry)
        guard let (way, next) = nextLowZone(after: zone, chain) else { return zone }
        let rest = self.chain(from: network.original(next), after: chain + zone.edges)
        let farSide = network.to(rest.last)
        let hasPassed = farSide == network.from(entry) || way.contains { network.to($0) == farSide }
        if hasPassed || hasDetourPoint(way, before: next, zone: rest) { return zone }
        let joined = Zone(edges: zone.edges + way.dropFirst() + rest.edges, onward: rest.onward)
        let takesAll = detours(before: entry, zone: joined).isEmpty && !detours(before: entry, zone: zone).isEmpty
        return takesAll ? zone : joined
    }

    /// Straight on as long as it is too low. Whoever would come round to where he has been leaves the ring by that one of its exits
    /// before it which lies straightest ahead of the road into it; of those that may be passed through, if there are any.
    private func lowRoad(from entry: EdgeID) -> Zone {
        var edges = [entry]
        while let next = network.straightest(after: edges.last!), tooLow.contains(next), !edges.contains(next) {
            edges.append(next)
        }
        let road = Zone(edges: edges, onward: network.straightest(after: edges.last!))
        let turn = edges.map { network.from($0) }.firstIndex(of: network.to(road.last))
        guard let turn, let into = roads(into: edges, at: turn).first else { return road }
        var exits: [(position: Int, edge: EdgeID)] = []
        for position in turn..<edges.count where position < edges.count - 1 {
            exits += network.successors(edges[position]).filter { !tooLow.contains($0) }.map {
                (position: position, edge: $0)
            }
        }
        let passable = exits.filter { network.mayPassThrough($0.edge, rules.through) }
        let straightest = (passable.isEmpty ? exits : passable).min {
            network.turnAngle(into, $0.edge) < network.turnAngle(into, $1.edge)
        }
        return straightest.map { Zone(edges: Array(edges.prefix($0.position + 1)), onward: $0.edge) } ?? road
    }

    /// Straightest first: the edge before the ring that begins at a position; if it is the entry's, the roads that come to that.
    private func roads(into edges: [EdgeID], at position: Int) -> [EdgeID] {
        if position > 0 { return [edges[position - 1]] }
        let around = edges.map { network.original($0) }
        let outside = network.predecessors(edges[0]).filter { !around.contains(network.original($0)) }
        return outside.sorted { network.turnAngle($0, edges[0]) < network.turnAngle($1, edges[0]) }
    }

    /// The way straight on from the last edge of a zone, itself included, and the too-low edge that it comes to; farther than the
    /// longest detour nobody looks for one.
    private func nextLowZone(after zone: Zone, _ chain: [EdgeID]) -> (way: [EdgeID], entry: EdgeID)? {
        let known = Set((zone.edges + chain).map(network.original))
        var way = [zone.last]
        var driven: Metres = 0
        var onward = zone.onward
        while driven < rules.lengthMax, let next = onward, !way.contains(next), !known.contains(network.original(next))
        {
            if tooLow.contains(next) { return (way, next) }
            way.append(next)
            driven += network.length(next)
            onward = network.straightest(after: next)
        }
        return nil
    }
}
