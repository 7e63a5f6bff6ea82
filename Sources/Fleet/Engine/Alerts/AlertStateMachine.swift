import Clearances
import Geo
import Hashing
import Messages
import Roads

/// Moves a vehicle's alerts from stage to stage by what was sighted at one fix.
struct AlertStateMachine {
    /// More likely than not: enough to leave a sighting out of what holds an open alert.
    private static let likely = 0.5

    let network: RoadNetwork
    let vehicle: VehicleID
    let hazards: Hazards
    let height: EffectiveHeight
    let fix: Fix
    let time: Timestamp
    /// `AlertEvaluator.moment`.
    let moment: Timestamp
    let speed: MetresPerSecond
    let style: TextStyle
    /// What the vehicle is not told of again for now.
    let quieted: [QuietedAlert]
    /// How probable it must be that a vehicle comes to what it has just passed, for that to be told.
    let minProbability: Double
    /// Whether an alert may begin, or rise to the next stage.
    let mayRaise: Bool
    /// How long it has been at rest; nil: it moves.
    let rest: Seconds?

    /// - Parameter alerts: the open ones about hazards of this kind, in which is noted what is behind the vehicle at this fix.
    func advance(
        _ alerts: inout [OpenAlert], _ assessments: [HazardAssessment], _ notices: [ClearanceID: HazardNotice],
        _ candidates: [MatchCandidate]
    ) -> [AlertMessage] {
        if alerts.isEmpty, assessments.isEmpty, notices.isEmpty { return [] }
        var messages: [AlertMessage] = []
        let sightings = Dictionary(grouping: assessments) { hazards.table.structure($0.hazard) }
        let possibleChains = possibleChains(of: alerts, candidates, onlyAlarms: true)
        let likelyChains = possibleChains.filter { $0.probability >= Self.likely }.map(\.hazard)
        let chains = possibleChains.filter { $0.probability >= HazardWatch.certainty }.map(\.hazard)
        var over: Set<BytewiseText> = []
        // In place: who has several notices open would copy all their messages at every fix.
        for index in alerts.indices {
            guard let hazard = hazards.index(of: alerts[index].subject) else { continue }
            let structure = hazards.table.structure(hazard)
            // What a chain's alert tells of is no other way to what this one is about, such as the way back.
            let sighted = sightings[structure, default: []].filter {
                $0.hazard == hazard || !isChained($0.hazard, to: likelyChains)
            }
            let message =
                end(alerts, at: index)
                ?? (alerts[index].last.attention == .alarm
                    ? next(&alerts[index], hazard, notices[structure], sighted, candidates)
                    : next(&alerts[index], notices[structure], sighted, chains: chains))
            guard let message else { continue }
            alerts[index].last = message
            messages.append(message)
            if message.isFinal { over.insert(message.clearance.$id) }
        }
        alerts.removeAll { $0.last.stage.isEnd }
        guard mayRaise else { return messages }
        messages += raise(&alerts, sightings, candidates, besides: over)
        let closed = Set(messages.filter(\.stage.isEnd).map(\.clearance.$id))
        messages += raise(&alerts, notices, candidates, besides: closed)
        return messages
    }

    /// One alert for each structure that a rule speaks of and no open alert is about: of its entries for the likeliest.
    ///
    /// - Parameter over: structures whose alerts have just ended for as long as the vehicle does not come again.
    private func raise(
        _ alerts: inout [OpenAlert], _ sightings: [ClearanceID: [HazardAssessment]], _ candidates: [MatchCandidate],
        besides over: Set<BytewiseText>
    ) -> [AlertMessage] {
        guard !sightings.isEmpty else { return [] }
        let told = hazards.structures(of: alerts)
        let chains = chains(of: alerts, candidates, onlyAlarms: true)
        var raised: [OpenAlert] = []
        for (structure, sighted) in sightings.sorted(by: { $0.key < $1.key }) where !told.contains(structure) {
            let raising = sighted.filter {
                $0.raises && !isChained($0.hazard, to: chains) && quiet($0) == nil
            }
            guard let assessment = raising.likeliest(besides: nil),
                !over.contains(network.clearance(structure).$id), let alert = self.raised(by: assessment)
            else { continue }
            raised.append(alert)
        }
        alerts += raised
        return raised.map(\.last)
    }

    /// Notes what of the structures of open alerts the vehicle has driven past.
    ///
    /// - Parameter time: as `StraightLineWatch.notePassages` has it.
    func notePassages(
        of alerts: inout [OpenAlert], _ candidates: [MatchCandidate], before time: Timestamp? = nil
    ) {
        guard !alerts.isEmpty else { return }
        let chains = self.chains(of: alerts, enteredBy: candidates)
        let entered = self.entered(candidates).filter { !isChained($0, to: chains) }
        for index in alerts.indices {
            if let time, alerts[index].wasAhead(at: time) { continue }
            guard let hazard = hazards.index(of: alerts[index].subject) else { continue }
            alerts[index].passage.take(candidates, structures(hazard, entered, candidates), network)
        }
    }

    /// Why the vehicle gets no notice of a hazard, or of another entry of the same structure, for now; nil: it does.
    func quiet(_ notice: HazardNotice) -> QuietedAlert? {
        silences(of: hazards.table.structure(notice.hazard)).first { $0.quiets(.notice, at: fix) }
    }

