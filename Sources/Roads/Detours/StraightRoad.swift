import Geo

/// A low zone driven straight through, or a chain of them.
struct LowZone {
    var edges: [EdgeID]
    /// Where the straight continuation leaves it.
    var far: NodeID
    /// The first edge of the straight continuation behind it; nil at a dead end. A too-low one of its own where it is a ring without
    /// an exit.
    var ahead: EdgeID?
}

/// The straight continuation of a road: the low zones on it and what lies behind them.
struct StraightRoad {
    let network: RoadNetwork
    let tooLow: TooLowAnswers
    let rules: DetourRules

    /// From its entry straight through.
    func lowZone(_ entry: EdgeID) -> LowZone {
        var edges = [entry]
        var ahead = network.straightest(after: entry)
        while let next = ahead, tooLow.contains(next), !edges.contains(next) {
            edges.append(next)
            ahead = network.straightest(after: next)
        }
        return throughRing(edges)
            ?? LowZone(edges: edges, far: network.to(edges[edges.count - 1]), ahead: ahead)
    }

    /// Through a ring, as a roundabout is, round which low edges come back to where they have been: as far as that exit which may
    /// be passed through with the smallest turn from the road into it, else as far as any with the smallest. Nil where they do
    /// not come back, or there is no exit on the way.
    private func throughRing(_ edges: [EdgeID]) -> LowZone? {
        let end = network.to(edges[edges.count - 1])
        guard let start = edges.firstIndex(where: { network.from($0) == end }),
            let road = start == 0 ? roadInto(edges) : edges[start - 1]
        else { return nil }
        var best: (rank: (Int, Degrees), last: Int, exit: EdgeID)?
        for last in start..<(edges.count - 1) {
            for exit in network.successors(edges[last]) where !tooLow.contains(exit) {
                let isOpen = network.mayPassThrough(exit, rules.through)
                let rank = (isOpen ? 0 : 1, network.turnAngle(road, exit))
                if let best, best.rank <= rank { continue }
                best = (rank, last, exit)
            }
        }
        return best.map { best in
            LowZone(edges: Array(edges[...best.last]), far: network.to(edges[best.last]), ahead: best.exit)
        }
    }

    /// The straightest edge before the first of a ring that is none of it.
    private func roadInto(_ ring: [EdgeID]) -> EdgeID? {
        let own = Set(ring.map(network.original))
        return network.predecessors(ring[0]).filter { !own.contains(network.original($0)) }
            .min { network.turnAngle($0, ring[0]) < network.turnAngle($1, ring[0]) }
    }

    /// The next low zone straight on, and what lies between.
    ///
    /// - Parameter dependence: gets the edges on which it was looked for.
    func nextLowZone(
        after zone: LowZone, _ dependence: inout HazardDependence
    ) -> (between: [EdgeID], entry: EdgeID)? {
        var between: [EdgeID] = []
        var seen: Set<EdgeID> = [zone.edges[zone.edges.count - 1]]
        var driven: Metres = 0
        var ahead = zone.ahead
        while driven < rules.lengthMax, let next = ahead, seen.insert(next).inserted {
            dependence.add(next, network)
            if tooLow.contains(next) { return (between, next) }
            between.append(next)
            driven += network.length(next)
            ahead = network.straightest(after: next)
        }
        return nil
    }

    /// Rejoin points and how far behind the far side they lie: itself, the nodes up to 200 m behind it, and on to the first
    /// there that another edge joins; each with the edge that leads there from the point before.
    func rejoinPoints(_ zone: LowZone) -> [(node: NodeID, edge: EdgeID?, distance: Metres)] {
        var current = zone.edges[zone.edges.count - 1]
        var ahead = zone.ahead
        var points: [(node: NodeID, edge: EdgeID?, distance: Metres)] = [(zone.far, nil, 0)]
        var seen: Set<EdgeID> = [current]
        var isJoined = false
        while let next = ahead, seen.insert(next).inserted, !tooLow.contains(next) {
            isJoined = isJoined || joins(between: current, and: next)
            let distance = points[points.count - 1].distance + network.length(next)
            if isJoined && distance > rules.rejoinDistance || distance > rules.lengthMax { break }
            points.append((network.to(next), next, distance))
            (current, ahead) = (next, network.straightest(after: next))
        }
        return points
    }

    /// Whether another edge than the road itself arrives where one edge of it meets the next.
    private func joins(between current: EdgeID, and next: EdgeID) -> Bool {
        let own = [network.original(current), network.reverse(next)]
        return network.arrivals(network.from(next)).contains { !own.contains(network.original($0)) }
    }
}
