import Geo
import Messages
import Roads

/// How a vehicle stands to one hazard at one fix.
struct Sighting {
    enum Place: Equatable {
        /// The last turn-off lies ahead.
        case before(HazardTable.Decision, distance: Metres)
        /// The last turn-off is behind, the structure ahead.
        case tooLate
        /// The last turn-off is behind, but the path most probably leads elsewhere, if only to a dead end: the
        /// structure lies round a corner.
        case aside(turn: EdgeID, distance: Metres)
    }

    /// Position in the table's `hazards`.
    var hazard: Int
    var place: Place
    var distanceToEntry: Metres
    /// Whether the vehicle would have to turn off its likely path to come there.
    var isSideRoad: Bool
    /// Whether the match is sure enough to say that there is no way out.
    var isCertain: Bool
    /// Whether this alone raises an alert; else it only keeps one open.
    var raises: Bool

    /// Whether there is something to say: nobody is told to stop on a guess.
    var isHeard: Bool {
        switch place {
        case .before: true
        case .tooLate: isCertain
        case .aside: raises
        }
    }

    /// Whether another sighting of the same hazard has nothing to add.
    func says(asMuchAs other: Sighting) -> Bool { isHeard && (raises || !other.raises) }
}

extension AlertProgress {
    init(_ sighting: Sighting, at time: Timestamp) {
        let detour: Metres? = if case .before(_, let distance) = sighting.place { distance } else { nil }
        self.init(time: time, distance: sighting.distanceToEntry, detourDistance: detour)
    }
}

/// Applies the two rules of when to speak to one vehicle's place on the road.
struct HazardWatch {
    /// A candidate less likely than this raises nothing.
    static let probabilityMin = 0.1
    /// Below this the road beside is too likely to tell a driver to stop.
    static let certainty = 0.8

    /// Worse fixes are matched too freely for more slack to help.
    static let slackMax: Metres = 50

    let network: RoadNetwork
    let hazards: Hazards
    let settings: EngineSettings
    let model: TurnModel
    /// The way that the vehicle is known to take, and is on; nil where none is known.
    let way: KnownWay?
    let speed: MetresPerSecond
    let interval: Seconds
    /// Radius of the 68 % circle of the fix.
    let accuracy: Metres
    /// Hazards that the vehicle has been told not to turn off to.
    let sideRoads: Set<Int>

    private var table: HazardTable { hazards.table }

    /// One sighting for each hazard that a rule holds for, in the order of the hazards.
    func sightings(_ candidates: [MatchCandidate]) -> [Sighting] {
        guard let best = candidates.first else { return [] }
        // Of what may well be high enough nobody is told but on the way there.
        if hazards.isUnknown { return onPath(candidates) + inside(best).filter { !$0.raises } }
        var byHazard: [Int: Sighting] = [:]
        for sighting in inside(best) + onPath(candidates) + tooLateBesides(best) where byHazard[sighting.hazard] == nil
        {
            byHazard[sighting.hazard] = sighting
        }
        for candidate in candidates where candidate.probability >= Self.probabilityMin {
            for sighting in atLastDecision(candidate) + tooLateBesides(candidate) {
                if byHazard[sighting.hazard]?.says(asMuchAs: sighting) != true { byHazard[sighting.hazard] = sighting }
            }
        }
        return byHazard.values.sorted { $0.hazard < $1.hazard }
    }

    /// Rule 1, and its rest: the low edge lies on the path, the last turn-off ahead or behind. Where the place is
    /// uncertain, the path of each place counts by how likely that is; the likeliest of them is told of.
    private func onPath(_ candidates: [MatchCandidate]) -> [Sighting] {
        var likelihood: [Int: Double] = [:]
        var first: [Int: Sighting] = [:]
        for candidate in candidates where candidate.probability >= Self.probabilityMin {
            for prospect in prospects(on: candidate) {
                likelihood[prospect.hazard, default: 0] +=
                    candidate.probability * (prospect.isOnPath ? 1 : prospect.probability)
                if first[prospect.hazard] == nil {
                    first[prospect.hazard] = sighting(prospect, candidate, isSideRoad: false, raises: true)
                }
            }
        }
        return first.values.sorted { $0.hazard < $1.hazard }
            .filter { likelihood[$0.hazard, default: 0] >= settings.alerts.minProbability }
    }

