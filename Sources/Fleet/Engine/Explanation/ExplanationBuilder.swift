import Clearances
import Geo
import Messages
import Roads

/// Asks the rules about one vehicle as it stands, and puts the answers together.
struct ExplanationBuilder {
    let evaluator: AlertEvaluator
    let vehicle: Vehicle
    /// The newest.
    let fix: Fix

    private var settings: EngineSettings { evaluator.settings }
    private var candidates: [MatchCandidate] { vehicle.roads.compactMap(\.candidate) }
    private var radius: Metres { rules.alertDistance + rules.untilNextFix + Explanation.beyond }

    var explanation: Explanation {
        let found = (onRoads + StraightLineExplainer(evaluator, vehicle, fix, rules: rules).clearances(within: radius))
            .sorted { ($0.distance, $0.id) < ($1.distance, $1.id) }
        let near = found.filter { $0.distance <= radius }
        let last = near.prefix(Explanation.clearancesMax).last?.distance ?? 0
        let shown = found.filter { $0.distance <= last || $0.isSpokenOf }
        var explanation = Explanation(
            vehicle: vehicle.id.text, time: evaluator.time, units: evaluator.settings.textStyle(of: vehicle).units,
            fix: usedFix,
            height: height, place: place, path: path, rules: rules, clearances: shown,
            clearancesLeftOut: near.count - shown.count { $0.distance <= radius })
        explanation.setUnits(explanation.units)
        return explanation
    }

    // MARK: The vehicle

    private var usedFix: Explanation.UsedFix {
        let interval = vehicle.reportInterval(settings)
        return Explanation.UsedFix(
            lat: fix.position.latitude, lon: fix.position.longitude, age: evaluator.time.since(fix.time),
            isJudged: evaluator.isNew(fix), accuracy: fix.accuracyOrAssumed,
            isAccuracyAssumed: fix.accuracy == nil,
            speed: fix.speed == nil && vehicle.gaps.fixes.isEmpty ? nil : vehicle.speed,
            course: vehicle.course, interval: interval,
            intervalSource: vehicle.gaps.interval.map { $0 == interval ? .measured : .bounded } ?? .assumed)
    }

    private var height: Explanation.Height {
        let height = evaluator.height
        return Explanation.Height(
            effective: Metres(height.effective) / 100, height: Metres(height.height) / 100, margin: height.margin,
            source: height.source, status: height.status)
    }

    private var rules: Explanation.Rules {
        let alerts = settings.alerts
        let interval = vehicle.reportInterval(settings)
        return Explanation.Rules(
            alertDistance: max(alerts.distance, alerts.leadTime * vehicle.speed),
            untilNextFix: vehicle.speed * interval, minProbability: alerts.minProbability,
            notice: alerts.notice + interval, certainty: HazardWatch.certainty, serviceRoads: alerts.serviceRoads,
            unknown: alerts.unknown.rawValue)
    }

    private var place: Explanation.Place {
        guard let network = evaluator.network else { return Explanation.Place(status: .noRoads, candidates: []) }
        let candidates = candidates.map { candidate in
            Explanation.Place.Candidate(
                road: network.title(candidate.position.edge), way: network.wayID(candidate.position.edge),
                offset: candidate.position.offset, probability: candidate.probability)
        }
        return Explanation.Place(status: candidates.isEmpty ? .offNetwork : .onRoad, candidates: candidates)
    }

    // MARK: The path

    /// As far as rule 1 looks for a last turn-off, or farther.
    private func expectedPath(within reach: Metres) -> ExpectedPath? {
        guard let network = evaluator.network, let best = candidates.first else { return nil }
        let way = vehicle.guidance.wayFollowed
        return ExpectedPath(
            network, evaluator.model, from: way?.position ?? best.start, along: way?.remaining, within: reach)
    }

    private var path: Explanation.Path? {
        guard let network = evaluator.network else { return nil }
        let isFollowed = vehicle.guidance.wayFollowed != nil
        let kind: Explanation.Path.Kind =
            switch vehicle.guidance.route {
            case .line where isFollowed: .knownRoute
            case .waypoints where isFollowed: .waypoints
            default: .mostProbable
            }
        return expectedPath(within: rules.alertDistance + rules.untilNextFix).map { path in
            Explanation.Path(
                kind: kind, hasLeftRoute: vehicle.guidance.route != nil && !isFollowed,
                stretches: path.stretches(network), line: Explanation.Path.Line(path.line(network)))
        }
    }

    // MARK: Clearances on roads

    private var onRoads: [Explanation.Clearance] {
        guard let network = evaluator.network, let hazards = evaluator.hazards else { return [] }
        let path = Set(expectedPath(within: 2 * radius)?.steps.map { network.original($0.edge) } ?? [])
        let inquiries = [hazards.low, hazards.unknown].compactMap(\.self).map { kind in
            HazardExplainer(evaluator, vehicle, fix, kind, on: network, path: path, farReach: 2 * radius)
        }
        return (0..<network.clearanceCount).map { ClearanceID($0) }.compactMap { id in
            guard network.status(id) != .unsnapped else { return nil }
            let clearance = network.clearance(id)
            var explained = Explanation.Clearance(
                clearance, from: fix.position, height: evaluator.height, settings)
            if case .merged(let other) = network.status(id) { explained.mergedInto = network.clearance(other).id }
            let isSpokenOf = inquiries.contains { $0.isSpokenOf(id) }
            guard explained.distance <= radius || isSpokenOf else { return nil }
            explained.hazards = inquiries.flatMap { $0.hazards(of: id) }
            return explained
        }
    }
}

extension Explanation.Clearance {
    init(_ clearance: Clearances.Clearance, from place: Coordinate, height: EffectiveHeight, _ settings: EngineSettings)
    {
        let verdict = clearance.reading.verdict(
            height: height.effective, legalDefault: settings.heights.legalDefault)
        let limit: Metres? = if case .limit(let limit) = clearance.reading { Metres(limit) / 100 } else { nil }
        self.init(
            id: clearance.id, name: clearance.name, lat: clearance.position.latitude, lon: clearance.position.longitude,
            posted: clearance.posted, limit: limit, source: clearance.source,
            distance: place.distance(to: clearance.position), verdict: Verdict(verdict),
            isLegalDefault: clearance.reading == .legalDefault,
            isTold: verdict == .tooLow || settings.alerts.tells(of: clearance, verdict), mergedInto: nil, hazards: [],
            straightLine: nil)
    }

    /// Whether an alert or a rule is about it.
    var isSpokenOf: Bool {
        hazards.contains { $0.rule != nil || $0.alert != nil } || straightLine?.isDue == true
            || straightLine?.alert != nil
    }
}

extension Explanation.Clearance.Verdict {
    init(_ verdict: Clearances.Verdict) {
        self =
            switch verdict {
            case .fits: .fits
            case .tooLow: .tooLow
            case .unknown: .unknown
            }
    }
}

extension Explanation.Hazard.Alert {
    init(_ alert: OpenAlert, at time: Timestamp) {
        self.init(
            id: alert.id, stage: alert.last.stage, attention: alert.last.attention,
            idle: alert.idleSince.map { time.since($0) })
    }
}
