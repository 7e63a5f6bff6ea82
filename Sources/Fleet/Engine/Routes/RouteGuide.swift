import Geo
import Messages
import Roads

/// Keeps the way that a vehicle with a route is expected to take: a line is followed for as long as the
/// vehicle keeps to it; through waypoints the fastest way is found anew when the vehicle has left it.
struct RouteGuide {
    /// A waypoint is reached within this: yards are large, and the street beside one is as good.
    static let waypointNear: Metres = 100
    /// A vehicle that has not moved so far since the last search would only find the same…
    static let searchEvery: Metres = 50
    /// …and one that no way was found for is most likely off the map's roads for longer: a search in vain is a long one.
    static let searchInVainEvery: Metres = 1_000
    /// Candidates less likely than this are no place to start from.
    static let startProbabilityMin = 0.3

    let network: RoadNetwork
    let planner: RoutePlanner
    let matcher: LineMatcher
    let onward: OnwardWays

    /// By the newest fix.
    func advance(_ guidance: inout Guidance, at position: Coordinate, _ candidates: [MatchCandidate]) {
        switch guidance.route {
        case nil: guidance.ways = []
        case .line(let points):
            if guidance.search == nil {
                guidance.search = WaySearch(place: position)
                guidance.take(found: edges(along: points))
            }
            for index in guidance.ways.indices { _ = guidance.ways[index].keep(to: candidates, network) }
        case .waypoints:
            follow(&guidance, at: position, candidates)
        }
    }

    private func follow(_ guidance: inout Guidance, at position: Coordinate, _ candidates: [MatchCandidate]) {
        let isOnWay = keep(&guidance, to: candidates)
        pass(&guidance, at: position)
        let ahead = guidance.waypointsAhead
        guard !ahead.isEmpty else {
            guidance.ways = []
            return
        }
        guard !isOnWay, !candidates.isEmpty else { return }
        let searchDistance = guidance.ways.isEmpty ? Self.searchInVainEvery : Self.searchEvery
        if let last = guidance.search?.place, last.distance(to: position) < searchDistance { return }
        let starts = starts(candidates)
        guidance.search = WaySearch(
            place: position, passed: guidance.passed,
            starts: starts.map { WaySearch.Start(key: network.key($0.edge), offset: $0.offset) })
        guidance.take(found: edges(from: starts, through: ahead))
        _ = keep(&guidance, to: candidates)
    }

    /// Finds again the ways that the vehicle was on when it was stored.
    func findStoredWays(of guidance: inout Guidance) {
        guard guidance.hasStoredWays, let search = guidance.search else { return }
        switch guidance.route {
        case nil: guidance.forgetWays()
        case .line(let points): guidance.take(found: edges(along: points))
        case .waypoints(let points):
            let near = network.edges(within: MapMatcher.radius.upperBound, of: search.place)
            let starts = search.starts.compactMap { start in
                near.first { network.key($0.edge) == start.key }
                    .map { RoadPosition(edge: $0.edge, offset: min(start.offset, network.length($0.edge))) }
            }
            guidance.take(found: edges(from: starts, through: Array(points.dropFirst(search.passed))))
        }
    }

    private func edges(along points: [Coordinate]) -> [[EdgeID]] { matcher.match(points).pieces.map(\.way.edges) }

    private func edges(from starts: [RoadPosition], through waypoints: [Coordinate]) -> [[EdgeID]] {
        guard !waypoints.isEmpty, let way = try? planner.way(from: starts, through: waypoints) else { return [] }
        return [way.edges]
    }

    /// - Returns: whether the vehicle is on its way.
    private func keep(_ guidance: inout Guidance, to candidates: [MatchCandidate]) -> Bool {
        guard !guidance.ways.isEmpty else { return false }
        return guidance.ways[0].keep(to: candidates, network)
    }

    /// Waypoints are reached in their order, by coming near or by having driven past on the way.
    private func pass(_ guidance: inout Guidance, at position: Coordinate) {
        while let next = guidance.waypointsAhead.first {
            let isNear = next.distance(to: position) <= Self.waypointNear
            guard isNear || isBehind(next, guidance.ways.first) else { return }
            guidance.passed += 1
        }
    }

    /// Whether the way came by a waypoint, and does not any more.
    private func isBehind(_ waypoint: Coordinate, _ way: KnownWay?) -> Bool {
        guard let way, way.isFollowed, way.step > 0 else { return false }
        let roads = onward.roads(at: waypoint)
        let isOnRoad = { (edge: EdgeID) in roads.contains { $0.edge == network.original(edge) } }
        // A destination is at the end of the way: mostly one edge is all that is looked at.
        return !way.remaining.reversed().contains(where: isOnRoad) && way.edges[..<way.step].contains(where: isOnRoad)
    }

    func starts(_ candidates: [MatchCandidate]) -> [RoadPosition] {
        let likely = candidates.filter { $0.probability >= Self.startProbabilityMin }
        return (likely.isEmpty ? Array(candidates.prefix(1)) : likely).map(\.position)
    }
}
