import Geo
import Messages
import Roads

/// Applies the two rules of when to speak to one vehicle's place on the road.
struct HazardWatch {
    /// A candidate less likely than this raises nothing.
    static let probabilityMin = 0.1
    /// A candidate less likely than this does not even keep an alert open.
    static let doubtMin = 0.02
    /// Below this the road beside is too likely to tell a driver to stop.
    static let certainty = 0.8

    /// Worse fixes are matched too freely for more slack to help.
    static let slackMax: Metres = 50

    let network: RoadNetwork
    let hazards: Hazards
    let zone: AlertZone?
    let settings: EngineSettings
    let model: TurnModel
    /// Nil where nothing is known of what the fleet did.
    let behaviour: ObservedBehaviour?
    /// The way that the vehicle is known to take, and is on; nil where none is known.
    let way: KnownWay?
    /// Nil where none is known, or the vehicle may not be bound there.
    let destination: KnownDestination?
    let speed: MetresPerSecond
    let interval: Seconds
    /// Radius of the 68 % circle of the fix.
    let accuracy: Metres
    /// Structures that open alerts are about.
    let told: [ClearanceID]
    /// Those of them with which no chain begins that the vehicle has come into by its entry.
    let notEntered: [ClearanceID]
    /// Hazards before which the vehicle was told to turn off, and may have.
    let turnedOffBefore: [Int]

    var table: HazardTable { hazards.table }

    /// How far a last turn-off may lie ahead for rules 1 and 3.
    var reach: Metres { Self.reach(settings.alerts, speed, interval) }

    private static func reach(
        _ settings: EngineSettings.Alerts, _ speed: MetresPerSecond, _ interval: Seconds
    ) -> Metres {
        max(settings.distance, settings.leadTime * speed) + speed * interval
    }

    /// How far it may lie ahead for any rule, and a metre for rounding.
    static func reachMax(
        _ settings: EngineSettings.Alerts, _ speed: MetresPerSecond, _ interval: Seconds
    ) -> Metres {
        let decided = (settings.notice + 2 * interval) * max(speed, QuietRule.speedMax) + slackMax
        return max(reach(settings, speed, interval), decided) + 1
    }

    /// One sighting for each hazard that a rule holds for, in the order of the hazards.
    func assessments(_ candidates: [MatchCandidate]) -> [HazardAssessment] {
        guard let best = candidates.first else { return [] }
        // Of what may well be high enough nobody is told but on the way there.
        if hazards.isUnknown { return onPath(candidates) + inside(best).filter { !$0.raises } }
        var byHazard: [Int: HazardAssessment] = [:]
        let onPath = onPath(candidates)
        let turnOffs = onPath.filter(\.raises).compactMap(\.turnOff)
        func add(_ assessments: [HazardAssessment]) {
            for assessment in assessments where byHazard[assessment.hazard] == nil {
                byHazard[assessment.hazard] = assessment
            }
        }
        add(inside(best))
        add(onPath)
        add(tooLateBesides(best))
        for candidate in candidates where candidate.probability >= Self.probabilityMin {
            for var assessment in atLastDecision(candidate, besides: turnOffs) + tooLateBesides(candidate) {
                assessment.isLastChance = assessment.raises && candidate.position == best.position
                if byHazard[assessment.hazard]?.says(asMuchAs: assessment) != true {
                    byHazard[assessment.hazard] = assessment
                } else if assessment.isLastChance {
                    byHazard[assessment.hazard]?.isLastChance = true
                }
            }
        }
        add(inDoubt(candidates))
        return byHazard.values.sorted { $0.hazard < $1.hazard }.map { weighed($0, candidates) }
    }

    /// Rule 1, and its rest: the low edge lies on the path, the last turn-off ahead or behind. Where the place is
    /// uncertain, the path of each place counts by how likely that is; the likeliest of them is told of.
    private func onPath(_ candidates: [MatchCandidate]) -> [HazardAssessment] {
        var likelihood: [Int: Double] = [:]
        var probabilities: [Int: Double] = [:]
        var first: [Int: HazardAssessment] = [:]
        for candidate in candidates where candidate.probability >= Self.probabilityMin {
            for upcomingHazard in upcomingHazards(on: candidate) {
                probabilities[upcomingHazard.hazard, default: 0] += candidate.probability * upcomingHazard.probability
                likelihood[upcomingHazard.hazard, default: 0] +=
                    candidate.probability * (upcomingHazard.isOnPath ? 1 : upcomingHazard.probability)
                if first[upcomingHazard.hazard] == nil {
                    first[upcomingHazard.hazard] = assessment(
                        upcomingHazard, candidate, isSideRoad: false, raises: true)
                }
            }
        }
        for (hazard, probability) in probabilities { first[hazard]?.probability = min(1, probability) }
        let found = first.values.sorted { $0.hazard < $1.hazard }
        if let observed = observed(found, likelihood, candidates) { return observed }
        return found.filter { likelihood[$0.hazard, default: 0] >= settings.alerts.minProbability }.map { assessment in
            var assessment = assessment
            assessment.raises = !isBehindTurnOff(assessment)
            return assessment
        }
    }

