import Geo
import Messages
import Roads

/// Moves one vehicle's alerts at one moment: every rule, for every kind of hazard, and what becomes of what is open.
struct AlertEvaluator {
    let network: RoadNetwork?
    let straightLine: StraightLineMap
    /// Nil without a road file, and as long as they are awaited.
    let hazards: HeightHazards?
    let settings: EngineSettings
    let model: TurnModel
    let history: HazardHistory
    /// For a vehicle whose route is known.
    let guide: RouteGuide?
    let height: EffectiveHeight
    let time: Timestamp
    /// When it is judged; after `time` where a deadline is overdue.
    let now: Timestamp
    /// As of when it is known how the vehicle moved: of its newest fix, or the deadline. Alerts are idle, and vehicles at rest,
    /// by this: how long a change took to come says nothing of that.
    let moment: Timestamp
    /// By when a fix is old: what has waited does not make it older than it was.
    let ageTime: Timestamp
    /// Why it is judged, and so why an alert ends whose hazard is none any more.
    let reason: AlertMessage.ClearedReason

    /// By the newest fix, as long as that says where the vehicle is now. What is no hazard any more ends without it.
    ///
    /// - Parameter previous: the fix before, where this one is what is new.
    func advance(_ vehicle: inout Vehicle, _ fix: Fix, after previous: Fix?) -> [AlertMessage] {
        vehicle.forgetQuieted(at: fix, after: previous, on: network)
        vehicle.noteRest(at: fix)
        let mayBegin = mayBegin(for: vehicle)
        if vehicle.alerts.isEmpty, !mayBegin, straightLine.count == 0 { return [] }
        let before = vehicle.alerts.indices.map {
            (id: vehicle.alerts[$0].id, subject: vehicle.alerts[$0].subject, stage: vehicle.alerts[$0].last.stage)
        }
        var (low, unknown, straight) = vehicle.alerts.takeBySubject()
        let candidates = vehicle.roads.compactMap(\.candidate)
        var messages: [AlertMessage] = []
        func tell(_ more: [AlertMessage]) { if !more.isEmpty { messages += more } }
        // What is over is told before anything begins: an unknown height may have become a low one.
        tell(end(&low, fix, hazards?.low))
        tell(end(&unknown, fix, hazards?.unknown))
        tell(endStraight(&straight, fix))
        tell(advance(&low, of: vehicle, fix, hazards?.low, candidates, mayBegin: mayBegin))
        tell(advance(&unknown, of: vehicle, fix, hazards?.unknown, candidates, mayBegin: mayBegin))
        tell(advanceStraight(&straight, of: vehicle, fix, after: previous))
        vehicle.alerts = unknown.isEmpty && straight.isEmpty ? low : low + unknown + straight
        vehicle.noteQuieted(before, messages, at: fix)
        forgetDriven(by: &vehicle)
        return messages
    }

    /// What the newest fix says where it comes too late to move an alert: where the vehicle stands, what it is told of again, and what
    /// of the structures of open alerts is behind. `passed` follows with the next fix in time.
    ///
    /// - Parameter previous: the fix before, in time.
    func noteLate(_ fix: Fix, of vehicle: inout Vehicle, after previous: Fix?) {
        let fix = vehicle.judged(fix)
        vehicle.forgetQuieted(at: fix, after: previous, on: network)
        vehicle.noteRest(at: fix)
        guard !vehicle.alerts.isEmpty else { return }
        if let previous, let watch = straightLineWatch(of: vehicle, fix) {
            watch.notePassages(of: &vehicle.alerts, from: previous.position)
        }
        noteRoadPassages(fix, of: &vehicle)
        forgetDriven(by: &vehicle)
    }

    /// What has been driven since the fix before counts once, and for no alert that begins with this fix: a vehicle that is judged by
    /// it again, as at a deadline, has not driven on.
    private func forgetDriven(by vehicle: inout Vehicle) {
        if hazards != nil, !vehicle.alerts.isEmpty { vehicle.forgetRoutes() }
    }

    /// Notes what the vehicle has driven past on the roads that it has been found on.
    ///
    /// - Parameter time: as `StraightLineWatch.notePassages` has it.
    func noteRoadPassages(_ fix: Fix, of vehicle: inout Vehicle, before time: Timestamp? = nil) {
        guard let network else { return }
        let candidates = vehicle.roads.compactMap(\.candidate)
        // Of each kind, which finds its own alerts.
        for kind in [hazards?.low, hazards?.unknown].compactMap(\.self) {
            let machine = stateMachine(of: vehicle, fix, kind, on: network)
            machine.notePassages(of: &vehicle.alerts, candidates, before: time)
        }
    }

