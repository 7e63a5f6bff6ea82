import Clearances
import Geo
import Messages
import Roads

/// Moves a vehicle's alerts about clearances that limit no known road. They say `Possible`: a straight line is no road.
struct StraightLineStateMachine {
    let watch: StraightLineWatch
    let vehicle: VehicleID
    let height: EffectiveHeight
    let settings: EngineSettings
    let fix: Fix
    /// Where the vehicle was at the fix before; nil: it is judged once more where it is.
    let previous: Coordinate?
    let time: Timestamp
    /// `AlertEvaluator.moment`.
    let moment: Timestamp
    let style: TextStyle
    /// What a vehicle that stands is not told of again, among others.
    let quieted: [QuietedAlert]
    /// Whether an alert may begin, or rise to the next stage.
    let mayRaise: Bool
    /// How long it has been at rest; nil: it moves.
    let rest: Seconds?

    func advance(_ alerts: inout [OpenAlert]) -> [AlertMessage] {
        if let previous { watch.notePassages(of: &alerts, from: previous) }
        var messages: [AlertMessage] = []
        alerts = alerts.compactMap { alert in
            var alert = alert
            guard let message = next(&alert) else { return alert }
            alert.last = message
            messages.append(message)
            return message.stage.isEnd ? nil : alert
        }
        guard mayRaise else { return messages }
        let known = Set(alerts.map(\.subject)).union(messages.map { .straightLine(clearance: $0.clearance.$id) })
            .union(quieted.filter { $0.quiets(.alarm, at: fix) }.map(\.subject))
        for assessment in watch.assessments()
        where assessment.isDue && settings.warns(of: assessment.clearance, height: height.effective) {
            let subject = OpenAlert.Subject.straightLine(clearance: assessment.clearance.$id)
            guard !known.contains(subject) else { continue }
            let id = quieted.id(vehicle, subject, at: fix)
            let alert = OpenAlert(
                subject: subject, last: message(id, after: nil, assessment), text: text(assessment),
                toldAt: fix.position)
            alerts.append(alert)
            messages.append(alert.last)
        }
        return messages
    }

    private func next(_ alert: inout OpenAlert) -> AlertMessage? {
        guard let clearance = watch.map.clearance(alert.last.clearance.$id) else { return nil }
        if alert.passage.wentThrough { return .passed(alert, at: time) }
        if let rest, rest >= RuleTime.clearedRestingAfter { return .cleared(alert, at: time, reason: .standing) }
        guard let assessment = watch.assessment(clearance) else {
            return alert.isIdle(at: moment, fix, for: RuleTime.clearedAfter)
                ? .cleared(alert, at: time, reason: .leftPath) : nil
        }
        alert.wake()
        alert.progress = AlertProgress(
            time: fix.time, distance: assessment.distance, detourDistance: assessment.detour?.distance)
        guard mayRaise, stage(assessment).rank > alert.last.stage.rank else { return nil }
        alert.text = text(assessment)
        return message(alert.id, after: alert.last, assessment)
    }

    private func stage(_ assessment: StraightLineAssessment) -> AlertMessage.Stage {
        guard case .limit = assessment.clearance.reading else { return .ahead }
        if assessment.isTooLate { return .stop }
        guard let detour = assessment.detour else { return .ahead }
        return detour.distance <= max(RuleDistance.detourNear, RuleTime.detourNear * watch.speed) ? .detour : .ahead
    }

    /// - Parameter last: the stage before; nil: it is the first.
    private func message(
        _ id: String, after last: AlertMessage?, _ assessment: StraightLineAssessment
    ) -> AlertMessage {
        let stage = stage(assessment)
        let clearance = AlertMessage.Clearance(assessment.clearance)
        let detour = assessment.detour.map { detour in
            AlertMessage.Detour(
                position: detour.position, distance: detour.distance, turnOnto: nil, length: nil, extra: nil, line: [])
        }
        // Whoever stands still comes there some time; a walking pace bounds how long that may be.
        let eta = assessment.distance / max(watch.speed, 1)
        let time = time.following(last)
        return AlertMessage(
            id: id, sequence: (last?.sequence ?? 0) + 1, stage: stage, attention: .alarm, probability: 0.5,
            vehicle: vehicle, time: time, expiresAt: time.adding(max(2 * eta, 600)), clearance: clearance,
            vehicleHeight: height.height,
            margin: height.margin, heightSource: height.source, distance: assessment.distance, eta: eta,
            sideRoad: false, detour: detour, chain: [clearance.id], urgency: stage.urgency, severity: stage.severity,
            certainty: .possible, text: text(assessment).of(stage))
    }

    private func text(_ assessment: StraightLineAssessment) -> AlertText {
        let clearance = AlertMessage.Clearance(assessment.clearance)
        return AlertText(
            kind: .straightLine, style: style, posted: clearance.posted,
            road: clearance.name.isEmpty ? nil : clearance.name, distance: assessment.distance,
            turn: assessment.detour.map { AlertText.Turn(onto: nil, distance: $0.distance) }, hasDetour: true,
            isUnknown: clearance.verdict == .unknown)
    }
}
