import Geo
package import Messages
package import Roads

/// Keeps a vehicle's place on the road.
struct RoadTracker {
    /// Slower than this, a course says more about the receiver than about the vehicle.
    static let courseSpeedMin: MetresPerSecond = 2
    /// Steps shorter than this, and shorter than half the accuracy, say nothing new about the road.
    static let stepMin: Metres = 3
    /// A device that always says that it stands is matched this often at least.
    private static let standingMax: Metres = 50

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
        if observation.course == nil, Self.isStanding(fix, from: origin), !vehicle.roads.isEmpty {
            vehicle.forgetRoutes()
            return
        }
        let candidates = vehicle.roads.compactMap(\.candidate)
        let last = MatchObservation(
            position: origin, accuracy: previous.accuracyOrAssumed, course: nil, speed: previous.speed)
        // Behind fixes of a standing vehicle, which were not matched, nobody knows how long ago the last one was that was.
        let elapsed = origin == previous.position ? fix.time.since(previous.time) : .infinity
        vehicle.surroundings = matcher.surroundings(of: observation, after: last, known: vehicle.surroundings)
        vehicle.roads = matcher.advance(
            candidates, from: last, observation, elapsed: elapsed, among: vehicle.surroundings
        ).map { MatchedRoad($0, network) }
        vehicle.matchedAt = fix.position
    }

    /// Whether a fix is most probably of where the vehicle was matched: then its noise says nothing, and would have it turn into
    /// the roads at a junction where it waits.
    private static func isStanding(_ fix: Fix, from origin: Coordinate) -> Bool {
        let moved = origin.distance(to: fix.position)
        if moved < max(stepMin, fix.accuracyOrAssumed / 2) { return true }
        guard let speed = fix.speed, speed < Rest.speedMax else { return false }
        return moved <= min(Standstill.radius(fix), standingMax)
    }

    /// Finds again, in the road file in force, where the vehicle was.
    ///
    /// - Parameter known: roads on which it has been found already, of which those that are the same need not be looked for.
    func restore(_ vehicle: inout Vehicle, from known: [MatchedRoad] = []) {
        guard let place = vehicle.matchedAt else { return }
        var near: [NearbyEdge]?
        vehicle.roads = vehicle.roads.compactMap { road in
            guard let edge = edge(road.key, in: known) ?? edge(road.key, near: place, &near) else { return nil }
            let position = RoadPosition(edge: edge, offset: min(road.offset, network.length(edge)))
            let candidate = MatchCandidate(position: position, probability: road.probability, route: [])
            return MatchedRoad(candidate, network)
        }
    }

    /// Nil where it is not among them, and for a loop: both of its directions have one key.
    private func edge(_ key: EdgeKey, in known: [MatchedRoad]) -> EdgeID? {
        guard key.from != key.to, let candidate = known.first(where: { $0.key == key })?.candidate else { return nil }
        let edge = network.original(candidate.position.edge)
        return network.key(edge) == key ? edge : nil
    }

    private func edge(_ key: EdgeKey, near place: Coordinate, _ near: inout [NearbyEdge]?) -> EdgeID? {
        let edges = near ?? network.edges(within: MapMatcher.radius.upperBound, of: place)
        near = edges
        return edges.first { network.key($0.edge) == key }?.edge
    }
}

extension Vehicle {
    /// Leaves it where it may be, as if it had not driven since the fix before.
    mutating func forgetRoutes() {
        for index in roads.indices { roads[index].candidate?.route = [] }
    }
}

extension MatchObservation {
    /// A fix as it is matched: its course counts where the vehicle moves.
    package init(_ fix: Fix) {
        let isMoving = (fix.speed ?? 0) >= RoadTracker.courseSpeedMin
        self.init(
            position: fix.position, accuracy: fix.accuracyOrAssumed,
            course: isMoving ? fix.course : nil, speed: fix.speed)
    }
}
