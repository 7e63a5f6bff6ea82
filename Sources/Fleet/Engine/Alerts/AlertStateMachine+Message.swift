import Clearances
import Geo
import Messages
import Roads

/// What is published of an alert.
extension AlertStateMachine {
    /// - Parameter last: the stage before; nil: it is the first.
    func message(
        _ id: String, after last: AlertMessage?, _ stage: AlertMessage.Stage, _ assessment: HazardAssessment,
        _ attention: AlertMessage.Attention = .alarm
    ) -> AlertMessage {
        let hazard = hazards.table.hazards[assessment.hazard]
        let detour = detour(assessment, hazard, attention, after: last)
        let eta = assessment.distanceToEntry / (speed >= 1 ? speed : network.usualSpeed(hazard.entry))
        let clearance = AlertMessage.Clearance(network.clearance(hazard.structures[0]))
        let time = time.following(last)
        return AlertMessage(
            id: id, sequence: (last?.sequence ?? 0) + 1, stage: stage, attention: attention,
            probability: assessment.probability, vehicle: vehicle, time: time,
            expiresAt: time.adding(max(2 * eta, 600)), clearance: clearance, vehicleHeight: height.height,
            margin: height.margin, heightSource: height.source, distance: assessment.distanceToEntry, eta: eta,
            sideRoad: assessment.isSideRoad, detour: detour,
            chain: hazard.structures.map { network.clearance($0).id }, urgency: stage.urgency,
            severity: stage.severity,
            certainty: hazards.isUnknown || attention == .notice ? .possible : stage.certainty,
            text: text(stage, assessment, attention).of(stage))
    }

    /// - Parameter stage: that it is for; only the first tells what not to turn onto.
    func text(
        _ stage: AlertMessage.Stage, _ assessment: HazardAssessment, _ attention: AlertMessage.Attention
    ) -> AlertText {
        let hazard = hazards.table.hazards[assessment.hazard]
        let isSideRoad = assessment.isSideRoad && stage == .ahead && attention == .alarm
        return AlertText(
            kind: attention == .notice ? .notice : isSideRoad ? .sideRoad : .road, style: style,
            posted: network.clearance(hazard.structures[0]).posted, road: network.title(hazard.entry),
            distance: assessment.distanceToEntry, turn: isSideRoad ? sideRoad(assessment) : turn(assessment),
            hasDetour: hasDetour(assessment, hazard), isUnknown: hazards.isUnknown)
    }

    /// A way without a detour may lead to a structure that has one on others.
    private func hasDetour(_ assessment: HazardAssessment, _ hazard: Hazard) -> Bool {
        if case .before(let decision, _) = assessment.place { decision.detour != nil } else { !hazard.detours.isEmpty }
    }

    /// Of a notice without its line: a state would be many times as long for what is most likely not driven. Where it is too late it is
    /// that of the stage before, now behind. Elsewhere that may be of another way, and still ahead: then there is none.
    private func detour(
        _ assessment: HazardAssessment, _ hazard: Hazard, _ attention: AlertMessage.Attention,
        after last: AlertMessage?
    ) -> AlertMessage.Detour? {
        if case .tooLate = assessment.place { return last?.detour?.behind }
        guard case .before(let decision, let distance) = assessment.place, let index = decision.detour else {
            return nil
        }
        let point = hazard.detours[index]
        return AlertMessage.Detour(
            position: network.coordinate(point.junction), distance: distance,
            turnOnto: network.title(point.turnOff), length: point.length, extra: point.extra,
            line: attention == .notice ? [] : network.line(point.edges))
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
    var behind: AlertMessage.Detour {
        var detour = self
        detour.distance = 0
        return detour
    }
}
