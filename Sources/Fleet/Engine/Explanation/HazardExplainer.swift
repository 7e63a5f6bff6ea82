import Clearances
import Geo
import Messages
import Roads

/// Asks the two rules about every hazard of one kind: what they see now, what they would see farther ahead, and why they
/// are silent.
struct HazardExplainer {
    /// How far ahead a wrong turn is looked for.
    static let horizon: Seconds = 600

    private let network: RoadNetwork
    private let hazards: Hazards
    private let watch: HazardWatch
    private let stateMachine: AlertStateMachine
    private let isNew: Bool
    private let candidates: [MatchCandidate]
    /// Edges that the vehicle is expected on.
    private let path: Set<EdgeID>
    private let byClearance: [ClearanceID: [Int]]
    private let alerts: [Int: OpenAlert]
    /// Those of them that are more than a notice.
    private let alarms: Set<Int>
    /// Chains that the vehicle is in and they tell of.
    private let chains: [Int]
    /// What the rules say, by hazard.
    private let assessments: [Int: HazardAssessment]
    /// What rule 3 says, by structure.
    private let notices: [ClearanceID: HazardNotice]
    /// What rule 1 would say of last turn-offs that are farther away.
    private let far: [Int: HazardAssessment]
    /// Wrong turns, by hazard, the soonest that is reached from any likely candidate.
    private let wrongTurns: [Int: UpcomingHazard]
    private let probabilities: [Int: Double]

    /// - Parameter farReach: how far ahead a last turn-off is looked for.
    init(
        _ evaluator: AlertEvaluator, _ vehicle: Vehicle, _ fix: Fix, _ hazards: Hazards, on network: RoadNetwork,
        path: Set<EdgeID>, farReach: Metres
    ) {
        (self.network, self.hazards, self.path) = (network, hazards, path)
        let watch = evaluator.watch(
            of: vehicle, vehicle.alerts, fix, hazards, on: network, evaluator.settings)
        let candidates = vehicle.roads.compactMap(\.candidate)
        (self.watch, self.candidates, isNew) = (watch, candidates, evaluator.isNew(fix))
        stateMachine = evaluator.stateMachine(of: vehicle, fix, hazards, on: network)
        assessments = isNew ? Self.byHazard(watch.assessments(candidates)) : [:]
        notices = isNew ? watch.notices(candidates) : [:]
        var farther = evaluator.settings
        farther.alerts.distance = max(farther.alerts.distance, farReach)
        let farWatch = evaluator.watch(of: vehicle, vehicle.alerts, fix, hazards, on: network, farther)
        far = Self.byHazard(farWatch.assessments(Array(candidates.prefix(1))).filter { !$0.isSideRoad })
        wrongTurns = Self.wrongTurns(watch, candidates)
        let isGuided = vehicle.guidance.wayFollowed != nil
        probabilities =
            candidates.first.flatMap { best in
                isGuided
                    ? nil
                    : LikeliestWays(network, hazards.table, evaluator.model, from: best.position, within: farReach)
                        .probabilities
            } ?? [:]
        byClearance = hazards.table.hazards.enumerated().reduce(into: [:]) { found, hazard in
            for clearance in hazard.element.clearances { found[clearance, default: []].append(hazard.offset) }
        }
        alerts = vehicle.alerts.reduce(into: [:]) { alerts, alert in
            if let hazard = hazards.index(of: alert.subject) { alerts[hazard] = alert }
        }
        alarms = Set(alerts.filter { $0.value.last.attention == .alarm }.keys)
        chains = stateMachine.chains(of: vehicle.alerts, candidates, onlyAlarms: true)
    }

    private static func byHazard(_ assessments: [HazardAssessment]) -> [Int: HazardAssessment] {
        Dictionary(assessments.map { ($0.hazard, $0) }) { first, _ in first }
    }

    private static func wrongTurns(_ watch: HazardWatch, _ candidates: [MatchCandidate]) -> [Int: UpcomingHazard] {
        let reachable = ReachableDecisions(watch.network, watch.hazards.table, watch.model)
        var soonest: [Int: UpcomingHazard] = [:]
        for candidate in candidates where candidate.probability >= HazardWatch.probabilityMin {
            let upcomingHazards = reachable.upcomingHazards(
                from: candidate.start, slack: watch.slack, within: horizon, speed: watch.speed)
            for upcomingHazard in upcomingHazards {
                let known = soonest[upcomingHazard.hazard]?.secondsToDecision ?? .infinity
                if upcomingHazard.secondsToDecision ?? 0 < known { soonest[upcomingHazard.hazard] = upcomingHazard }
            }
        }
        return soonest
    }

    /// Whether an alert or a rule is about a clearance.
    func isSpokenOf(_ clearance: ClearanceID) -> Bool {
        byClearance[clearance, default: []].contains { assessments[$0] != nil || alerts[$0] != nil }
    }

    /// Every way into the low zones of a clearance, the ones that are spoken of first, then the nearest.
    func hazards(of clearance: ClearanceID) -> [Explanation.Hazard] {
        byClearance[clearance, default: []].map { explained($0, under: clearance) }.sorted { a, b in
            let (one, other) = (a.rule == nil, b.rule == nil)
            return one == other ? a.distance ?? .infinity < b.distance ?? .infinity : !one
        }
    }

