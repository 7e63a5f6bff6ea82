import Clearances
import Geo
import Messages
import Roads

/// Moves a vehicle's alerts from stage to stage by what was sighted at one fix.
struct AlertStateMachine {
    let network: RoadNetwork
    let vehicle: VehicleID
    let hazards: Hazards
    let height: EffectiveHeight
    let fix: Fix
    let time: Timestamp
    let speed: MetresPerSecond
    let units: UnitSystem
    /// What a vehicle that stands is not told of again.
    let quieted: Set<OpenAlert.Subject>
    /// Whether an alert may begin, or rise to the next stage.
    let mayRaise: Bool

    /// - Parameters:
    ///   - alerts: the open ones about hazards of this kind.
    ///   - reason: why an alert ends whose hazard is none any more for this vehicle.
    func advance(
        _ alerts: inout [OpenAlert], _ assessments: [HazardAssessment], _ candidates: [MatchCandidate],
        otherwise reason: AlertMessage.ClearedReason
    ) -> [AlertMessage] {
        var messages: [AlertMessage] = []
        alerts = alerts.compactMap { alert in
            var alert = alert
            let hazard = hazards.index(of: alert.subject)
            let assessment = assessments.first { $0.hazard == hazard }
            let message = hazard.map { next(&alert, $0, assessment, candidates) } ?? ended(alert, reason)
            if let message {
                alert.last = message
                messages.append(message)
            }
            return message?.stage.isEnd == true ? nil : alert
        }
        guard mayRaise else { return messages }
        let open = Set(alerts.compactMap { hazards.index(of: $0.subject) })
        let endedIDs = Set(messages.filter(\.stage.isEnd).map(\.id))
        for assessment in assessments where assessment.raises && !open.contains(assessment.hazard) {
            guard !isChained(assessment.hazard, to: open, candidates) else { continue }
            guard !isQuieted(assessment.hazard), let alert = raised(by: assessment), !endedIDs.contains(alert.id)
            else { continue }
            alerts.append(alert)
            messages.append(alert.last)
        }
        return messages
    }

    /// Ends the alerts whose hazard is none any more; of a vehicle whose place is not known now nothing else is certain.
    func end(_ alerts: inout [OpenAlert], _ reason: AlertMessage.ClearedReason) -> [AlertMessage] {
        let obsolete = alerts.filter { hazards.index(of: $0.subject) == nil }
        alerts.removeAll { hazards.index(of: $0.subject) == nil }
        return obsolete.map { ended($0, reason) }
    }

    /// Whether a hazard is a later part of a chain that the vehicle is in the middle of and an open alert tells of.
    func isChained(_ hazard: Int, to open: Set<Int>, _ candidates: [MatchCandidate]) -> Bool {
        guard let best = candidates.first, best.probability >= HazardWatch.certainty else { return false }
        let entry = network.original(hazards.table.hazards[hazard].entry)
        let chains = hazards.table.zones[best.position.edge, default: []].filter { open.contains($0) }
        return chains.contains { hazards.table.zones[entry, default: []].contains($0) }
    }

    /// Whether the vehicle stands where an alert about that hazard was cleared.
    func isQuieted(_ hazard: Int) -> Bool {
        !quieted.isEmpty && quieted.contains(hazards.subject(network.key(hazards.table.hazards[hazard].entry)))
    }

    // MARK: An open alert

    /// What to publish of an open alert now; nil: nothing new.
    private func next(
        _ alert: inout OpenAlert, _ hazard: Int, _ assessment: HazardAssessment?, _ candidates: [MatchCandidate]
    ) -> AlertMessage? {
        let structures = Structures(network, hazards.table, hazards.table.hazards[hazard])
        let passed = structures.passed(candidates)
        if passed.any { alert.wentUnder = true }
        if passed.last { return .passed(alert.last, at: time) }
        if let assessment {
            alert.wake()
            alert.progress = AlertProgress(assessment, at: fix.time)
            return escalation(of: alert, assessment)
        }
        let timeout = candidates.isEmpty ? RuleTime.clearedOffNetworkAfter : RuleTime.clearedAfter
        guard alert.isIdle(at: time, fix, for: timeout) else { return nil }
        return alert.wentUnder
            ? .passed(alert.last, at: time) : .cleared(alert.last, at: time, reason: .leftPath)
    }

    /// An alert whose hazard is none for this height, or not on this map.
    private func ended(_ alert: OpenAlert, _ reason: AlertMessage.ClearedReason) -> AlertMessage {
        .cleared(alert.last, at: time, reason: reason)
    }

    private func escalation(of alert: OpenAlert, _ assessment: HazardAssessment) -> AlertMessage? {
        guard mayRaise, let stage = stage(assessment), stage.rank > alert.last.stage.rank else { return nil }
        return message(alert.id, after: alert.last, stage, assessment)
    }

