import Clearances
import Geo
import Messages
import Roads

/// Moves a vehicle's alerts from stage to stage by what was sighted at one fix.
struct AlertLife {
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

    /// - Parameters:
    ///   - alerts: the open ones about hazards of this kind.
    ///   - reason: why an alert ends whose hazard is none any more for this vehicle.
    func advance(
        _ alerts: inout [OpenAlert], _ sightings: [Sighting], _ candidates: [MatchCandidate],
        otherwise reason: AlertMessage.ClearedReason
    ) -> [AlertMessage] {
        var messages: [AlertMessage] = []
        alerts = alerts.compactMap { alert in
            var alert = alert
            let hazard = hazards.index(of: alert.subject)
            let sighting = sightings.first { $0.hazard == hazard }
            let message = hazard.map { next(&alert, $0, sighting, candidates) } ?? ended(alert, reason)
            if let message {
                alert.last = message
                messages.append(message)
            }
            return message?.stage.isEnd == true ? nil : alert
        }
        let open = Set(alerts.compactMap { hazards.index(of: $0.subject) })
        let endedIDs = Set(messages.filter(\.stage.isEnd).map(\.id))
        for sighting in sightings where sighting.raises && !open.contains(sighting.hazard) {
            guard !isChained(sighting.hazard, to: open, candidates) else { continue }
            guard !isQuieted(sighting.hazard), let alert = raised(by: sighting), !endedIDs.contains(alert.id)
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
        _ alert: inout OpenAlert, _ hazard: Int, _ sighting: Sighting?, _ candidates: [MatchCandidate]
    ) -> AlertMessage? {
        let structures = Structures(network, hazards.table, hazards.table.hazards[hazard])
        let passed = structures.passed(candidates)
        if passed.any { alert.wentUnder = true }
        if passed.last { return .passed(alert.last, at: time) }
        if let sighting {
            alert.wake()
            alert.progress = AlertProgress(sighting, at: fix.time)
            return escalation(of: alert, sighting)
        }
        let patience = candidates.isEmpty ? RuleTime.clearedOffNetworkAfter : RuleTime.clearedAfter
        guard alert.isIdle(at: time, fix, for: patience) else { return nil }
        return alert.wentUnder
            ? .passed(alert.last, at: time) : .cleared(alert.last, at: time, reason: .leftPath)
    }

    /// An alert whose hazard is none for this height, or not on this map.
    private func ended(_ alert: OpenAlert, _ reason: AlertMessage.ClearedReason) -> AlertMessage {
        .cleared(alert.last, at: time, reason: reason)
    }

    private func escalation(of alert: OpenAlert, _ sighting: Sighting) -> AlertMessage? {
        guard let stage = stage(sighting), stage.rank > alert.last.stage.rank else { return nil }
        return message(alert.id, sequence: alert.last.sequence + 1, stage, sighting, detourSoFar: alert.last.detour)
    }

    // MARK: A new one

    private func raised(by sighting: Sighting) -> OpenAlert? {
        guard let stage = stage(sighting) else { return nil }
        let key = network.key(hazards.table.hazards[sighting.hazard].entry)
        let id = DerivedID.of(
            "alert", vehicle.text, "\(key.way)", "\(key.from)", "\(key.to)", "\(fix.time.milliseconds)")
        let message = message(id, sequence: 1, stage, sighting, detourSoFar: nil)
        return OpenAlert(subject: hazards.subject(key), last: message, toldAt: fix.position)
    }

    /// The stage that a sighting calls for; nil where the match is too unsure to tell a driver to stop.
    func stage(_ sighting: Sighting) -> AlertMessage.Stage? {
        if hazards.isUnknown { return .ahead }
        switch sighting.place {
        case .before(_, let distance):
            let near = max(RuleDistance.detourNear, RuleTime.detourNear * speed)
            return distance <= near && !sighting.isSideRoad ? .detour : .ahead
        case .tooLate:
            return sighting.isCertain ? .stop : nil
        case .aside:
            return .ahead
        }
    }

    // MARK: The message

    private func message(
        _ id: String, sequence: Int, _ stage: AlertMessage.Stage, _ sighting: Sighting,
        detourSoFar: AlertMessage.Detour?
    ) -> AlertMessage {
        let hazard = hazards.table.hazards[sighting.hazard]
        let road = network.title(hazard.entry)
        let detour = detour(sighting, hazard) ?? detourSoFar?.behind
        let eta = sighting.distanceToEntry / (speed >= 1 ? speed : network.usualSpeed(hazard.entry))
        let clearance = AlertMessage.Clearance(network.clearance(hazard.clearances[0]))
        let text = AlertText(
            units: units, posted: clearance.posted, road: road, distance: sighting.distanceToEntry,
            turn: turn(sighting), hasWayRound: !hazard.detours.isEmpty, isUnknown: hazards.isUnknown)
        return AlertMessage(
            id: id, sequence: sequence, stage: stage, vehicle: vehicle, time: time,
            expiresAt: time.adding(max(2 * eta, 600)), clearance: clearance, vehicleHeight: height.height,
            margin: height.margin, heightSource: height.source, distance: sighting.distanceToEntry, eta: eta,
            sideRoad: sighting.isSideRoad, detour: detour,
            chain: hazard.clearances.map { network.clearance($0).id }, urgency: stage.urgency,
            severity: stage.severity, certainty: hazards.isUnknown ? .possible : stage.certainty,
            text: sighting.isSideRoad && stage == .ahead ? text.sideRoad(sideRoad(sighting)) : text.of(stage))
    }

    private func detour(_ sighting: Sighting, _ hazard: Hazard) -> AlertMessage.Detour? {
        guard case .before(let decision, let distance) = sighting.place, let index = decision.detour else { return nil }
        let point = hazard.detours[index]
        return AlertMessage.Detour(
            position: network.coordinate(point.junction), distance: distance,
            turnOnto: network.title(point.turnOff), length: point.length, extra: point.extra,
            line: network.line(point.wayRound))
    }

    private func turn(_ sighting: Sighting) -> AlertText.Turn? {
        guard case .before(let decision, let distance) = sighting.place else { return nil }
        return AlertText.Turn(onto: network.title(decision.turnOff), distance: distance)
    }

    /// The road that must not be turned onto.
    private func sideRoad(_ sighting: Sighting) -> AlertText.Turn? {
        switch sighting.place {
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
