import Clearances
import Geo
import Roads

/// The rules where it is known what the fleet's vehicles did before.
extension HazardWatch {
    /// Rule 1 by what vehicles did that came by here, whether the turns look likely or not. They come to a structure by
    /// whatever entry, so that it is one number for all of its hazards.
    ///
    /// - Parameters:
    ///   - found: what lies on the paths that look likely enough, and how likely it is to.
    /// - Returns: nil where nobody came by, or the vehicle's way is known.
    func observed(
        _ found: [HazardAssessment], _ likelihood: [Int: Double], _ candidates: [MatchCandidate]
    ) -> [HazardAssessment]? {
        guard way == nil, let behaviour else { return nil }
        let places = candidates.filter { $0.probability >= Self.probabilityMin }.map {
            (candidate: $0, record: behaviour.record(on: $0.position.edge))
        }
        guard places.contains(where: { $0.record != nil }) else { return nil }
        var structures: [ClearanceID: Double] = [:]
        for it in found {
            structures[table.structure(it.hazard), default: 0].raise(to: likelihood[it.hazard, default: 0])
        }
        let onPath = found.compactMap { assessment -> HazardAssessment? in
            let otherwise = structures[table.structure(assessment.hazard), default: 0]
            let probability = places.reduce(0) { sum, place in
                let known = place.record?.probability(of: hazards.keys[assessment.hazard], otherwise: otherwise)
                return sum + place.candidate.probability * (known ?? otherwise)
            }
            return observed(assessment, probability)
        }
        let clearances = places.reduce(into: Set()) { $0.formUnion($1.record?.clearances ?? []) }
        let besides = prospects(of: clearances, places.map(\.candidate)).filter { structures[$0.key] == nil }
        return onPath
            + besides.sorted { $0.key < $1.key }.compactMap { structure, notice in
                let probability = probability(of: structure, candidates) ?? 0
                guard var assessment = notice.assessment(hazards, network) else { return nil }
                assessment.isSideRoad = probability < 0.5
                return observed(assessment, probability)
            }
    }

    private func observed(_ assessment: HazardAssessment, _ probability: Double) -> HazardAssessment? {
        guard probability >= settings.alerts.minProbability else { return nil }
        var assessment = assessment
        assessment.probability = min(1, probability)
        return assessment
    }

    /// The nearest way to each structure under whose clearance somebody drove on from here, within the reach of rule 1.
    private func prospects(
        of clearances: Set<UInt32>, _ candidates: [MatchCandidate]
    ) -> [ClearanceID: HazardNotice] {
        guard let ways = hazards.ways, !clearances.isEmpty else { return [:] }
        var nearest: [ClearanceID: HazardNotice] = [:]
        for candidate in candidates {
            let edge = candidate.start.edge
            let rest = max(0, network.length(edge) - candidate.position.offset)
            for prospect in ways.prospects(on: edge) where prospect.distance >= 0 {
                let distance = rest + prospect.distance
                if distance > reach { break }
                let hazard = prospect.hazard(in: table)
                let structure = table.structure(hazard)
                guard clearances.contains(hazards.keys[hazard]),
                    distance < nearest[structure]?.distance ?? .infinity
                else { continue }
                nearest[structure] = HazardNotice(
                    hazard: hazard, edge: edge, distance: distance, probability: prospect.probability)
            }
        }
        return nearest
    }

    /// Rule 2's exception: hardly anybody who came by drove under, so that the alert that is open will do, if only a notice. Who
    /// has had none yet, as at the begin of a trip, has an alarm: nobody goes on untold.
    func isAlarmNeedless(_ hazard: Int, on candidate: MatchCandidate) -> Bool {
        told.contains(table.structure(hazard)) && isRarelyDrivenUnder(hazard, from: candidate)
    }

    func isRarelyDrivenUnder(_ hazard: Int, from candidate: MatchCandidate) -> Bool {
        behaviour?.record(on: candidate.position.edge)?.isRarelyDrivenUnder(hazards.keys[hazard]) ?? false
    }

    /// That a vehicle on an edge comes to a hazard's structure.
    ///
    /// - Parameter otherwise: as far as the roads tell.
    func probability(of hazard: Int, on candidate: MatchCandidate, otherwise: Double) -> Double {
        guard way == nil, let record = behaviour?.record(on: candidate.position.edge) else { return otherwise }
        return record.probability(of: hazards.keys[hazard], otherwise: otherwise)
    }
}

extension Double {
    fileprivate mutating func raise(to other: Double) { self = Swift.max(self, other) }
}
