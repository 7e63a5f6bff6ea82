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

    /// By the newest fix.
    func advance(_ guidance: inout Guidance, at position: Coordinate, _ candidates: [MatchCandidate]) {
        switch guidance.route {
        case nil: guidance.ways = []
        case .line(let points):
            if guidance.searchedAt == nil {
                guidance.searchedAt = position
                guidance.ways = matcher.match(points).pieces.map { KnownWay($0.way.edges) }
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
        if let last = guidance.searchedAt, last.distance(to: position) < searchDistance { return }
        guidance.searchedAt = position
        let planned = try? planner.way(from: starts(candidates), through: ahead)
        guidance.ways = planned.map { [KnownWay($0.edges)] } ?? []
        _ = keep(&guidance, to: candidates)
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
        let roads = Set(roads(at: waypoint).map(\.edge))
        let isOnRoad = { (edge: EdgeID) in roads.contains(network.original(edge)) }
        return way.edges[..<way.step].contains(where: isOnRoad) && !way.remaining.contains(where: isOnRoad)
    }

    /// Where a place that is no fix lies on the road, in each direction.
    func roads(at place: Coordinate) -> [RoadPosition] { network.nearestRoad(place, within: planner.radius) }

    func starts(_ candidates: [MatchCandidate]) -> [RoadPosition] {
        let likely = candidates.filter { $0.probability >= Self.startProbabilityMin }
        return (likely.isEmpty ? Array(candidates.prefix(1)) : likely).map(\.position)
    }
}