    /// What lies on the known way, where there is one, else on the paths from one place that are likely enough.
    private func prospects(on candidate: MatchCandidate) -> [Prospect] {
        let reach = max(settings.alerts.distance, settings.alerts.leadTime * speed) + speed * interval
        let path = PathAhead(network, table, model, minProbability: settings.alerts.minProbability)
        guard let way, let position = way.position else {
            return path.prospects(from: candidate.position, reach: reach)
        }
        return path.prospects(from: position, reach: reach, along: way.remaining)
    }

    /// Rule 2: a decision turn that can be reached, by any legal way, before the next fix but one has been heard. One that
    /// can be reached an interval later raises nothing, but keeps an alert open that would soon be raised again.
    ///
    /// Who was told not to turn off is not told the same again a minute later, at the next street to the same structure: in a
    /// quarter with several of them that alert stays open for as long as one is within the lead time.
    private func atLastDecision(_ candidate: MatchCandidate) -> [Sighting] {
        let reachable = ReachableDecisions(network, table, model)
        let budget = settings.alerts.notice + interval
        let kept = max(budget + interval, sideRoads.isEmpty ? 0 : settings.alerts.leadTime)
        let prospects = reachable.prospects(from: candidate.position, slack: slack, within: kept, speed: speed)
        return prospects.filter { isHeard($0.hazard) }.compactMap { prospect in
            let seconds = prospect.secondsToDecision ?? 0
            guard seconds <= budget + interval || sideRoads.contains(prospect.hazard) else { return nil }
            return sighting(prospect, candidate, isSideRoad: true, raises: seconds <= budget)
        }
    }

    /// Yards and garages are spoken of to those who go there.
    func isHeard(_ hazard: Int) -> Bool {
        settings.alerts.serviceRoads || table.hazards[hazard].isPublic
            || way?.remaining.contains { table.entries[$0] == hazard } == true
    }

    /// Twice the 68 % radius: 99 % of fixes are no farther off.
    var slack: Metres { min(2 * accuracy, Self.slackMax) }

    /// Whether it is sure enough that the vehicle is on this edge, and not still before it, to say that there is no way out:
    /// it is the likely one, and the vehicle farther along than fixes are off.
    private func isCertain(_ candidate: MatchCandidate) -> Bool {
        candidate.probability >= Self.certainty
            && candidate.position.offset >= min(slack, network.length(candidate.position.edge) / 2)
    }

    private func sighting(
        _ prospect: Prospect, _ candidate: MatchCandidate, isSideRoad: Bool, raises: Bool
    ) -> Sighting {
        let place = prospect.decision.map { Sighting.Place.before($0, distance: prospect.distanceToDecision ?? 0) }
        return Sighting(
            hazard: prospect.hazard, place: place ?? .tooLate, distanceToEntry: prospect.distanceToEntry,
            isSideRoad: isSideRoad, isCertain: isCertain(candidate), raises: raises)
    }

    /// Past the last turn-off, but likelier to turn off somewhere without a detour than to go on: judged like rule 2.
    private func tooLateBesides(_ candidate: MatchCandidate) -> [Sighting] {
        let edge = candidate.position.edge
        let rest = max(0, network.length(edge) - candidate.position.offset)
        let isNear = rest <= (settings.alerts.notice + interval) * max(speed, network.usualSpeed(edge))
        return table.tooLate[edge, default: []].compactMap { tooLate in
            guard let turn = turn(after: edge, towards: tooLate.hazard) else { return nil }
            return Sighting(
                hazard: tooLate.hazard, place: .aside(turn: turn, distance: rest),
                distanceToEntry: rest + tooLate.distanceToEntry, isSideRoad: true,
                isCertain: isCertain(candidate), raises: isNear && isHeard(tooLate.hazard))
        }
    }

    /// The next edge on which it is still too late, or the low one itself.
    private func turn(after edge: EdgeID, towards hazard: Int) -> EdgeID? {
        network.successors(edge).first { next in
            table.entries[next] == hazard || table.tooLate[next, default: []].contains { $0.hazard == hazard }
        }
    }

    /// On a low edge, or between two of one chain, a structure still ahead.
    private func inside(_ candidate: MatchCandidate) -> [Sighting] {
        table.zones[candidate.position.edge, default: []].compactMap { index in
            let hazard = table.hazards[index]
            guard let ahead = Structures(network, table, hazard).ahead(of: candidate.position) else { return nil }
            return Sighting(
                hazard: index, place: .tooLate, distanceToEntry: ahead, isSideRoad: false,
                isCertain: isCertain(candidate), raises: hazard.entry == candidate.position.edge)
        }
    }
}
