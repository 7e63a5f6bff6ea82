import Geo

/// A low zone driven straight through, or a chain of them.
struct LowZone {
    var edges: [EdgeID]
    /// Where the straight continuation leaves it.
    var far: NodeID
}

/// The straight continuation of a road: the low zones on it and what lies behind them.
struct StraightRoad {
    let network: RoadNetwork
    let tooLow: TooLowAnswers
    let rules: DetourRules

    /// From its entry straight through.
    func lowZone(_ entry: EdgeID) -> LowZone {
        var edges = [entry]
        while let next = network.straightest(after: edges[edges.count - 1]) {
            guard tooLow.contains(next), !edges.contains(next) else { break }
            edges.append(next)
        }
        return LowZone(edges: edges, far: network.to(edges[edges.count - 1]))
    }

    /// The next low zone straight on, and what lies between.
    ///
    /// - Parameter dependence: gets the edges on which it was looked for.
    func nextLowZone(
        after tail: EdgeID, _ dependence: inout HazardDependence
    ) -> (between: [EdgeID], entry: EdgeID)? {
        var between: [EdgeID] = []
        var seen: Set<EdgeID> = [tail]
        var driven: Metres = 0
        var current = tail
        while driven < rules.lengthMax, let next = network.straightest(after: current), seen.insert(next).inserted {
            dependence.add(next, network)
            if tooLow.contains(next) { return (between, next) }
            between.append(next)
            driven += network.length(next)
            current = next
        }
        return nil
    }

    /// Rejoin points and how far behind the far side they lie: itself, the nodes up to 200 m behind it, and on to the first
    /// there that another edge joins; each with the edge that leads there from the point before.
    func rejoinPoints(_ zone: LowZone) -> [(node: NodeID, edge: EdgeID?, distance: Metres)] {
        var current = zone.edges[zone.edges.count - 1]
        var points: [(node: NodeID, edge: EdgeID?, distance: Metres)] = [(zone.far, nil, 0)]
        var seen: Set<EdgeID> = [current]
        var isJoined = false
        while let next = network.straightest(after: current), seen.insert(next).inserted, !tooLow.contains(next) {
            isJoined = isJoined || joins(between: current, and: next)
            let distance = points[points.count - 1].distance + network.length(next)
            if isJoined && distance > rules.rejoinDistance || distance > rules.lengthMax { break }
            points.append((network.to(next), next, distance))
            current = next
        }
        return points
    }

    /// Whether another edge than the road itself arrives where one edge of it meets the next.
    private func joins(between current: EdgeID, and next: EdgeID) -> Bool {
        let own = [network.original(current), network.reverse(next)]
        return network.arrivals(network.from(next)).contains { !own.contains(network.original($0)) }
    }
}
