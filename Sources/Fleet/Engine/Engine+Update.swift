import Geo
import Messages
import Roads

/// What follows from an input, in one order for all inputs: whoever has one applies it to the vehicle and calls `update`.
extension Engine {
    /// Takes the steps that react to a change, and sees to it that the vehicle is found where it is now.
    ///
    /// - Parameter time: of the input or the deadline.
    func update(_ kept: KeptVehicle, after change: Change, at time: Timestamp, _ effects: inout Effects) {
        let wasAtRest = kept.isAtRest
        let awake = kept.awake
        let isPublished = react(&awake.vehicle, to: change, at: time, &effects)
        note(&awake.vehicle, in: kept, isScheduled: isPublished)
        // What is published is stored, and the vehicle's rest begins again with that.
        if wasAtRest, !isPublished { kept.rest(as: awake.vehicle.state(), in: self) }
        if hasEndedConsent(kept.id) { leaveAlone(kept) }
    }

    /// Has the vehicle found where it is now, and when something falls due for it.
    ///
    /// - Parameter vehicle: the one that is kept; it is not changed, and `inout` so that it is not copied to be looked at.
    func note(_ vehicle: inout Vehicle, in kept: KeptVehicle, isScheduled: Bool = true) {
        index.note(vehicle, in: kept)
        guard isScheduled else { return }
        let deadline = Timestamp.earlier(vehicle.nextDeadline(settings), timeline().moment(&vehicle))
        if let deadline { deadlines.set(deadline, for: kept) }
    }

    /// Takes the steps that react to a change; `Change.steps` says which.
    ///
    /// - Parameter time: of the fix where that is the change, else of the input or the deadline.
    /// - Returns: whether the last step was taken, so that the vehicle is to be stored.
    @discardableResult
    func react(
        _ vehicle: inout Vehicle, to change: Change, at time: Timestamp, _ effects: inout Effects
    ) -> Bool {
        var steps = change.steps
        let sent = effects.envelopes.count
        // Where nothing can happen to it, neither its road nor its hazards need looking at.
        if steps.contains(.locate), isQuiet(vehicle, at: time) {
            steps.subtract([.locate, .guide, .judge, .noteLateFix])
            if change.isFix { passOver(&vehicle, after: change.previousFix) }
        }
        if isAwaiting(&vehicle, after: change, for: &steps, at: time) { effects.awaiting.insert(vehicle.id) }
        if steps.contains(.locate) { locate(&vehicle, after: change, &effects) }
        if vehicle.guidance.hasStoredWays, !steps.isDisjoint(with: [.guide, .judge]) {
            map.guide?.findStoredWays(of: &vehicle.guidance)
        }
        if steps.contains(.guide) { guide(&vehicle, at: time, &effects) }
        if steps.contains(.judge) { judge(&vehicle, after: change, at: time, &effects) }
        if steps.contains(.noteLateFix) { noteLateFix(of: &vehicle, after: change, at: time) }
        if steps.contains(.request) { request(of: &vehicle, at: time, &effects) }
        if steps.contains(.follow) { follow(&vehicle, after: change, at: time, &effects) }
        if steps.contains(.quiet) { updateQuiet(&vehicle, after: change, at: time, &effects) }
        if steps.contains(.regions) { renewRegions(of: &vehicle, at: change.moment(of: vehicle) ?? time, &effects) }
        guard steps.contains(.publish) || steps.contains(.publishIfTold) && effects.envelopes.count > sent else {
            return false
        }
        publish(&vehicle, at: time, cause: change.cause ?? time, &effects)
        return true
    }

    // MARK: Steps

