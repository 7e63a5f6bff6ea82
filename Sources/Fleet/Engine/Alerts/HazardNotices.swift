import Clearances
import Geo
import Hashing
import Messages
import Roads

/// A hazard that the vehicle may come to by some legal way, likely or not.
struct HazardNotice {
    /// A vehicle's state names all open alerts. Nobody looks at more; the nearest are shown.
    static let countMax = 32

    /// Position in the table's `hazards`.
    var hazard: Int
    /// The edge that the vehicle is on.
    var edge: EdgeID
    /// To the last turn-off on the shortest way there.
    var distance: Metres
    /// That the vehicle comes there.
    var probability: Double
    /// Whether it may come to the structure by ways on which it comes ever nearer, so that it need not turn round first, with a
    /// last turn-off within the distance of rule 1.
    var isApproaching = false
}

extension HazardWatch {
    /// Rule 3, by structure: where a decision lies within the distance of rule 1 on any legal way there is a notice, and one that
    /// is open is kept somewhat farther. From tables alone: a fix costs a look-up.
    func notices(_ candidates: [MatchCandidate]) -> [ClearanceID: HazardNotice] {
        guard let ways = hazards.ways else { return [:] }
        var nearest: [ClearanceID: HazardNotice] = [:]
        for candidate in candidates where candidate.probability >= Self.probabilityMin {
            let edge = candidate.start.edge
            let rest = max(0, network.length(edge) - candidate.position.offset)
            for prospect in ways.prospects(on: edge) where prospect.distance >= 0 {
                let distance = rest + prospect.distance
                if told.isEmpty, distance > reach { break }
                let hazard = prospect.hazard(in: hazards.table)
                let structure = hazards.table.structure(hazard)
                guard told.contains(structure) || distance <= reach && isRelevant(hazard, at: candidate.position)
                else { continue }
                let known = nearest[structure]
                var notice = HazardNotice(hazard: hazard, edge: edge, distance: distance, probability: 0)
                if let known, known.distance <= distance { notice = known }
                notice.isApproaching =
                    known?.isApproaching == true || prospect.probability > 0 && distance <= reach
                nearest[structure] = notice
            }
        }
        for structure in nearest.keys where !told.contains(structure) {
            let probability = probability(of: structure, candidates) ?? 0
            nearest[structure]?.probability = probability
            if probability < settings.alerts.noticeProbability, !isNoticeNeeded(nearest[structure], candidates) {
                nearest[structure] = nil
            }
        }
        return nearest
    }

    /// The same sighting, with the probability that all ways together give it.
    func weighed(_ assessment: HazardAssessment, _ candidates: [MatchCandidate]) -> HazardAssessment {
        guard let all = probability(of: hazards.table.structure(assessment.hazard), candidates) else {
            return assessment
        }
        var assessment = assessment
        // On the path the fleet's own turns count too; off it a rule looks at the last turn alone.
        assessment.probability = assessment.isSideRoad ? all : max(all, assessment.probability)
        return assessment
    }

    /// Whether a notice has to do where rule 2 raises no alarm.
    private func isNoticeNeeded(_ notice: HazardNotice?, _ candidates: [MatchCandidate]) -> Bool {
        guard let notice else { return false }
        return candidates.contains { isRarelyDrivenUnder(notice.hazard, from: $0) }
    }

    /// That the vehicle comes to a structure, by whatever entry, as the roads look and vehicles did; nil where no table tells.
    func probability(of structure: ClearanceID, _ candidates: [MatchCandidate]) -> Double? {
        let known = candidates.compactMap { candidate -> Double? in
            let likeliest = hazards.ways?.prospects(on: candidate.start.edge)
                .filter { hazards.table.structure($0.hazard(in: hazards.table)) == structure }
                .max { $0.probability < $1.probability }
            guard let likeliest else { return nil }
            let hazard = likeliest.hazard(in: hazards.table)
            return candidate.probability * probability(of: hazard, on: candidate, otherwise: likeliest.probability)
        }
        return known.isEmpty ? nil : min(1, known.reduce(0, +))
    }
}

