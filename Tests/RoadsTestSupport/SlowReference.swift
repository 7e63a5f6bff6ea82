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
    /// Too-low edges that a truck enters from one that is not, unless that one is only reached out of a low zone; and those
    /// that nothing may be driven before.
    package private(set) var entries: [EdgeID] = []
    let tooLow: Set<EdgeID>
    let beginnings: Set<EdgeID>
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
        beginnings = Self.starts(among: tooLow, network)
        entries = findEntries()
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

    private func findEntries() -> [EdgeID] {
        let trapped = trapped
        let entered = tooLow.filter { edge in
            network.predecessors(edge).contains { !tooLow.contains($0) && !trapped.contains($0) }
        }
        return Set(entered.map { network.original($0) }).union(beginnings).sorted()
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

    func mayTurnOff(from arriving: EdgeID, before next: EdgeID) -> Bool {
        turnOffs(from: arriving, before: next).contains { network.mayPassThrough($0, .all) }
    }

    /// Goes back from the entry on every way until it meets a turn-off with a detour.
    package func detours(before entry: EdgeID) -> Lengths {
        detours(before: entry, zone: zone(from: entry))
    }

    func detours(before entry: EdgeID, zone: Zone) -> Lengths {
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

    // MARK: Detours

    func hasDetourPoint(_ way: [EdgeID], before entry: EdgeID, zone: Zone) -> Bool {
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