    /// The same of an alarm. One about what has been passed is due all the same where the vehicle would else come to it again
    /// untold.
    func quiet(_ assessment: HazardAssessment) -> QuietedAlert? {
        let mayComeAgain = assessment.isLastChance && rest == nil
        let isLikely = assessment.probability >= minProbability
        return silences(of: hazards.table.structure(assessment.hazard)).first {
            $0.quiets(.alarm, at: fix) && !(mayComeAgain && $0.hasDrivenOn(at: fix, isLikely: isLikely))
        }
    }

    private func silences(of structure: ClearanceID) -> [QuietedAlert] {
        quieted.isEmpty
            ? [] : quieted.filter { hazards.index(of: $0.subject).map(hazards.table.structure) == structure }
    }

    // MARK: An open alert

    /// Whether an open alert ends because the vehicle is through, or stands.
    private func end(_ alerts: [OpenAlert], at index: Int) -> AlertMessage? {
        if alerts[index].passage.wentThrough { return .passed(alerts[index], at: time) }
        if let rest, rest >= RuleTime.clearedRestingAfter {
            return .cleared(alerts[index], at: time, reason: .standing)
        }
        return nil
    }

    /// What to publish of an open alarm now; nil: nothing new.
    ///
    /// - Parameter sighted: all that was sighted of the alert's structure, by whatever entry.
    private func next(
        _ alert: inout OpenAlert, _ hazard: Int, _ notice: HazardNotice?, _ sighted: [HazardAssessment],
        _ candidates: [MatchCandidate]
    ) -> AlertMessage? {
        let here = sighted.filter { isBefore($0.hazard, candidates) }
        let own = here.filter { $0.hazard == hazard }
        let ways = [own, here].first { !$0.isEmpty } ?? sighted
        guard let assessment = ways.likeliest(besides: hazard) else {
            if let notice, notice.keeps(alert) {
                keep(&alert, notice)
                return nil
            }
            let timeout = candidates.isEmpty ? RuleTime.clearedOffNetworkAfter : RuleTime.clearedAfter
            return alert.isIdle(at: moment, fix, for: timeout) ? over(alert) : nil
        }
        let hasLeft = hasLeft(sighted, alert, hazard, for: assessment)
        if hasLeft || areOtherApproaches(sighted, than: alert, candidates) {
            // Right behind each junction the match is not sure, and at rest it may be wrong for long: neither ends an alert, nor says
            // that it is about another approach.
            let isSure = assessment.isCertain && rest == nil
            let isIdle = (isSure || hasLeft) && alert.isIdle(at: moment, fix, for: RuleTime.clearedAfter)
            let isDue = isSure && (isIdle || hasLeft && isSoon(assessment))
            // It ends where the next one begins: nobody goes on untold.
            return isDue && assessment.raises && mayRaise ? over(alert) : nil
        }
        if assessment.hazard != hazard { alert.subject = subject(assessment.hazard) }
        note(assessment, of: &alert)
        return escalation(of: &alert, assessment)
    }

    /// Whether the vehicle most probably is on the low road of a hazard, before its last structure: then the alert is about no
    /// other way to it, such as the one round to its other side, likely as that may be and told of before.
    func isBefore(_ hazard: Int, _ candidates: [MatchCandidate]) -> Bool {
        guard let place = candidates.first?.position,
            hazards.table.zones[network.original(place.edge), default: []].contains(hazard)
        else { return false }
        return structures(hazard).areAhead(of: place)
    }

    /// Takes down that a rule holds for an open alert.
    func note(_ assessment: HazardAssessment, of alert: inout OpenAlert) {
        alert.wake()
        alert.progress = AlertProgress(assessment, at: fix.time)
    }

    func subject(_ hazard: Int) -> OpenAlert.Subject {
        hazards.subject(network.key(hazards.table.hazards[hazard].entry))
    }

    private func over(_ alert: OpenAlert) -> AlertMessage {
        alert.passage.wentUnder ? .passed(alert, at: time) : .cleared(alert, at: time, reason: .leftPath)
    }

    private func escalation(of alert: inout OpenAlert, _ assessment: HazardAssessment) -> AlertMessage? {
        guard mayRaise, let stage = stage(assessment), stage.rank > alert.last.stage.rank else { return nil }
        alert.text = text(stage, assessment, .alarm)
        return message(alert.id, after: alert.last, stage, assessment)
    }

    // MARK: A new one

    private func raised(by assessment: HazardAssessment) -> OpenAlert? {
        stage(assessment).map { opened($0, assessment, .alarm) }
    }

    func opened(
        _ stage: AlertMessage.Stage, _ assessment: HazardAssessment, _ attention: AlertMessage.Attention
    ) -> OpenAlert {
        let subject = subject(assessment.hazard)
        let id = quieted.id(vehicle, subject, at: fix)
        return OpenAlert(
            subject: subject, last: message(id, after: nil, stage, assessment, attention),
            text: text(stage, assessment, attention), toldAt: fix.position)
    }

    /// The stage that a sighting calls for; nil where the match is too unsure to tell a driver to stop.
    func stage(_ assessment: HazardAssessment) -> AlertMessage.Stage? {
        if hazards.isUnknown { return .ahead }
        switch assessment.place {
        case .before(_, let distance):
            let near = max(RuleDistance.detourNear, RuleTime.detourNear * speed)
            return distance <= near && !assessment.isSideRoad && !assessment.isBesideWay ? .detour : .ahead
        case .tooLate:
            // The noise of a truck at rest may put it onto any road beside; and nobody at rest has to be told to stop.
            return assessment.isReportable && rest == nil ? .stop : nil
        case .aside:
            return .ahead
        }
    }
}
