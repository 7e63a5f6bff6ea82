import Clearances
package import Geo
package import Roads

/// Detour points by their definition and nothing else: back from the entry edge by edge, and one plain
/// Dijkstra for each turn-off that is met. It shares no step with `HazardTable`, which searches backward once.
package struct SlowReference {
    /// What it finds for one entry, by the edge on which a truck comes to its last turn-off: the length of the shortest
    /// detour, and another where that edge is the last also before a different road on.
    package typealias Lengths = [EdgeID: [Metres]]

    let network: RoadNetwork
    let rules: DetourRules
    private let tooLow: Set<EdgeID>
    private let unknown: TooLowEdges?

    package init(
        _ network: RoadNetwork, height: Centimetres, rules: DetourRules = DetourRules(),
        avoiding unknown: TooLowEdges? = nil
    ) {
        self.network = network
        self.rules = rules
        self.unknown = unknown
        let limited = (0..<network.edgeCount).map { EdgeID($0) }.filter { edge in
            network.clearances(edge).contains {
                network.reading($0).verdict(height: height, legalDefault: .max) == .tooLow
            }
        }
        tooLow = Set(limited).subtracting(Self.beforeStructures(Set(limited), network))
    }

    /// Of limited edges those on which a truck can only be from the start, with each structure nearer to a later edge of the road
    /// straight on: the truck may leave the road between.
    private static func beforeStructures(_ limited: Set<EdgeID>, _ network: RoadNetwork) -> Set<EdgeID> {
        starts(among: limited, network).filter { start in
            var road = [start]
            while let next = network.straightest(after: road[road.count - 1]), limited.contains(next),
                !road.contains(next)
            {
                road.append(next)
            }
            return network.clearances(start).allSatisfy { id in
                let position = network.clearance(id).position
                let gaps: [Metres] = road.map { edge in
                    guard network.clearances(edge).contains(id) else { return .infinity }
                    return network.foot(of: position, on: edge, LocalPlane(latitude: position.latitude))?.distance
                        ?? .infinity
                }
                return gaps.dropFirst().contains { $0 < gaps[0] }
            }
        }
    }

    /// Those, on the map, that no edge may be followed by.
    private static func starts(among edges: Set<EdgeID>, _ network: RoadNetwork) -> Set<EdgeID> {
        let following = (0..<network.edgeCount).flatMap { network.successors(EdgeID($0)) }.map { network.original($0) }
        return Set(edges.map { network.original($0) }).subtracting(following)
    }

    /// Too-low edges that a truck enters from one that is not, unless that one is only reached out of a low zone; and those
    /// that nothing may be driven before.
    package var entries: [EdgeID] {
        let trapped = trapped
        let entered = tooLow.filter { edge in
            network.predecessors(edge).contains { !tooLow.contains($0) && !trapped.contains($0) }
        }
        return Set(entered.map { network.original($0) }).union(Self.starts(among: tooLow, network)).sorted()
    }

    /// Passable edges that can only be reached out of a low zone.
    private var trapped: Set<EdgeID> {
        var trapped: Set<EdgeID> = []
        var candidates = tooLow.flatMap { network.successors($0) }
        while let edge = candidates.popLast() {
            guard !tooLow.contains(edge), !trapped.contains(edge),
                network.predecessors(edge).allSatisfy({ tooLow.contains($0) || trapped.contains($0) })
            else { continue }
            trapped.insert(edge)
            candidates += network.successors(edge)
        }
        return trapped
    }

    /// Goes back from the entry on every way until it meets a turn-off with a detour.
    package func detours(before entry: EdgeID) -> Lengths {
        detours(before: entry, zone: zone(from: entry))
    }

    private func detours(before entry: EdgeID, zone: Zone) -> Lengths {
        let farSide = network.to(zone.last)
        let goal = goal(after: zone)
        var found: Lengths = [:]
        var tooLate: Set<EdgeID> = []
        var pending = tooLow.filter { network.original($0) == entry }.sorted()
        while let next = pending.popLast() {
            // What comes from the far side has no need to go there.
            if network.from(next) == farSide { continue }
            for arriving in network.predecessors(next) where !tooLow.contains(arriving) {
                if let length = detourLength(leaving: arriving, before: next, to: goal) {
                    found[network.original(arriving), default: []].append(length)
                } else if tooLate.insert(arriving).inserted {
                    pending.append(arriving)
                }
            }
        }
        return found
    }

    /// What the hazard table of a height finds otherwise, in words; empty where it has the same hazards, low zones and
    /// detour points.
    package static func disagreements(_ network: RoadNetwork, height: Centimetres) -> [String] {
        let table = HazardTable(network, height: height)
        let reference = SlowReference(network, height: height)
        let entries = reference.entries
        let more = Set(table.hazards.map(\.entry)).subtracting(entries).sorted()
        return more.map { "\(network.key($0)): a hazard to the table alone" }
            + reference.differences(to: table, entries: entries) { "\(network.key($0))" }
    }

    /// What differs in a table, in words; empty where it says the same about all of `entries`.
    package func differences(
        to table: HazardTable, entries: [EdgeID], name: (EdgeID) -> String
    ) -> [String] {
        entries.flatMap { entry -> [String] in
            guard let hazard = table.entries[entry].map({ table.hazards[$0] }) else {
                return ["\(name(entry)): no hazard"]
            }
            let zone = zone(from: entry).edges
            if hazard.zone.map(network.original) != zone.map(network.original) {
                return ["\(name(entry)): zone \(hazard.zone.map(name)) instead of \(zone.map(name))"]
            }
            let expected = detours(before: entry)
            let found = Dictionary(grouping: hazard.detours, by: { network.original($0.arriving) })
            return Set(expected.keys).union(found.keys).sorted().compactMap { arriving in
                let (wanted, lengths) = (expected[arriving] ?? [], (found[arriving] ?? []).map(\.length))
                if lengths.count == 1, wanted.contains(where: { abs($0 - lengths[0]) < 0.01 }) { return nil }
                return "\(name(entry)) from \(name(arriving)): \(lengths) m instead of \(wanted) m"
            }
        }
    }

    // MARK: Zones

    /// A low zone, or several of one hazard with what lies between.
    private struct Zone {
        /// At least one.
        var edges: [EdgeID]
        /// On which the road goes straight on behind it; nil at a dead end.
        var onward: EdgeID?

        var last: EdgeID { edges[edges.count - 1] }
    }

    /// From the entry straight on to the far side; where no detour point lies before the next low zone, to the far side of
    /// that one, unless this takes every detour away, or comes back to where the entry begins.
    ///
    /// - Parameter chain: what was joined before; a chain that comes back to itself ends there.
    private func zone(from entry: EdgeID, after chain: [EdgeID] = []) -> Zone {
        let zone = lowRoad(from: entry)
        guard let (way, next) = nextLowZone(after: zone, chain) else { return zone }
        let rest = self.zone(from: network.original(next), after: chain + zone.edges)
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

    private func hasDetourPoint(_ way: [EdgeID], before entry: EdgeID, zone: Zone) -> Bool {
        let goal = goal(after: zone)
        return zip(way, way.dropFirst() + [entry]).contains { arriving, next in
            detourLength(leaving: arriving, before: next, to: goal) != nil
        }
    }

    /// Rejoin points, and the edges that lead there at all where those are few: where a yard has but one gate, there is no
    /// need to look for detours all over town.
    private struct Goal {
        static let fewEdges = 1_000

        var nodes: Set<NodeID>
        var leading: Set<EdgeID> = []

        /// Whether a way from `edge` may come here.
        func mayBeReached(from edge: EdgeID) -> Bool { leading.count > Self.fewEdges || leading.contains(edge) }
    }

    private func goal(after zone: Zone) -> Goal {
        var goal = Goal(nodes: rejoinPoints(after: zone))
        var pending = goal.nodes.flatMap { network.arrivals($0) }
        while goal.leading.count <= Goal.fewEdges, let edge = pending.popLast() {
            guard mayUse(edge), goal.leading.insert(edge).inserted else { continue }
            pending += network.predecessors(edge)
        }
        return goal
    }

    /// The nodes of the straight continuation up to 200 m past the far side, or to the first that another edge joins.
    private func rejoinPoints(after zone: Zone) -> Set<NodeID> {
        var points: Set<NodeID> = [network.to(zone.last)]
        var way = [zone.last]
        var onward = zone.onward
        var past: Metres = 0
        var isJoined = isJoined(zone.last, onward)
        while let next = onward, !way.contains(next), !tooLow.contains(next) {
            past += network.length(next)
            if past > rules.rejoinDistance && isJoined { break }
            points.insert(network.to(next))
            way.append(next)
            onward = network.straightest(after: next)
            isJoined = isJoined || self.isJoined(next, onward)
        }
        return points
    }

    /// Whether an edge other than the road itself, in either direction, ends where `edge` does.
    private func isJoined(_ edge: EdgeID, _ next: EdgeID?) -> Bool {
        network.arrivals(network.to(edge)).contains { other in
            network.original(other) != network.original(edge)
                && network.original(other) != next.flatMap { network.reverse(network.original($0)) }
        }
    }

    // MARK: Detours

    private func turnOffs(from arriving: EdgeID, before next: EdgeID) -> [EdgeID] {
        network.successors(arriving).filter { $0 != next && !tooLow.contains($0) }
    }

    /// The length of the shortest detour from the end of `arriving` under nothing of unknown height, else of the shortest; nil where
    /// there is none, or only a longer one than counts.
    private func detourLength(leaving arriving: EdgeID, before next: EdgeID, to goal: Goal) -> Metres? {
        let turnOffs = turnOffs(from: arriving, before: next)
        let known = unknown.flatMap { unknown in
            turnOffs.compactMap { shortest(from: $0, to: goal, avoiding: unknown) }.min()
        }
        return known ?? turnOffs.compactMap { shortest(from: $0, to: goal, avoiding: nil) }.min()
    }

    /// Plain Dijkstra over edges, from the start of `first` to the end of an edge that ends at the goal.
    private func shortest(from first: EdgeID, to goal: Goal, avoiding avoided: TooLowEdges?) -> Metres? {
        func mayUse(_ edge: EdgeID) -> Bool { self.mayUse(edge) && avoided?.contains(edge) != true }
        guard mayUse(first), goal.mayBeReached(from: first) else { return nil }
        var queue = LengthQueue()
        var settled: Set<EdgeID> = []
        queue.insert(first, network.length(first))
        while let (edge, length) = queue.popShortest(), length <= rules.lengthMax {
            if goal.nodes.contains(network.to(edge)) { return length }
            guard settled.insert(edge).inserted else { continue }
            for next in network.successors(edge) where mayUse(next) && !settled.contains(next) {
                queue.insert(next, length + network.length(next))
            }
        }
        return nil
    }

    private func mayUse(_ edge: EdgeID) -> Bool {
        !tooLow.contains(edge) && network.mayDetour(over: edge, rules.through)
    }
}