    // MARK: A new one

    private func raised(by assessment: HazardAssessment) -> OpenAlert? {
        guard let stage = stage(assessment) else { return nil }
        let key = network.key(hazards.table.hazards[assessment.hazard].entry)
        let id = DerivedID.of(
            "alert", vehicle.text, "\(key.way)", "\(key.from)", "\(key.to)", "\(fix.time.milliseconds)")
        return OpenAlert(
            subject: hazards.subject(key), last: message(id, after: nil, stage, assessment), toldAt: fix.position)
    }

    /// The stage that a sighting calls for; nil where the match is too unsure to tell a driver to stop.
    func stage(_ assessment: HazardAssessment) -> AlertMessage.Stage? {
        if hazards.isUnknown { return .ahead }
        switch assessment.place {
        case .before(_, let distance):
            let near = max(RuleDistance.detourNear, RuleTime.detourNear * speed)
            return distance <= near && !assessment.isSideRoad ? .detour : .ahead
        case .tooLate:
            return assessment.isCertain ? .stop : nil
        case .aside:
            return .ahead
        }
    }

    // MARK: The message

    /// - Parameter last: the stage before; nil: it is the first.
    private func message(
        _ id: String, after last: AlertMessage?, _ stage: AlertMessage.Stage, _ assessment: HazardAssessment
    ) -> AlertMessage {
        let hazard = hazards.table.hazards[assessment.hazard]
        let road = network.title(hazard.entry)
        let detour = detour(assessment, hazard) ?? last?.detour?.behind
        let eta = assessment.distanceToEntry / (speed >= 1 ? speed : network.usualSpeed(hazard.entry))
        let clearance = AlertMessage.Clearance(network.clearance(hazard.clearances[0]))
        let text = AlertText(
            units: units, posted: clearance.posted, road: road, distance: assessment.distanceToEntry,
            turn: turn(assessment), hasDetour: !hazard.detours.isEmpty, isUnknown: hazards.isUnknown)
        let time = time.following(last)
        return AlertMessage(
            id: id, sequence: (last?.sequence ?? 0) + 1, stage: stage, vehicle: vehicle, time: time,
            expiresAt: time.adding(max(2 * eta, 600)), clearance: clearance, vehicleHeight: height.height,
            margin: height.margin, heightSource: height.source, distance: assessment.distanceToEntry, eta: eta,
            sideRoad: assessment.isSideRoad, detour: detour,
            chain: hazard.clearances.map { network.clearance($0).id }, urgency: stage.urgency,
            severity: stage.severity, certainty: hazards.isUnknown ? .possible : stage.certainty,
            text: assessment.isSideRoad && stage == .ahead ? text.sideRoad(sideRoad(assessment)) : text.of(stage))
    }

    private func detour(_ assessment: HazardAssessment, _ hazard: Hazard) -> AlertMessage.Detour? {
        guard case .before(let decision, let distance) = assessment.place, let index = decision.detour else {
            return nil
        }
        let point = hazard.detours[index]
        return AlertMessage.Detour(
            position: network.coordinate(point.junction), distance: distance,
            turnOnto: network.title(point.turnOff), length: point.length, extra: point.extra,
            line: network.line(point.edges))
    }

    private func turn(_ assessment: HazardAssessment) -> AlertText.Turn? {
        guard case .before(let decision, let distance) = assessment.place else { return nil }
        return AlertText.Turn(onto: network.title(decision.turnOff), distance: distance)
    }

    /// The road that must not be turned onto.
    private func sideRoad(_ assessment: HazardAssessment) -> AlertText.Turn? {
        switch assessment.place {
        case .before(let decision, let distance): AlertText.Turn(onto: network.title(decision.next), distance: distance)
        case .aside(let turn, let distance): AlertText.Turn(onto: network.title(turn), distance: distance)
        case .tooLate: nil
        }
    }
}

extension RoadNetwork {
    /// The points of several edges, one behind the other; shared ends once.
    fileprivate func line(_ edges: [EdgeID]) -> [Coordinate] {
        edges.reduce(into: []) { line, edge in line += self.line(edge).dropFirst(line.isEmpty ? 0 : 1) }
    }
}

extension AlertMessage.Clearance {
    init(_ clearance: Clearances.Clearance) {
        let limit: Centimetres? = if case .limit(let limit) = clearance.reading { limit } else { nil }
        self.init(
            id: clearance.id, name: clearance.name, height: limit, posted: clearance.posted, source: clearance.source,
            verdict: limit == nil ? .unknown : .tooLow, position: clearance.position)
    }
}

extension AlertMessage.Detour {
    /// The same place once it has been passed.
    fileprivate var behind: AlertMessage.Detour {
        var detour = self
        detour.distance = 0
        return detour
    }
}
