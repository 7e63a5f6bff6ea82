import Geo
import Roads

/// Where a vehicle is bound that keeps to the fastest way there: so it is known which other ways are reasonable for it.
///
/// They are not listed, but asked for by what they lead over: the fastest of those is a single via path, and it is reasonable where
/// its stretch is small between the places at which it leaves the fastest way and comes back to it (Abraham, Delling, Goldberg and
/// Werneck, "Alternative Routes in Road Networks", 2013: uniformly bounded stretch).
struct KnownDestination {
    /// A driver knows and likes some roads better than others. If each road takes him 0.8 to 1.25 times as long as usual, a part of
    /// the way that is fastest for him usually takes at most 1.25 / 0.8 = 1.5625 times as long as the fastest.
    static let stretchMax = 1.5
    /// Who has not come so far since the way was found, in a straight line, may have left the one before, and be bound elsewhere.
    static let keptMin: Metres = 300

    private let network: RoadNetwork
    private let onward: OnwardWays
    private let way: KnownWay
    private let waypoints: [Coordinate]

    /// - Parameter place: of the newest fix.
    /// - Returns: nil where no destination is known, or the vehicle has not kept to its way.
    init?(of guidance: Guidance, _ guide: RouteGuide?, at place: Coordinate) {
        let waypoints = guidance.waypointsAhead
        guard !waypoints.isEmpty, let guide, let way = guidance.wayFollowed, let search = guidance.search,
            search.place.distance(to: place) >= Self.keptMin
        else { return nil }
        (network, onward, self.way, self.waypoints) = (guide.network, guide.onward, way, waypoints)
    }

    /// Whether a reasonable way leads by a decision over the low edge behind it.
    ///
    /// - Parameter seconds: driving time to the decision.
    func isReasonable(over entry: EdgeID, by decision: HazardTable.Decision, after seconds: Seconds) -> Bool {
        let rest = onward.edges(from: entry, through: waypoints)
        guard !rest.isEmpty, let position = way.position else { return false }
        let junction = network.from(decision.next)
        // From the vehicle along its way: to where the other way leaves it, and to each edge behind that.
        var along = -position.offset / network.usualSpeed(position.edge)
        let isOnWay = way.remaining.contains { network.to($0) == junction }
        var fork: Seconds? = isOnWay ? nil : 0
        var starts: [EdgeID: Seconds] = [:]
        for edge in way.remaining {
            if fork != nil, starts[network.original(edge)] == nil { starts[network.original(edge)] = along }
            along += time(edge)
            if fork == nil, network.to(edge) == junction { fork = along }
        }
        var other = (isOnWay ? 0 : seconds) + decision.distanceToEntry / network.usualSpeed(decision.next)
        for edge in rest {
            if let start = starts[network.original(edge)] {
                along = start
                break
            }
            other += time(edge)
        }
        return other <= Self.stretchMax * (along - (fork ?? 0))
    }

    private func time(_ edge: EdgeID) -> Seconds { network.length(edge) / network.usualSpeed(edge) }
}