    private func advance(
        _ alerts: inout [OpenAlert], of vehicle: Vehicle, _ fix: Fix, _ hazards: Hazards?,
        _ candidates: [MatchCandidate], mayBegin: Bool
    ) -> [AlertMessage] {
        guard let network, let hazards, isNew(fix), !alerts.isEmpty || mayBegin else { return [] }
        let machine = stateMachine(of: vehicle, fix, hazards, on: network)
        // What is sighted between two structures depends on whether the first has been driven past.
        machine.notePassages(of: &alerts, candidates)
        let watch = watch(of: vehicle, alerts, fix, hazards, on: network, settings)
        return machine.advance(&alerts, watch.assessments(candidates), watch.notices(candidates), candidates)
    }

    /// Whether any alert about a road may begin: something is decided as near on the road as any rule looks. Elsewhere, on most
    /// roads, all rules come to nothing.
    @inline(__always)
    private func mayBegin(for vehicle: Vehicle) -> Bool {
        guard let network, let zone = hazards?.zone, vehicle.guidance.wayFollowed == nil else { return true }
        let reach = HazardWatch.reachMax(settings.alerts, vehicle.speed, vehicle.reportInterval(settings))
        return reach >= zone.reach
            || vehicle.roads.indices.contains { index in
                guard let position = vehicle.roads[index].candidate?.position else { return false }
                let distance = zone.distanceToDecision(after: network.original(position.edge))
                // At 0 something is decided on the edge itself, wherever on it the vehicle is.
                return distance == 0 || network.length(position.edge) - position.offset + distance <= reach
            }
    }

    private func advanceStraight(
        _ alerts: inout [OpenAlert], of vehicle: Vehicle, _ fix: Fix, after previous: Fix?
    ) -> [AlertMessage] {
        guard !alerts.isEmpty || straightLine.count > 0, isNew(fix), let watch = straightLineWatch(of: vehicle, fix)
        else { return [] }
        let machine = StraightLineStateMachine(
            watch: watch, vehicle: vehicle.id, height: height, settings: settings, fix: fix,
            previous: previous?.position, time: time, moment: moment, style: settings.textStyle(of: vehicle),
            quieted: vehicle.quieted,
            mayRaise: mayRaise(by: fix),
            rest: vehicle.restDuration(at: moment))
        return machine.advance(&alerts)
    }

    // MARK: Ends

    /// Ends the alerts of one kind whose hazard is none any more for this height, or not on this map. What is open while hazards
    /// are awaited stays so until they are there.
    private func end(_ alerts: inout [OpenAlert], _ fix: Fix, _ hazards: Hazards?) -> [AlertMessage] {
        // Most vehicles have none, and what the end of one needs costs much to copy.
        guard !alerts.isEmpty else { return [] }
        guard network != nil else { return clear(&alerts, .mapChanged) { _ in true } }
        let areAwaited = self.hazards == nil
        return end(&alerts, fix) { areAwaited || hazards?.index(of: $0) != nil }
    }

    /// The same of clearances that limit no known road, and of all while hazards are awaited: what was judged so until they were there
    /// is judged by the roads of the map from then on.
    private func endStraight(_ alerts: inout [OpenAlert], _ fix: Fix) -> [AlertMessage] {
        guard !alerts.isEmpty else { return [] }
        let isByRoad = hazards != nil && [.leftPath, .profileChanged].contains(reason)
        var messages = clear(&alerts, isByRoad ? .mapChanged : endReason) { subject in
            guard case .straightLine(let id) = subject else { return true }
            return straightLine.clearance(id) == nil
        }
        messages += end(&alerts, fix) { subject in
            guard case .straightLine(let id) = subject, let clearance = straightLine.clearance(id) else { return false }
            return settings.warns(of: clearance, height: height.effective)
        }
        return messages
    }

    /// Where the vehicle has been silent for too long, the others end, too.
    private func end(
        _ alerts: inout [OpenAlert], _ fix: Fix, unless isThere: (OpenAlert.Subject) -> Bool
    ) -> [AlertMessage] {
        let messages = clear(&alerts, endReason) { !isThere($0) }
        guard isSilent(fix) else { return messages }
        defer { alerts = [] }
        // Late fixes may have shown a pass that no fix in time has ended.
        return messages
            + alerts.map {
                $0.passage.wentThrough
                    ? .passed($0, at: time) : .cleared($0, at: time, reason: .positionLost)
            }
    }

    private func clear(
        _ alerts: inout [OpenAlert], _ reason: AlertMessage.ClearedReason, where isOver: (OpenAlert.Subject) -> Bool
    ) -> [AlertMessage] {
        // By position: an alert is many texts, and costs much to copy.
        let over = alerts.indices.filter { isOver(alerts[$0].subject) }
        guard !over.isEmpty else { return [] }
        defer { alerts.removeAll { isOver($0.subject) } }
        return over.map { .cleared(alerts[$0], at: time, reason: reason) }
    }

    /// A hazard is gone because the height or the map is another; leaving the path does not make it go.
    private var endReason: AlertMessage.ClearedReason { reason == .leftPath ? .profileChanged : reason }
}