extension HazardNotice {
    /// Whether an open alert stays open by it. Who was told that a structure lies ahead is not told the same again some streets
    /// on: that alarm is over once the vehicle drives away from it. Who was told to turn off, and has, is told so at once.
    func keeps(_ alert: OpenAlert) -> Bool {
        alert.last.attention == .notice || alert.last.stage == .ahead && isApproaching
    }

    /// As a rule sees it; nil where the way there is not known.
    func assessment(_ hazards: Hazards, _ network: RoadNetwork) -> HazardAssessment? {
        guard let decision = hazards.ways?.nextDecision(before: hazard, after: edge, network, hazards.table) else {
            return nil
        }
        return HazardAssessment(
            hazard: hazard, place: .before(decision, distance: distance),
            distanceToEntry: distance + decision.distanceToEntry, isSideRoad: true, isCertain: false, raises: true,
            probability: probability)
    }
}

extension AlertStateMachine {
    /// Begins a notice of each structure that one is due for and no open alert is about.
    ///
    /// - Parameter over: structures whose alerts have just ended.
    func raise(
        _ alerts: inout [OpenAlert], _ notices: [ClearanceID: HazardNotice], _ candidates: [MatchCandidate],
        besides over: Set<BytewiseText>
    ) -> [AlertMessage] {
        guard !notices.isEmpty else { return [] }
        let told = hazards.structures(of: alerts)
        guard notices.contains(where: { !told.contains($0.key) }) else { return [] }
        let chains = chains(of: alerts, candidates, onlyAlarms: false)
        let room = max(0, HazardNotice.countMax - alerts.count)
        let nearest = notices.lazy.filter { !told.contains($0.key) }.sorted {
            ($0.value.distance, $0.key) < ($1.value.distance, $1.key)
        }
        var begun: [OpenAlert] = []
        for (structure, notice) in nearest where begun.count < room {
            guard !over.contains(network.clearance(structure).$id),
                quiet(notice) == nil, !isChained(notice.hazard, to: chains),
                let alert = raised(by: notice)
            else { continue }
            begun.append(alert)
        }
        alerts += begun
        return begun.map(\.last)
    }

    private func raised(by notice: HazardNotice) -> OpenAlert? {
        notice.assessment(hazards, network).map { opened(.ahead, $0, .notice) }
    }

    /// What becomes of an open notice: where a rule calls for an alarm it becomes one, under the same id.
    ///
    /// - Parameters:
    ///   - sighted: what calls for an alarm about its structure, or would keep one open.
    ///   - chains: that the vehicle is in and open alarms tell of.
    func next(
        _ alert: inout OpenAlert, _ notice: HazardNotice?, _ sighted: [HazardAssessment], chains: [Int]
    ) -> AlertMessage? {
        let raising = sighted.filter { $0.raises && !isChained($0.hazard, to: chains) }
        if mayRaise, let assessment = raising.likeliest(besides: nil), let stage = stage(assessment) {
            alert.subject = subject(assessment.hazard)
            note(assessment, of: &alert)
            alert.text = text(stage, assessment, .alarm)
            return message(alert.id, after: alert.last, stage, assessment)
        }
        if let notice {
            keep(&alert, notice)
            return nil
        }
        if let sighted = sighted.likeliest(besides: hazards.index(of: alert.subject)) {
            alert.subject = subject(sighted.hazard)
            note(sighted, of: &alert)
            return nil
        }
        return alert.isIdle(at: moment, fix, for: RuleTime.noticeClearedAfter)
            ? .cleared(alert, at: time, reason: .leftPath) : nil
    }

    /// Notes that some legal way still leads to the structure of an open alert.
    func keep(_ alert: inout OpenAlert, _ notice: HazardNotice) {
        alert.wake()
        let behind = alert.last.detour.map { alert.last.distance - $0.distance } ?? 0
        alert.progress = AlertProgress(
            time: fix.time, distance: notice.distance + behind, detourDistance: notice.distance)
    }
}