    private func explained(_ index: Int, under clearance: ClearanceID) -> Explanation.Hazard {
        let hazard = hazards.table.hazards[index]
        let assessment = assessments[index]
        let reason = reason(index, under: clearance)
        return Explanation.Hazard(
            entry: network.key(hazard.entry), road: network.title(hazard.entry), isPublic: hazard.isPublic,
            leader: hazard.structures[0] == clearance ? nil : network.clearance(hazard.structures[0]).id,
            rule: assessment.map(rule) ?? (isNearby(index) ? .nearby : nil), isDue: reason == nil, reason: reason,
            distance: assessment?.distanceToEntry ?? far[index]?.distanceToEntry ?? wrongTurns[index]?.distanceToEntry,
            turnOff: turnOff(index), probability: probabilities[index],
            alert: alerts[index].map { Explanation.Hazard.Alert($0, at: stateMachine.time) })
    }

    // MARK: Which rule

    private func rule(_ assessment: HazardAssessment) -> Explanation.Hazard.Rule {
        switch assessment.place {
        case .before: assessment.isSideRoad ? .lastDecision : .onPath
        case .tooLate: isInside(assessment.hazard) ? .insideZone : .tooLate
        case .aside: .turnOff
        }
    }

    /// Whether a notice is about the hazard, or would be, or keeps an alarm open.
    private func isNearby(_ index: Int) -> Bool {
        guard let notice = notices[hazards.table.structure(index)] else { return false }
        return alerts[index].map(notice.keeps)
            ?? (notice.hazard == index && !isToldByOtherEntry(index))
    }

    private func isInside(_ hazard: Int) -> Bool {
        candidates.first.map { hazards.table.zones[$0.position.edge, default: []].contains(hazard) } ?? false
    }

    /// Nil where an alert is due.
    private func reason(_ index: Int, under clearance: ClearanceID) -> Explanation.Hazard.Reason? {
        guard isNew else { return .oldFix }
        guard !candidates.isEmpty else { return .offNetwork }
        guard let assessment = assessments[index] else { return reasonUnseen(index, under: clearance) }
        let isAlarmed = alarms.contains(index)
        if !isAlarmed, isToldByOtherEntry(index) { return .otherEntry }
        if !isAlarmed, stateMachine.isChained(index, to: chains) { return .chained }
        if !isAlarmed, let quiet = stateMachine.quiet(assessment) {
            return quiet.silence == .standing ? .standing : .justPassed
        }
        if isOfEarlierApproach(index) { return .earlierApproach }
        if assessment.isOnDetour { return .onDetour }
        if stateMachine.stage(assessment) == nil { return .unsure }
        if assessment.raises { return nil }
        if case .tooLate = assessment.place { return .insideZone }
        if assessment.turnOff != nil, !assessment.isSideRoad { return .turnedOff }
        guard isRelevant(index) else { return irrelevant(index) }
        return wrongTurns[index].map(watch.isOffReasonableWays) == true ? .offReasonableWays : .notYet
    }

    /// Whether the alert about a hazard waits for its end, as the vehicle comes there by another approach.
    private func isOfEarlierApproach(_ index: Int) -> Bool {
        guard alarms.contains(index), let alert = alerts[index], alert.idleSince != nil else { return false }
        let structure = hazards.table.structure(index)
        let sighted = assessments.values.filter { hazards.table.structure($0.hazard) == structure }
        return stateMachine.areOtherApproaches(sighted, than: alert, candidates)
    }

    private func isRelevant(_ index: Int) -> Bool { watch.isRelevant(index, at: candidates.first?.position) }

    private func irrelevant(_ index: Int) -> Explanation.Hazard.Reason {
        hazards.table.hazards[index].isPublic ? .destinationRoad : .serviceRoad
    }

    private func isToldByOtherEntry(_ index: Int) -> Bool {
        alarms.contains { hazards.table.structure($0) == hazards.table.structure(index) }
    }

    /// Why neither rule sees it.
    private func reasonUnseen(_ index: Int, under clearance: ClearanceID) -> Explanation.Hazard.Reason {
        if far[index] != nil { return .tooFar }
        if isOtherDirection(clearance) { return .otherDirection }
        if isInside(index) { return .behind }
        guard wrongTurns[index] != nil else { return .unreachable }
        if hazards.isUnknown { return .unknownOffPath }
        return isRelevant(index) ? .notYet : irrelevant(index)
    }

    /// Whether the vehicle is bound for the structure from a side that is not limited.
    private func isOtherDirection(_ clearance: ClearanceID) -> Bool {
        let zones = byClearance[clearance, default: []].flatMap { hazards.table.hazards[$0].zone }.map(network.original)
        let limited = zones.filter { network.clearances($0).contains(clearance) }
        return !limited.contains(where: path.contains)
            && limited.contains { network.reverse($0).map { path.contains(network.original($0)) } ?? false }
    }

    // MARK: The last turn-off

    private func turnOff(_ index: Int) -> Explanation.Hazard.TurnOff? {
        let seen = assessments[index] ?? far[index]
        switch seen?.place {
        case .before(let decision, let distance): return turnOff(decision, distance, index)
        case .aside(let turn, let distance):
            return Explanation.Hazard.TurnOff(
                onto: nil, wrongTurn: network.title(turn), distance: distance, seconds: nil, hasDetour: false)
        case .tooLate: return nil
        case nil:
            guard let upcomingHazard = wrongTurns[index], let decision = upcomingHazard.decision else { return nil }
            return turnOff(decision, upcomingHazard.distanceToDecision ?? 0, index)
        }
    }

    private func turnOff(
        _ decision: HazardTable.Decision, _ distance: Metres, _ index: Int
    ) -> Explanation.Hazard.TurnOff {
        Explanation.Hazard.TurnOff(
            onto: network.title(decision.turnOff), wrongTurn: network.title(decision.next), distance: distance,
            seconds: wrongTurns[index]?.secondsToDecision, hasDetour: decision.detour != nil)
    }
}
