/// Turns restrictions, which name ways and nodes, into rules, which name edges.
struct RuleFinder {
    let edges: [EdgeRecord]
    /// Edges of each way, in driving order of no particular direction.
    let edgesOfWay: [Int64: [UInt32]]
    /// The junction that an OSM node has become, if it has.
    let junction: (Int64) -> UInt32?

    func rules(for restriction: TurnRestriction) throws(TurnRestriction.RestrictionError) -> [TurnTable.Rule] {
        let rules = paths(of: restriction).map { TurnTable.Rule(kind: restriction.kind, path: $0) }
        if rules.isEmpty { throw .noMatchingRoads }
        return rules
    }

    private func paths(of restriction: TurnRestriction) -> [[UInt32]] {
        var found: [[UInt32]] = []
        for from in restriction.from {
            for to in restriction.to {
                // U-turns are never legal here, and the rest of such a rule would ban going straight on.
                if restriction.isUTurn && from == to, case .node = restriction.via { continue }
                found += paths(from: from, via: restriction.via, to: to)
            }
        }
        return found
    }

    private func paths(from: Int64, via: TurnRestriction.Via, to: Int64) -> [[UInt32]] {
        switch via {
        case .node(let node):
            guard let node = junction(node) else { return [] }
            return edges(of: from).filter { edges[Int($0)].to == node }.flatMap { first in
                leaving(node, by: to, after: first).map { [first, $0] }
            }
        case .ways(let ways):
            var paths = edges(of: from).map { [$0] }
            for way in ways { paths = paths.flatMap { along(way, from: $0) } }
            return paths.flatMap { path in
                leaving(edges[Int(path.last!)].to, by: to, after: path.last!).map { path + [$0] }
            }
        }
    }

    private func edges(of way: Int64) -> [UInt32] { edgesOfWay[way] ?? [] }

    private func leaving(_ node: UInt32, by way: Int64, after edge: UInt32) -> [UInt32] {
        edges(of: way).filter { edges[Int($0)].from == node && edges[Int(edge)].reverse != $0 }
    }

    /// `path` continued to every node of `way` that can be reached along it: which of them the rule means shows itself
    /// by where the next way begins.
    private func along(_ way: Int64, from path: [UInt32]) -> [[UInt32]] {
        var found: [[UInt32]] = []
        for start in leaving(edges[Int(path.last!)].to, by: way, after: path.last!) {
            var extended = path + [start]
            found.append(extended)
            while let next = leaving(edges[Int(extended.last!)].to, by: way, after: extended.last!).first,
                !extended.contains(next)
            {
                extended.append(next)
                found.append(extended)
            }
        }
        return found
    }
}
