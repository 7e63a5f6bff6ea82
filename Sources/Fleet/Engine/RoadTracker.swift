import Geo
import Messages
import Roads

/// Keeps a vehicle's place on the road.
struct RoadTracker {
    /// Slower than this, a course says more about the receiver than about the vehicle.
    static let courseSpeedMin: MetresPerSecond = 2
    /// Steps shorter than this, and shorter than half the accuracy, say nothing new about the road.
    static let stepMin: Metres = 3

    let network: RoadNetwork
    let settings: EngineSettings.Fixes

    /// Matches an accepted fix; `previous` is the accepted one before.
    func advance(_ vehicle: inout Vehicle, to fix: Fix, from previous: Fix?) {
        let observation = MatchObservation(fix)
        let matcher = MapMatcher(network)
        guard let previous, fix.time.since(previous.time) <= settings.gap, let origin = vehicle.matchedAt else {
            vehicle.roads = matcher.start(observation).map { MatchedRoad($0, network) }
            vehicle.matchedAt = fix.position
            return
        }
        let moved = origin.distance(to: fix.position)
        if moved < max(Self.stepMin, observation.accuracy / 2), observation.course == nil, !vehicle.roads.isEmpty {
            for index in vehicle.roads.indices { vehicle.roads[index].candidate?.route = [] }
            return
        }
        let candidates = vehicle.roads.compactMap(\.candidate)
        vehicle.roads = matcher.advance(candidates, observation, moved: moved).map { MatchedRoad($0, network) }
        vehicle.matchedAt = fix.position
    }

    /// Finds again, in the road file in force, where the vehicle was.
    func restore(_ vehicle: inout Vehicle) {
        guard let place = vehicle.matchedAt else { return }
        let near = network.edges(within: MapMatcher.radius.upperBound, of: place)
        vehicle.roads = vehicle.roads.compactMap { road in
            guard let edge = near.first(where: { network.key($0.edge) == road.key })?.edge else { return nil }
            let position = RoadPosition(edge: edge, offset: min(road.offset, network.length(edge)))
            let candidate = MatchCandidate(position: position, probability: road.probability, route: [])
            return MatchedRoad(candidate, network)
        }
    }

}

extension MatchObservation {
    init(_ fix: Fix) {
        let isMoving = (fix.speed ?? 0) >= RoadTracker.courseSpeedMin
        self.init(
            position: fix.position, accuracy: fix.accuracyOrAssumed,
            course: isMoving ? fix.course : nil)
    }
}