    /// Whether the vehicle has turned off before the structure as it was told to, and its most probable path comes round there again,
    /// though it is not likely to be taken: the detour is such a path, too.
    private func isBehindTurnOff(_ assessment: HazardAssessment) -> Bool {
        let structure = table.structure(assessment.hazard)
        return assessment.turnOff != nil && assessment.probability < settings.alerts.minProbability
            && !told.contains(structure) && turnedOffBefore.contains { table.structure($0) == structure }
    }

    /// What lies on the known way, where there is one, else on the paths from one place that are likely enough.
    private func upcomingHazards(on candidate: MatchCandidate) -> [UpcomingHazard] {
        let path = PathAhead(network, table, model, minProbability: settings.alerts.minProbability, zone: zone)
        guard let way, let position = way.position else {
            return path.upcomingHazards(from: candidate.start, reach: reach)
        }
        return path.upcomingHazards(from: position, reach: reach, along: way.remaining)
    }

    /// Rule 2: a decision turn that can be reached, by any legal way, before the next fix but one has been heard. One that
    /// can be reached an interval later raises nothing, but keeps an alert open that would soon be raised again.
    ///
    /// - Parameter turnOffs: where the vehicle is told to leave its path.
    private func atLastDecision(_ candidate: MatchCandidate, besides turnOffs: [EdgeID]) -> [HazardAssessment] {
        let budget = settings.alerts.notice + interval
        let kept = budget + interval
        guard mayDecide(candidate, within: kept) else { return [] }
        let reachable = ReachableDecisions(network, table, model)
        let upcomingHazards = reachable.upcomingHazards(
            from: candidate.start, slack: slack, within: kept, speed: speed)
        return upcomingHazards.filter { isRelevant($0.hazard, at: candidate.position) }.map { upcomingHazard in
            let seconds = upcomingHazard.secondsToDecision ?? 0
            return assessment(
                upcomingHazard, candidate, isSideRoad: true,
                raises: seconds <= budget && !isAlarmNeedless(upcomingHazard.hazard, on: candidate)
                    && !isOffReasonableWays(upcomingHazard) && !isDetour(upcomingHazard, by: turnOffs))
        }
    }

    /// Nobody is told to leave his road and not to leave it in one breath: the detour round one structure is a way back to the
    /// other side of it, or of the one behind. Whoever drives on there instead is told at a later turn-off; where none follows,
    /// he has to be told here.
    private func isDetour(_ upcomingHazard: UpcomingHazard, by turnOffs: [EdgeID]) -> Bool {
        let hazard = upcomingHazard.hazard
        guard let decision = upcomingHazard.decision, let detour = decision.detour,
            turnOffs.contains(decision.next), table.hazards[hazard].detours[detour].hasShorterWay
        else { return false }
        return table.entries[decision.next] != hazard
            && !table.tooLate[decision.next, default: []].contains { $0.hazard == hazard }
    }

    /// Rule 2's other exception: no reasonable way to where the vehicle is bound leads there, and it keeps to its way; then the
    /// alert that is open will do.
    func isOffReasonableWays(_ upcomingHazard: UpcomingHazard) -> Bool {
        guard let destination, let decision = upcomingHazard.decision,
            told.contains(table.structure(upcomingHazard.hazard))
        else { return false }
        return !destination.isReasonable(
            over: table.hazards[upcomingHazard.hazard].entry, by: decision,
            after: upcomingHazard.secondsToDecision ?? 0)
    }

    /// Whether anything is decided so near that it can be reached within some seconds of driving.
    private func mayDecide(_ candidate: MatchCandidate, within seconds: Seconds) -> Bool {
        let reach = seconds * max(speed, QuietRule.speedMax)
        guard let zone, reach < zone.reach else { return true }
        return zone.distanceToDecision(from: candidate.position, network) - slack <= reach
    }

    /// Yards, garages and roads for those who call there are spoken of to those who do: by their route, or because the fleet
    /// has turned in there before, or because they are on such a road already.
    func isRelevant(_ hazard: Int, at position: RoadPosition?) -> Bool {
        let it = table.hazards[hazard]
        if settings.alerts.serviceRoads || network.isOpenToAll(it) { return true }
        if way?.remaining.contains(where: { table.entries[$0] == hazard }) == true { return true }
        guard it.isPublic else { return false }
        return position.map { network.isOfDestinationWay($0.edge) } == true
            || model.counts.haveTurned(onto: it.entry, network)
    }

    /// Twice the 68 % radius: 99 % of fixes are no farther off.
    var slack: Metres { min(2 * accuracy, Self.slackMax) }

    /// Whether it is sure enough that the vehicle is on this edge, and not still before it, to say that no turn-off is left:
    /// it is the likely one, and the vehicle farther along than fixes are off.
    private func isCertain(_ candidate: MatchCandidate) -> Bool {
        candidate.probability >= Self.certainty
            && candidate.position.offset >= min(slack, network.length(candidate.position.edge) / 2)
    }

