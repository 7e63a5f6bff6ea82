import Geo
import Roads

/// The fastest ways from places on the road to where vehicles are bound, and the roads where that is: each found once.
///
/// They depend on roads alone, heights ignored: nothing of them is stored, and vehicles that are bound for the same place share
/// them. Not to be shared between threads.
final class OnwardWays {
    /// A fleet that is bound for some hundred places comes by a few low bridges on the way to each. Of more all are found again:
    /// some hundred edges each.
    private static let waysMax = 4_096

    private struct Journey: Hashable {
        var edge: EdgeID
        var waypoints: [Coordinate]
    }

    private let network: RoadNetwork
    private let planner: RoutePlanner
    private var ways: [Journey: [EdgeID]] = [:]
    private var roads: [Coordinate: [RoadPosition]] = [:]

    init(_ network: RoadNetwork, _ planner: RoutePlanner) { (self.network, self.planner) = (network, planner) }

    /// The edges of the fastest way from the start of an edge through waypoints in their order, at least one; empty where there is
    /// none.
    func edges(from edge: EdgeID, through waypoints: [Coordinate]) -> [EdgeID] {
        let journey = Journey(edge: edge, waypoints: waypoints)
        if let edges = ways[journey] { return edges }
        let way = try? planner.way(from: [RoadPosition(edge: edge, offset: 0)], through: waypoints)
        if ways.count >= Self.waysMax { ways = [:] }
        ways[journey] = way?.edges ?? []
        return way?.edges ?? []
    }

    /// Where a waypoint lies on the road, in each direction.
    func roads(at waypoint: Coordinate) -> [RoadPosition] {
        if let known = roads[waypoint] { return known }
        let found = network.nearestRoad(waypoint, within: planner.radius)
        if roads.count >= Self.waysMax { roads = [:] }
        roads[waypoint] = found
        return found
    }
}