/// What it judges by; an explanation asks the same.
extension AlertEvaluator {
    /// Whether a fix still says where the vehicle is.
    func isNew(_ fix: Fix) -> Bool { ageTime.since(fix.time) <= RuleTime.alertAgeMax }

    /// Whether a fix says where the vehicle is at this moment, so that its driver can be told anything new. An alert that no
    /// rule holds for ends by a deadline's own time, however late that is found.
    ///
    /// A position that goes stale at this moment says it no longer: else whether anything begins with it would depend on the
    /// millisecond in which that is found.
    private func mayRaise(by fix: Fix) -> Bool { now.since(fix.time) < RuleTime.alertAgeMax }

    /// Whether the vehicle has been silent for so long that nothing is known of its way any more.
    private func isSilent(_ fix: Fix) -> Bool { ageTime.since(fix.time) >= RuleTime.clearedSilentAfter }

    /// - Parameters:
    ///   - alerts: that are open; those about hazards of this kind count.
    ///   - settings: those in force, or ones that look farther.
    @inline(__always)
    func watch(
        of vehicle: Vehicle, _ alerts: [OpenAlert], _ fix: Fix, _ hazards: Hazards, on network: RoadNetwork,
        _ settings: EngineSettings
    ) -> HazardWatch {
        HazardWatch(
            network: network, hazards: hazards, zone: self.hazards?.zone, settings: settings, model: model,
            behaviour: history.isEmpty
                ? nil
                : ObservedBehaviour(history, from: vehicle.passages.earlierEdge, network, settings.alerts.history),
            way: vehicle.guidance.wayFollowed,
            destination: KnownDestination(of: vehicle.guidance, guide, at: fix.position),
            speed: vehicle.speed, interval: vehicle.reportInterval(settings),
            accuracy: fix.accuracyOrAssumed,
            told: hazards.structures(of: alerts), notEntered: hazards.notEntered(of: alerts),
            turnedOffBefore: hazards.turnedOff(before: alerts, vehicle.quieted))
    }

    @inline(__always)
    func stateMachine(of vehicle: Vehicle, _ fix: Fix, _ hazards: Hazards, on network: RoadNetwork) -> AlertStateMachine
    {
        AlertStateMachine(
            network: network, vehicle: vehicle.id, hazards: hazards, height: height, fix: fix, time: time,
            moment: moment,
            speed: vehicle.speed, style: settings.textStyle(of: vehicle), quieted: vehicle.quieted,
            minProbability: settings.alerts.minProbability,
            mayRaise: mayRaise(by: fix),
            rest: vehicle.restDuration(at: moment))
    }

    /// Nil for who has not moved, and so is bound nowhere.
    func straightLineWatch(of vehicle: Vehicle, _ fix: Fix) -> StraightLineWatch? {
        vehicle.course.map { course in
            StraightLineWatch(
                map: straightLine, settings: settings.alerts, position: fix.position, course: course,
                speed: vehicle.speed, interval: vehicle.reportInterval(settings))
        }
    }
}

extension Hazards {
    /// The structures that open alerts are about.
    func structures(of alerts: [OpenAlert]) -> [ClearanceID] {
        // By position: an alert is many texts, and costs much to copy.
        alerts.indices.compactMap { structure(of: alerts[$0].subject) }
    }

    /// The structures of those alerts whose vehicle has not come into a chain by its entry.
    fileprivate func notEntered(of alerts: [OpenAlert]) -> [ClearanceID] {
        alerts.indices.compactMap { alerts[$0].passage.hasEntered ? nil : structure(of: alerts[$0].subject) }
    }

    private func structure(of subject: OpenAlert.Subject) -> ClearanceID? { index(of: subject).map(table.structure) }

    /// The hazards before which the vehicle was told to turn off: if it has, it may be on the detour.
    fileprivate func turnedOff(before alerts: [OpenAlert], _ quieted: [QuietedAlert]) -> [Int] {
        let open = alerts.indices.compactMap {
            alerts[$0].last.stage == .detour ? index(of: alerts[$0].subject) : nil
        }
        guard !quieted.isEmpty else { return open }
        return open + quieted.compactMap { if case .turnedOff = $0.silence { index(of: $0.subject) } else { nil } }
    }
}

extension [OpenAlert] {
    /// Leaves none. Where all are about hazards that the vehicle is too high for, as they mostly are, none is copied.
    fileprivate mutating func takeBySubject() -> (low: [OpenAlert], unknown: [OpenAlert], straight: [OpenAlert]) {
        let all = self
        self = []
        let areLow = all.indices.allSatisfy { if case .entry = all[$0].subject { true } else { false } }
        if areLow { return (all, [], []) }
        return all.reduce(into: ([], [], [])) { groups, alert in
            switch alert.subject {
            case .entry: groups.0.append(alert)
            case .unknownEntry: groups.1.append(alert)
            case .straightLine: groups.2.append(alert)
            }
        }
    }
}
