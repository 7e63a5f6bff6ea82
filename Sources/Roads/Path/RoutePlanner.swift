public import Geo

/// Why there is no way through some waypoints.
public enum RoutePlannerError: Error, Hashable, Sendable {
    /// No road lies near the waypoint of that position.
    case offNetwork(waypoint: Int)
    /// Roads do, but no way leads there.
    case unreachable(waypoint: Int)
}

/// Plans the way through waypoints, as a car navigation does it.
public struct RoutePlanner {
    /// The nearest road may be a piece without connection; so many roads are tried.
    private static let roadsMax = 4

    private let network: RoadNetwork
    private let way: FastestWay
    public let radius: Metres

    /// - Parameters:
    ///   - way: its memory is shared.
    ///   - radius: how far from its road a waypoint may lie; yards reach some hundred metres from the street.
    public init(_ network: RoadNetwork, _ way: FastestWay, radius: Metres = 300) {
        self.network = network
        self.way = way
        self.radius = radius
    }

    /// The fastest way through all waypoints in their order. It passes through without turning round, but where no way
    /// goes on (the end of a street, a yard).
    ///
    /// - Parameters:
    ///   - starts: where the vehicle is, in each direction that it may have.
    ///   - waypoints: the last is the destination; at least one.
    public func way(
        from starts: [RoadPosition], through waypoints: [Coordinate], _ rules: WayRules = WayRules()
    ) throws(RoutePlannerError) -> PlannedWay {
        precondition(!waypoints.isEmpty, "a way without a destination")
        var planned: PlannedWay?
        for (index, waypoint) in waypoints.enumerated() {
            let roads = network.roads(near: waypoint, within: radius, max: Self.roadsMax)
            if roads.isEmpty { throw .offNetwork(waypoint: index) }
            let from = planned.map { [$0.end] } ?? starts
            guard let leg = leg(from: from, toAnyOf: roads, rules) else { throw .unreachable(waypoint: index) }
            if planned == nil { planned = leg } else { planned?.append(leg) }
        }
        guard let planned else { throw .unreachable(waypoint: 0) }
        return planned
    }

    private func leg(from starts: [RoadPosition], toAnyOf roads: [[RoadPosition]], _ rules: WayRules) -> PlannedWay? {
        let passage = Passage(network: network, rules: rules)
        for road in roads {
            // The waypoint lies on this road: a way to the next one does not lead there.
            if road.allSatisfy({ passage.isAvoided($0.edge) }) { return nil }
            if let way = way.way(from: starts, to: road, rules) { return way }
            if let way = way.way(from: starts.compactMap(turnedRound), to: road, rules) { return way }
        }
        return nil
    }

    private func turnedRound(_ place: RoadPosition) -> RoadPosition? {
        network.reverse(place.edge).map { back in
            RoadPosition(edge: back, offset: max(0, network.length(back) - place.offset))
        }
    }
}

extension RoadNetwork {
    /// What lies this much farther than the nearest road still counts as that: a junction is where several meet.
    private static let nearestTolerance: Metres = 1

    /// Where a place lies on its nearest road: on both directions, or on one carriageway where the road is divided; on
    /// all roads that meet where it lies at a junction. Empty where no road is within `radius`.
    public func nearestRoad(_ place: Coordinate, within radius: Metres) -> [RoadPosition] {
        roads(near: place, within: radius, max: 1).first ?? []
    }

    /// The same for up to `max` roads, the nearest first.
    func roads(near place: Coordinate, within radius: Metres, max count: Int) -> [[RoadPosition]] {
        let near = edges(within: radius, of: place).sorted { ($0.distance, $0.edge) < ($1.distance, $1.edge) }
        var roads: [[RoadPosition]] = []
        var distance: Metres = -.infinity
        for edge in near {
            if edge.distance > distance + Self.nearestTolerance {
                guard roads.count < count else { break }
                roads.append([])
                distance = edge.distance
            }
            roads[roads.count - 1].append(RoadPosition(edge: edge.edge, offset: edge.offset))
        }
        return roads
    }
}