    private func locate(_ vehicle: inout Vehicle, after change: Change, _ effects: inout Effects) {
        guard let network = map.network, let fix = vehicle.lastFix, change.isFix || vehicle.quiet.hasPassedOver
        else { return }
        let isFollowed = change.isFix && vehicle.passages.isFollowed
        if isFollowed { followPassages(of: &vehicle, to: fix, from: change.previousFix) }
        let previous = vehicle.quiet.hasPassedOver ? nil : change.previousFix
        RoadTracker(network: network, settings: settings.fixes).advance(&vehicle, to: fix, from: previous)
        vehicle.quiet.hasPassedOver = false
        vehicle.passages.isFollowed = false
        if countsTurns(of: vehicle, after: change.previousFix) { effects.turns += map.countTurns(along: vehicle.roads) }
        if change.isFix, !isFollowed { countPassages(of: &vehicle, at: fix, after: previous) }
    }

    /// By the newest fix, as long as that says where the vehicle is now. What is no hazard any more ends without it.
    private func judge(
        _ vehicle: inout Vehicle, after change: Change, at time: Timestamp, _ effects: inout Effects
    ) {
        guard let fix = vehicle.lastFix, map.data().hasClearances || !vehicle.alerts.isEmpty || !vehicle.quieted.isEmpty
        else { return }
        let evaluator = evaluator(
            of: vehicle, at: time, now: change.foundAt ?? time, moment: change.foundAt == nil ? fix.time : time,
            change.clearedReason)
        let judged = vehicle.judged(fix)
        let before = repetition == nil ? [] : vehicle.alerts
        var messages = evaluator.advance(&vehicle, judged, after: change.previousFix)
        repetition?.takeBack(&messages, of: &vehicle.alerts, asBefore: before, judgedBy: judged)
        vehicle.passages.note(vehicle.alerts)
        effects.envelopes += messages.map { Envelope(address: vehicle.address, message: .alert($0)) }
    }

    private func noteLateFix(of vehicle: inout Vehicle, after change: Change, at time: Timestamp) {
        guard let fix = vehicle.lastFix, vehicle.rest != nil || !vehicle.alerts.isEmpty || !vehicle.quieted.isEmpty
        else { return }
        evaluator(of: vehicle, at: time, now: time, moment: fix.time, change.clearedReason)
            .noteLate(fix, of: &vehicle, after: change.previousFix)
    }

    /// Notes what of the structures of open alerts a fix that comes after a newer one shows to be behind, as far as they limit
    /// no known road.
    func notePassages(of vehicle: inout Vehicle, byOlder fix: Fix) {
        guard !vehicle.alerts.isEmpty, let previous = vehicle.ordered.fix(before: fix.time),
            !FixFilter.isImplausible(from: previous, to: fix),
            let course = fix.course(since: previous, from: nil) ?? vehicle.course
        else { return }
        let watch = StraightLineWatch(
            map: map.straightLine, settings: settings.alerts, position: fix.position, course: course,
            speed: fix.speed(since: previous), interval: vehicle.reportInterval(settings))
        watch.notePassages(of: &vehicle.alerts, from: previous.position, before: fix.time)
    }

    /// Whether no way has been looked for where a fix belongs that comes after newer ones: the next one was taken more than
    /// `fixes.gap` after the one before, so that the match began anew there.
    func isOffKnownWays(_ fix: Fix, among ordered: OrderedFixes) -> Bool {
        guard let next = ordered.fixes(from: fix.time).first, let previous = ordered.fix(before: fix.time) else {
            return false
        }
        return next.time.since(previous.time) > settings.fixes.gap
    }

    /// So many fixes beside those that have just come are matched once more at most: where each comes by itself, the newest first,
    /// those after it grow in number.
    private static let matchedAgainMax = 512

