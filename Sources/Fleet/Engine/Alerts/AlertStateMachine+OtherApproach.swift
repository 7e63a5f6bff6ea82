import Geo
import Messages
import Roads

/// Whether an open alert is about the way on which its vehicle comes to the structure now.
extension AlertStateMachine {
    /// Whether a driver who was told to turn off has, and is on a way to the same structure by another entry, of which he has not
    /// been told, nor is by the next stage.
    ///
    /// - Parameters:
    ///   - hazard: of the alert.
    ///   - assessment: of what is sighted the one to tell of.
    func hasLeft(
        _ sighted: [HazardAssessment], _ alert: OpenAlert, _ hazard: Int, for assessment: HazardAssessment
    ) -> Bool {
        guard alert.last.stage == .detour, assessment.raises, !sighted.contains(where: { $0.hazard == hazard }) else {
            return false
        }
        return stage(assessment).map { $0.rank <= alert.last.stage.rank } ?? assessment.isOnDetour
    }

    /// Whether the last turn-off may be behind the vehicle before an alert that nothing holds ends.
    func isSoon(_ assessment: HazardAssessment) -> Bool {
        guard case .before(let decision, let distance) = assessment.place else { return false }
        // Not at the present speed: without one told, noise makes any of it.
        return distance <= RuleTime.clearedAfter * network.usualSpeed(decision.next)
    }

    /// Whether all that is sighted of an alert's structure is another approach, so that nothing holds the alert.
    func areOtherApproaches(
        _ sighted: [HazardAssessment], than alert: OpenAlert, _ candidates: [MatchCandidate]
    ) -> Bool {
        sighted.allSatisfy {
            !isBefore($0.hazard, candidates) && isOtherApproach($0, than: alert, candidates)
        }
    }

    /// Whether a driver who was told to turn off, or to stop, has another last turn-off before him, or the same once more: he has
    /// turned off, or turned round, and comes again. What he was told is not of that approach.
    private func isOtherApproach(
        _ assessment: HazardAssessment, than alert: OpenAlert, _ candidates: [MatchCandidate]
    ) -> Bool {
        guard case .before(let decision, let distance) = assessment.place, !isBehindDecision(candidates, assessment)
        else { return false }
        // At its turn-off the noise of a vehicle adds up to less.
        let noise = max(RuleDistance.otherApproachMin, Standstill.radius(fix))
        let isFarther = assessment.distanceToEntry > alert.last.distance + noise
        switch alert.last.stage {
        case .stop: return isFarther
        case .detour:
            // The most probable path from a detour often comes round to the structure.
            guard assessment.isSideRoad || assessment.probability >= minProbability else { return false }
            let turnOff = network.coordinate(network.from(decision.turnOff))
            let isElsewhere = alert.last.detour.map { $0.position.distance(to: turnOff) > noise } ?? false
            return isFarther || isElsewhere && distance > noise
        case .ahead, .cleared, .passed: return false
        }
    }

    /// Whether the vehicle most probably is behind a last turn-off before the structure of a sighting, whatever turn-offs follow.
    private func isBehindDecision(_ candidates: [MatchCandidate], _ assessment: HazardAssessment) -> Bool {
        guard let edge = candidates.first?.start.edge else { return false }
        let table = hazards.table
        return (table.tooLate[edge, default: []] + table.leading[edge, default: []]).contains {
            table.structure($0.hazard) == table.structure(assessment.hazard)
        }
    }
}