    /// Whether the vehicle may be on the detour that it was told to take, which comes by roads where it is too late for those who
    /// are bound for the other side: it leaves them where the detour ends, though from there no detour leads back.
    func isOnDetour(round hazard: Int, _ position: RoadPosition) -> Bool {
        let isOtherSide = turnedOffBefore.contains {
            $0 != hazard && table.structure($0) == table.structure(hazard)
        }
        return isOtherSide && table.hasTurnOff(after: position.edge, before: hazard, network)
    }

    private func assessment(
        _ upcomingHazard: UpcomingHazard, _ candidate: MatchCandidate, isSideRoad: Bool, raises: Bool
    ) -> HazardAssessment {
        let place = upcomingHazard.decision.map {
            HazardAssessment.Place.before($0, distance: upcomingHazard.distanceToDecision ?? 0)
        }
        let isOnDetour = place == nil && isOnDetour(round: upcomingHazard.hazard, candidate.start)
        return HazardAssessment(
            hazard: upcomingHazard.hazard, place: place ?? .tooLate, distanceToEntry: upcomingHazard.distanceToEntry,
            isSideRoad: isSideRoad, isCertain: isCertain(candidate), isOnDetour: isOnDetour,
            isBesideWay: !isSideRoad && way?.progress.isBeside == true, raises: raises,
            probability: candidate.probability * upcomingHazard.probability)
    }

    /// Past the last turn-off, but likelier to turn off somewhere without a detour than to go on: judged like rule 2.
    private func tooLateBesides(_ candidate: MatchCandidate) -> [HazardAssessment] {
        let edge = candidate.start.edge
        let rest = max(0, network.length(edge) - candidate.position.offset)
        let isNear = rest <= (settings.alerts.notice + interval) * max(speed, network.usualSpeed(edge))
        return table.tooLate[edge, default: []].compactMap { tooLate in
            guard let turn = turn(after: edge, towards: tooLate.hazard) else { return nil }
            return HazardAssessment(
                hazard: tooLate.hazard, place: .aside(turn: turn, distance: rest),
                distanceToEntry: rest + tooLate.distanceToEntry, isSideRoad: true,
                isCertain: isCertain(candidate),
                raises: isNear && isRelevant(tooLate.hazard, at: candidate.position)
                    && !isAlarmNeedless(tooLate.hazard, on: candidate),
                probability: candidate.probability)
        }
    }

    /// Where the vehicle may be on either of two roads, as under a structure, it may still have before it what it was told of:
    /// that raises nothing, and keeps the alert open until the roads have parted. So does a way that leads there, though there
    /// are turn-offs left.
    private func inDoubt(_ candidates: [MatchCandidate]) -> [HazardAssessment] {
        guard !told.isEmpty else { return [] }
        var found: [HazardAssessment] = []
        for candidate in candidates where candidate.probability >= Self.doubtMin {
            let edge = candidate.start.edge
            let rest = max(0, network.length(edge) - candidate.position.offset)
            func add(_ hazard: Int, at distance: Metres) {
                guard told.contains(table.structure(hazard)) else { return }
                found.append(
                    HazardAssessment(
                        hazard: hazard, place: .tooLate, distanceToEntry: distance, isSideRoad: true, isCertain: false,
                        raises: false, probability: candidate.probability))
            }
            for it in inside(candidate) { add(it.hazard, at: it.distanceToEntry) }
            for it in table.tooLate[edge, default: []] { add(it.hazard, at: rest + it.distanceToEntry) }
            for it in table.leading[edge, default: []] { add(it.hazard, at: rest + it.distanceToEntry) }
        }
        return found
    }

    /// The next edge on which it is still too late, or the low one itself.
    private func turn(after edge: EdgeID, towards hazard: Int) -> EdgeID? {
        network.successors(edge).first { next in
            table.entries[next] == hazard || table.tooLate[next, default: []].contains { $0.hazard == hazard }
        }
    }

    /// On a low edge, or between two of one chain, a structure still ahead: of that only this hazard tells who sets off there. An
    /// alert of the first is not about the rest to who has come between them by another road.
    private func inside(_ candidate: MatchCandidate) -> [HazardAssessment] {
        table.zones[candidate.position.edge, default: []].compactMap { index in
            let hazard = table.hazards[index]
            let structures = Structures(network, table, hazard)
            guard structures.areAhead(of: candidate.position) else { return nil }
            let isRest = notEntered.contains(table.structure(index)) && structures.isBetween(candidate.position)
            // Where it is not sure to be there, the first may be before it still.
            if isRest, candidate.probability >= Self.certainty { return nil }
            return HazardAssessment(
                hazard: index, place: .tooLate,
                distanceToEntry: structures.distanceToLowEdge(from: candidate.position), isSideRoad: false,
                isCertain: isCertain(candidate),
                raises: hazard.entry == candidate.position.edge || structures.isEnteredOnce && !hazards.isUnknown,
                probability: candidate.probability)
        }
    }
}
