public import Geo

/// One way to one hazard, with where to leave it and where to speak of it.
public struct Approach: Sendable {
    /// A mile before the detour point on the straightest way back, or where the network starts if that is nearer.
    public struct AlertPoint: Sendable {
        public var position: Coordinate
        public var distanceToEntry: Metres
        public var isTruncated: Bool
    }

    public var hazard: Hazard
    /// Nil where no detour exists.
    public var detour: DetourPoint?
    /// Nil where there is no place to turn off at all.
    public var alert: AlertPoint?
}

extension HazardTable {
    /// Every approach to every hazard: one for each detour point, and one for each hazard without any, whose alert point
    /// goes by the nearest turn-off of any kind.
    ///
    /// - Parameter alertDistance: how far before the detour point to speak.
    public func approaches(_ network: RoadNetwork, alertDistance: Metres) -> [Approach] {
        let lastTurns = nearestTurnOffs(network)
        return hazards.enumerated().flatMap { index, hazard -> [Approach] in
            guard hazard.detours.isEmpty else {
                return hazard.detours.map { point in
                    let alert = network.back(alertDistance, from: point.arriving)
                    return Approach(hazard: hazard, detour: point, alert: alert.adding(point.distanceToEntry))
                }
            }
            let alert = lastTurns[index].map { turn in
                network.back(alertDistance, from: turn.arriving).adding(turn.distance)
            }
            return [Approach(hazard: hazard, detour: nil, alert: alert)]
        }
    }

    /// For hazards without a detour: the nearest turn-off of any kind; of several ways to it the straightest.
    private func nearestTurnOffs(_ network: RoadNetwork) -> [Int: (arriving: EdgeID, distance: Metres)] {
        var nearest: [Int: (distance: Metres, isBend: Int, arriving: EdgeID)] = [:]
        for (arriving, list) in decisions {
            for decision in list where decision.detour == nil {
                let isStraight = network.straightest(before: decision.next) == arriving
                let turnOff = (distance: decision.distanceToEntry, isBend: isStraight ? 0 : 1, arriving: arriving)
                if nearest[decision.hazard].map({ turnOff < $0 }) ?? true { nearest[decision.hazard] = turnOff }
            }
        }
        return nearest.mapValues { ($0.arriving, $0.distance) }
    }
}

extension Approach.AlertPoint {
    fileprivate func adding(_ distance: Metres) -> Approach.AlertPoint {
        var point = self
        point.distanceToEntry += distance
        return point
    }
}

extension RoadNetwork {
    /// The point `distance` before the end of `edge` on the straightest way back.
    fileprivate func back(_ distance: Metres, from edge: EdgeID) -> Approach.AlertPoint {
        var current = edge
        var gone: Metres = 0
        var seen: Set<EdgeID> = [edge]
        var before: ArraySlice<EdgeID> = []
        while gone + length(current) < distance {
            gone += length(current)
            if before.isEmpty { before = straightestWay(before: current)[...] }
            guard let previous = before.popFirst(), seen.insert(previous).inserted else {
                return Approach.AlertPoint(
                    position: coordinate(from(current)), distanceToEntry: gone, isTruncated: true)
            }
            current = previous
        }
        let position = coordinate(current, offset: length(current) - (distance - gone))
        return Approach.AlertPoint(position: position, distanceToEntry: distance, isTruncated: false)
    }

    /// The straightest edge before one; through a roundabout, which would be gone round for ever, its edges back to the
    /// straightest road into it, and that road. Nearest first.
    private func straightestWay(before edge: EdgeID) -> [EdgeID] {
        guard let previous = straightest(before: edge) else { return [] }
        guard isRoundabout(previous) else { return [previous] }
        var round: [EdgeID] = []
        var best: (angle: Degrees, edges: [EdgeID])?
        var current: EdgeID? = previous
        while let arc = current, arc != edge, !round.contains(arc) {
            round.append(arc)
            current = nil
            for other in predecessors(arc) {
                if isRoundabout(other) {
                    current = other
                } else if reverse(other) != edge, turnAngle(other, edge) < best?.angle ?? .infinity {
                    best = (turnAngle(other, edge), round + [other])
                }
            }
        }
        return best?.edges ?? []
    }
}
