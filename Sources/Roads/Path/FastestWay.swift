import Geo

/// The fastest way by usual speeds over legal turns, as a car navigation finds it.
///
/// Keeps the memory of its searches (32 bytes for each edge of the network), so that one is made for many; not to be
/// shared between threads.
public struct FastestWay {
    private let network: RoadNetwork
    private let search: WaySearch
    private let edgesMax: Int
    /// By edge on the map.
    private let shadows: [EdgeID: [EdgeID]]

    /// - Parameter edgesMax: the search ends unsuccessfully after so many edges; two million are a country's.
    public init(_ network: RoadNetwork, edgesMax: Int = 2_000_000) {
        self.network = network
        self.edgesMax = edgesMax
        search = WaySearch(network)
        shadows = Dictionary(grouping: network.shadows, by: network.original)
    }

    /// Over whole edges, heights ignored, private roads like any other.
    ///
    /// - Returns: the edges in driving order, `start` first and `goal` (or a shadow of it) last; nil where no legal way
    ///   leads there within the bound. Edges within turn restrictions are shadows: see `RoadNetwork.original`.
    public func edges(from start: EdgeID, to goal: EdgeID) -> [EdgeID]? {
        let goal = RoadPosition(edge: network.original(goal), offset: network.length(goal))
        return way(from: [RoadPosition(edge: start, offset: 0)], to: [goal], WayRules(through: .all))?.edges
    }

    /// The fastest way from any of `starts` to any of `goals`.
    ///
    /// Where an end lies on roads open to all that can only be reached over others (within a yard), those near it
    /// count as its own.
    ///
    /// - Parameters:
    ///   - starts: shadows too.
    ///   - goals: on edges on the map.
    /// - Returns: nil where no way keeps the rules.
    public func way(from starts: [RoadPosition], to goals: [RoadPosition], _ rules: WayRules = WayRules())
        -> PlannedWay?
    {
        let passage = Passage(network: network, rules: rules)
        let goals = goals.filter { !passage.isAvoided($0.edge) }
        if starts.isEmpty || goals.isEmpty { return nil }
        return direct(from: starts, to: goals) ?? round(from: starts, to: goals, passage)
    }

    /// From a start straight on to a goal on the same edge.
    private func direct(from starts: [RoadPosition], to goals: [RoadPosition]) -> PlannedWay? {
        for start in starts {
            let ahead = goals.filter { $0.edge == network.original(start.edge) && $0.offset >= start.offset }
            guard let goal = ahead.min(by: { $0.offset < $1.offset }) else { continue }
            return PlannedWay(PlannedWay.Leg(edges: [start.edge], start: start.offset, end: goal.offset))
        }
        return nil
    }

    private func round(from starts: [RoadPosition], to goals: [RoadPosition], _ passage: Passage) -> PlannedWay? {
        let from = starts.map { start in
            let rest = max(0, network.length(start.edge) - start.offset)
            return WaySearch.End(edge: start.edge, seconds: rest / network.usualSpeed(start.edge))
        }
        let to = goals.flatMap { goal in
            let seconds = goal.offset / network.usualSpeed(goal.edge)
            return aliases(goal.edge).map { WaySearch.End(edge: $0, seconds: seconds) }
        }
        guard let found = search(from: from, to: to, passage), let first = found.first, let last = found.last,
            let start = starts.first(where: { $0.edge == first }),
            let goal = goals.first(where: { $0.edge == network.original(last) })
        else { return nil }
        return PlannedWay(PlannedWay.Leg(edges: found, start: start.offset, end: goal.offset))
    }

    /// Where an end turns out to be enclosed by roads that may not be passed through, those near it are opened.
    private func search(from: [WaySearch.End], to: [WaySearch.End], _ passage: Passage) -> [EdgeID]? {
        var passage = passage
        while true {
            if let edges = search.way(from: from, to: to, passage, edgesMax: edgesMax) { return edges }
            let enclosed = search.exhausted.subtracting(passage.enclosed)
            if enclosed.isEmpty || passage.rules.through == .all { return nil }
            passage.enclosed.formUnion(enclosed)
        }
    }

    /// The edge and its shadows.
    private func aliases(_ edge: EdgeID) -> [EdgeID] { [edge] + shadows[edge, default: []] }
}