    /// Notes what of the structures of open alerts on known roads is behind by fixes that came after newer ones: they are
    /// matched once more with those after them, as they would have been in order.
    ///
    /// - Parameters:
    ///   - start: when the oldest of them was taken.
    ///   - count: of the fixes of their message.
    func notePassages(of vehicle: inout Vehicle, byFixesFrom start: Timestamp, count: Int) {
        let fixes = vehicle.ordered.fixes(from: start)
        guard let network = map.network, fixes.count <= count + Self.matchedAgainMax else { return }
        let tracker = RoadTracker(network: network, settings: settings.fixes)
        let evaluator = evaluator(of: vehicle, at: start, now: start, moment: start, .leftPath)
        var again = vehicle
        var previous: Fix?
        for fix in [vehicle.ordered.fix(before: start)].compactMap(\.self) + fixes {
            if let previous, FixFilter.isImplausible(from: previous, to: fix) { continue }
            tracker.advance(&again, to: fix, from: previous)
            evaluator.noteRoadPassages(fix, of: &again, before: fix.time)
            previous = fix
        }
        vehicle.alerts = again.alerts
    }

    private func request(of vehicle: inout Vehicle, at time: Timestamp, _ effects: inout Effects) {
        let height = EffectiveHeight(of: vehicle, at: time, settings.heights)
        guard let message = RequestMessage.due(for: &vehicle, height, settings.textStyle(of: vehicle), at: time) else {
            return
        }
        effects.envelopes.append(Envelope(address: vehicle.address, message: .request(message)))
    }

    private func follow(
        _ vehicle: inout Vehicle, after change: Change, at time: Timestamp, _ effects: inout Effects
    ) {
        let quiet = isQuiet(vehicle, at: time) ? vehicle.quiet.quiet?.circle : nil
        // In a backlog the time between two arrivals is none of the vehicle's own.
        let isStandingStill = isBacklog && change.isUpload
        let messages = timeline(quiet).advance(&vehicle, at: isStandingStill ? .distantPast : time)
        for message in messages { effects.envelopes.append(Envelope(address: vehicle.address, message: message)) }
    }

    /// Publishes the vehicle's state where that has changed, and has it stored.
    ///
    /// - Parameters:
    ///   - time: what holds then is published: a fix that comes late takes back nothing that fell due since.
    ///   - cause: which the message bears.
    private func publish(
        _ vehicle: inout Vehicle, at time: Timestamp, cause: Timestamp, _ effects: inout Effects
    ) {
        let height = EffectiveHeight(of: vehicle, at: time, settings.heights)
        let awaited = awaiting.isEmpty ? nil : awaiting[vehicle.id]
        let isAwaited = awaited.map { map.isIncomplete(near: $0.place) } ?? false
        let data = map.data(isAwaited: isAwaited)
        if let message = StateMessage.due(for: vehicle, height, data, settings, at: cause) {
            let before = vehicle.published?.blind ?? []
            if message.blind != before {
                effects.blindSpotChanges.append(
                    BlindSpotChange(vehicle: vehicle.id, time: message.time, before: before, after: message.blind))
            }
            vehicle.published = message
            effects.envelopes.append(Envelope(address: vehicle.address, message: .state(message)))
        }
        effects.changed.insert(vehicle.id)
    }

    func timeline(_ quiet: Circle? = nil) -> Timeline {
        let legs = LegFinder(network: map.network, gap: settings.fixes.gap)
        return Timeline(
            catalogue: catalogue, legs: legs, fixes: settings.fixes, visits: settings.visits,
            determined: settings.determined, quiet: quiet)
    }
}

extension Change {
    fileprivate var isUpload: Bool { if case .upload = self { true } else { false } }

    fileprivate var isFix: Bool { if case .fix = self { true } else { false } }

    fileprivate var previousFix: Fix? { if case .fix(let previous, _) = self { previous } else { nil } }

    /// When a deadline was found to be over.
    fileprivate var foundAt: Timestamp? { if case .deadline(let now) = self { now } else { nil } }

    /// The time that a state bears which an upload has brought.
    fileprivate var cause: Timestamp? { if case .upload(let used) = self { used } else { nil } }

    /// When the vehicle was where it is taken to be: what an upload leads to for its place holds as of its newest fix.
    fileprivate func moment(of vehicle: Vehicle) -> Timestamp? {
        if case .upload = self { vehicle.lastFix?.time } else { nil }
    }
}
