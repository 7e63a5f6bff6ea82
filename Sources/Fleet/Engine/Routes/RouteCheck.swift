import Clearances
import Geo
import Messages
import Roads

/// Answers a route: looks at the way that a vehicle is expected to take for what it does not fit under, and for a way
/// without.
struct RouteCheck {
    let guide: RouteGuide
    let table: HazardTable
    let style: TextStyle

    /// What is said of a route.
    struct Answer {
        var obstacles: [RouteCheckMessage.Obstacle] = []
        /// Nil where no way is found.
        var line: [Coordinate]?
        var safeLine: [Coordinate]?
        var text: String
    }

    /// Nil where it is not known yet from where the vehicle sets off.
    func answer(_ guidance: Guidance, _ candidates: [MatchCandidate]) -> Answer? {
        switch guidance.route {
        case nil: nil
        case .line(let points): answer(line: points)
        case .waypoints:
            if !candidates.isEmpty {
                answer(from: guide.starts(candidates), through: guidance.waypointsAhead)
            } else if guidance.waypointsAhead.count > 1 {
                answer(
                    from: guide.onward.roads(at: guidance.waypointsAhead[0]),
                    through: Array(guidance.waypointsAhead.dropFirst()))
            } else {
                nil
            }
        }
    }

    private func answer(line points: [Coordinate]) -> Answer {
        let matched = guide.matcher.match(points)
        guard let first = matched.pieces.first, let last = points.last else {
            return Answer(text: style.text(.routeOffMap))
        }
        let start = RoadPosition(edge: first.way.edges[0], offset: first.way.legs[0].start)
        let note = matched.gaps.allSatisfy { isYard($0.range, matched) } ? "" : style.text(.routePartsOffMap)
        return answer(matched.pieces.map(\.way), from: [start], through: [last], note: note)
    }

    /// Whether a part off the roads is where the route begins or ends, and no longer than a yard is.
    private func isYard(_ part: ClosedRange<Metres>, _ matched: MatchedLine) -> Bool {
        let isAtEnd = part.lowerBound <= 0 || part.upperBound >= matched.length
        return isAtEnd && part.upperBound - part.lowerBound <= Self.yardMax
    }

    /// Yards reach some hundred metres from the street.
    private static let yardMax: Metres = 300

    private func answer(from starts: [RoadPosition], through waypoints: [Coordinate]) -> Answer {
        do throws(RoutePlannerError) {
            let way = try guide.planner.way(from: starts, through: waypoints)
            return answer([way], from: starts, through: waypoints)
        } catch {
            switch error {
            case .offNetwork(let waypoint):
                return Answer(text: style.text(.waypointOffMap, ["number": "\(waypoint + 1)"]))
            case .unreachable(let waypoint):
                return Answer(text: style.text(.waypointUnreachable, ["number": "\(waypoint + 1)"]))
            }
        }
    }

    private func answer(
        _ ways: [PlannedWay], from starts: [RoadPosition], through waypoints: [Coordinate], note: String = ""
    ) -> Answer {
        let line = ways.flatMap { $0.line(guide.network) }
        let obstacles = obstacles(ways)
        guard !obstacles.isEmpty else {
            let other = wayBesidesUnknown(on: ways, from: starts, through: waypoints)?.line(guide.network)
            // A line that is given has stops that nobody names: a shorter way leaves some of them out.
            let safe = other.flatMap { Self.length($0) >= Self.length(line) ? $0 : nil }
            return Answer(line: line, safeLine: safe ?? line, text: style.text(.routeClear) + note)
        }
        let highEnough = way(from: starts, through: waypoints, avoiding: table.tooLow)
        let safe =
            highEnough.flatMap { wayBesidesUnknown(on: [$0], from: starts, through: waypoints) } ?? highEnough
        return Answer(
            obstacles: obstacles, line: line, safeLine: safe?.line(guide.network),
            text: text(obstacles, hasSafeWay: safe != nil) + note)
    }

    private static func length(_ line: [Coordinate]) -> Metres {
        zip(line, line.dropFirst()).reduce(0) { $0 + $1.0.distance(to: $1.1) }
    }

    private func way(
        from starts: [RoadPosition], through waypoints: [Coordinate], avoiding avoided: TooLowEdges
    ) -> PlannedWay? {
        try? guide.planner.way(
            from: starts, through: waypoints, WayRules(avoiding: avoided, through: table.rules.through))
    }

    /// Where ways that are high enough lead under something of unknown height, of which the driver would be warned: one that
    /// leads neither under that nor under anything too low. Nil where they do not, or there is no such way.
    private func wayBesidesUnknown(
        on ways: [PlannedWay], from starts: [RoadPosition], through waypoints: [Coordinate]
    ) -> PlannedWay? {
        guard let unknown = table.unknown, ways.contains(where: { unknown.limits($0.edges) }) else { return nil }
        return way(from: starts, through: waypoints, avoiding: table.tooLow.union(unknown, guide.network))
    }

    /// Each clearance that is too low once, in driving order.
    private func obstacles(_ ways: [PlannedWay]) -> [RouteCheckMessage.Obstacle] {
        let network = guide.network
        var found: [RouteCheckMessage.Obstacle] = []
        var seen: Set<ClearanceID> = []
        var distance = -(ways.first?.legs.first?.start ?? 0)
        for edge in ways.flatMap(\.edges) {
            for id in network.clearances(edge) where table.isTooLow(id, network) && seen.insert(id).inserted {
                found.append(
                    RouteCheckMessage.Obstacle(
                        clearance: AlertMessage.Clearance(network.clearance(id)), distance: max(0, distance)))
            }
            distance += network.length(edge)
        }
        return found
    }

    private func text(_ obstacles: [RouteCheckMessage.Obstacle], hasSafeWay: Bool) -> String {
        let clearance = obstacles[0].clearance
        let values = [
            "sign": AlertText.sign(clearance.posted),
            "road": clearance.name.isEmpty ? "" : style.text(.onRoad, ["road": clearance.name]),
            "distance": AlertText.inDistance(obstacles[0].distance, style),
            "more": obstacles.count > 1 ? style.text(.andMore, ["count": "\(obstacles.count - 1)"]) : "",
            "rest": style.text(hasSafeWay ? .routeWayWithout : .routeNoWayWithout),
        ]
        return style.text(.routeTooLow, values)
    }
}
