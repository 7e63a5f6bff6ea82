import Geo

/// Strings matched edges together to legs, with the shadows that stand for them within turn restrictions.
struct LegAssembly {
    /// An edge that is touched by less than this at an end of the line belongs to the junction there, not to the way.
    private static let touchMax: Metres = 10

    private let network: RoadNetwork
    private(set) var legs: [PlannedWay.Leg]

    init(_ network: RoadNetwork, from place: RoadPosition) {
        self.network = network
        legs = [PlannedWay.Leg(edges: [place.edge], start: place.offset, end: place.offset)]
    }

    /// Goes on over the candidate's route.
    mutating func drive(to candidate: MatchCandidate) {
        let last = network.original(legs[legs.count - 1].lastEdge)
        let isOnward = candidate.route.first.map(network.original) == last
        for edge in candidate.route.dropFirst(isOnward ? 1 : 0).map(network.original) {
            append(edge, towards: candidate.position)
        }
        legs[legs.count - 1].end = candidate.position.offset
    }

    private mutating func append(_ edge: EdgeID, towards place: RoadPosition) {
        let leg = legs.count - 1
        if let next = network.follower(of: legs[leg].lastEdge, where: { network.original($0) == edge }) {
            legs[leg].edges.append(next)
            return
        }
        // No successor: the vehicle turns round, not before where it was and is.
        let length = network.length(edge)
        let turn = max(legs[leg].end, edge == place.edge ? length - place.offset : 0)
        legs[leg].end = turn
        legs.append(PlannedWay.Leg(edges: [edge], start: max(0, length - turn), end: 0))
    }

    /// Without the edges that the line only touches at its ends.
    consuming func trimmed() -> PlannedWay {
        let first = network.length(legs[0].edges[0])
        if legs[0].edges.count > 1, first - legs[0].start < min(Self.touchMax, first / 2) {
            legs[0].edges.removeFirst()
            legs[0].start = 0
        }
        let tail = legs.count - 1
        let last = network.length(legs[tail].lastEdge)
        if legs[tail].edges.count > 1, legs[tail].end < min(Self.touchMax, last / 2) {
            legs[tail].edges.removeLast()
            legs[tail].end = network.length(legs[tail].lastEdge)
        }
        return PlannedWay(legs: legs)
    }
}
