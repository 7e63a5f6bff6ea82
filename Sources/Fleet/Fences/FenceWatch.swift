import Geo
import Messages

/// Follows one vehicle from fix to fix and says what it does at fences.
struct FenceWatch {
    /// The way between two fixes, which is no longer than `DrivenWay` has it, leads no farther to the side of the straight
    /// line between them…
    private static let aside: (share: Double, metres: Metres) = (0.63, 100)
    /// …and comes from no farther than so much more than its length.
    private static let detour: (share: Double, metres: Metres) = (0.3, 100)
    /// So many of its intervals a vehicle is waited for that has left a fence as far as is known.
    private static let patience = 1.25
    /// What a straight line on the ground may be off from one on the map.
    private static let straightSlack: (share: Double, metres: Metres) = (0.01, 1)
    /// So much farther borders are looked for: for the next steps, or the noise of a vehicle that stands…
    private static let ahead: (steps: Double, metres: Metres) = (8, 20)
    /// …but where a device reports rarely, there would be too many of them.
    private static let aheadMax: Metres = 300
    /// Mostly no more are at hand.
    private static let fewFences = 8
    /// By so much distances to a border differ from what they are on the ellipsoid.
    private static let rounding: Metres = 1

    let catalogue: FenceCatalogue
    let legs: LegFinder
    let hysteresisTime: Seconds
    let determined: EngineSettings.Determined
    let vehicle: VehicleID
    let groups: [String]
    /// When the fix was taken that the one that is followed, or a deadline, comes after; nil: there is none.
    let lastFix: Timestamp?
    /// Up to when the vehicle has been followed. A fix that was held back for long may be older.
    let followedTo: Timestamp

    /// Whether it has been determined of all fences on which side the vehicle is.
    func knowsAll(_ state: FenceState) -> Bool {
        state.determined == catalogue.newest && state.groups == groups
    }

    /// Whether the vehicle has been told of all fences, and it is clear where it stands to them.
    func isUpToDate(_ state: FenceState) -> Bool {
        knowsAll(state) && !state.isInDoubt
    }

    // MARK: Fixes

    /// A fix, of those that come in order, and the one before it.
    func follow(_ state: inout FenceState, to fix: Fix, from previous: Fix?) -> [FenceEventMessage] {
        let step = legs.step(from: previous, to: fix)
        let isBorderFree = isBorderFree(state, fix, step)
        if isBorderFree, !state.isInDoubt { return [] }
        if !isBorderFree { prune(&state, at: max(fix.time, followedTo)) }
        let news = newcomers(state, at: fix)
        lazy var leg = legs.leg(step, to: fix)
        var events: [FenceEventMessage] = []
        if mayHaveOpened(state, by: fix.time) {
            let start = openedTo(state)
            let opened = opened(state, by: fix.time, near: fix.position, Self.box(fix, step))
            let way = leg
            events += determine(&state, opened, time: fix.time) { fence in
                Self.place(at: fence.opening(after: start, by: fix.time), way, fix)
            }
        }
        if let previous, mayHaveSettled(state, from: previous, to: fix) {
            let box = step.start == nil ? Self.box(at: previous.position) : Self.box(fix, step)
            events += redetermine(&state, at: fix, from: previous, leg, box)
        }
        let mayOpenOnWay = previous.map { hasChange(after: $0.time, by: fix.time) } ?? false
        for encounter in isBorderFree ? encountersInDoubt(state, fix) : encounters(&state, fix, step) {
            let fence = encounter.fence
            let isReached = encounter.distance <= Self.wayReach(step) && -encounter.distance <= Self.wayMax(step)
            var way = isReached ? leg?.stretches(in: fence.shape) ?? [] : []
            let border = state.border(at: fence)
            if mayOpenOnWay, let previous, let opening = fence.fence.opening(after: previous.time, by: fix.time) {
                way = way.compactMap { $0.from(opening) }
            }
            var machine = stateMachine(
                fence, border ?? FenceState.Border(fence: fence.fence.id, serial: fence.serial), state.motion)
            let parts = way.count > 1 ? leg?.parts(of: way, to: fix, at: fence, outsideFor: hysteresisTime) ?? [] : []
            let told = machine.advance(by: parts, to: fix, from: previous, encounter.distance, way)
            // Mostly there is nothing, and to add that takes longer than to see it.
            if !told.isEmpty { events += told }
            if border != nil || !machine.border.isIdle { state.set(machine.border) }
        }
        let here = BorderCrossing(position: fix.position, time: fix.time, isInterpolated: false)
        if !news.isEmpty { events += determine(&state, news, time: fix.time) { _ in here } }
        (state.determined, state.groups) = (catalogue.newest, groups)
        return events
    }

    /// A fence at whose border something may happen at a fix.
    private struct Encounter {
        var fence: KnownFence
        /// Of the fix from the border, negative inside.
        var distance: Metres
    }

    /// The fences at whose borders something may happen; by id. Looks a little farther than it has to, so as to know how far the next
    /// fixes may be from this one without a look at any.
    private func encounters(_ state: inout FenceState, _ fix: Fix, _ step: LegFinder.Step) -> [Encounter] {
        let ahead = step.isStraight ? min(Self.ahead.steps * step.moved + Self.ahead.metres, Self.aheadMax) : 0
        let margin = Self.margin(fix, step) + ahead
        var free = margin
        var found: [Encounter] = []
        for fence in fences(state, in: Self.box(fix, step, margin)) where isWatched(fence, state, at: fix.time) {
            let distance = fence.shape.signedDistance(from: fix.position)
            if Self.isOutOfReach(distance, state, fence, fix, step) {
                free = min(free, distance.magnitude)
            } else {
                found.append(Encounter(fence: fence, distance: distance))
                if !(state.border(at: fence)?.isInDoubt ?? false) { free = 0 }
            }
        }
        if free > 0, knowsAll(state), fix.time >= followedTo {
            state.borderFree = BorderFreeCircle(
                circle: Circle(center: fix.position, radius: free), revision: catalogue.revision,
                until: catalogue.timetable.nextChange(after: fix.time))
        }
        if found.count > 1 { found.sort { $0.fence.fence.$id < $1.fence.fence.$id } }
        return found
    }

    /// The same where `isBorderFree` holds.
    private func encountersInDoubt(_ state: FenceState, _ fix: Fix) -> [Encounter] {
        var found: [Encounter] = []
        for border in state.borders where border.isInDoubt {
            guard let fence = catalogue.fence(of: border), isWatched(fence, state, at: fix.time) else { continue }
            found.append(Encounter(fence: fence, distance: fence.shape.signedDistance(from: fix.position)))
        }
        return found
    }

    /// Whether the way to a fix comes to no border but those in doubt, by what an earlier fix has shown.
    private func isBorderFree(_ state: FenceState, _ fix: Fix, _ step: LegFinder.Step) -> Bool {
        guard let free = state.borderFree, free.revision == catalogue.revision, fix.trigger == .interval,
            fix.time >= followedTo, free.until.map({ fix.time < $0 }) ?? true, knowsAll(state)
        else { return false }
        let moved = free.circle.center.distance(to: fix.position)
        return moved + Self.wayReach(step) + Self.rounding < free.circle.radius
    }

    /// The fences that the vehicle is inside of, or may be, and those whose box meets another; each once, by serial.
    func fences(_ state: FenceState, in box: Bounds) -> [KnownFence] {
        var fences: [KnownFence] = []
        fences.reserveCapacity(Self.fewFences)
        for index in state.borders.indices {
            if let fence = catalogue.fence(of: state.borders[index]) { fences.append(fence) }
        }
        // Only handed over here: what a closure captures is copied for it.
        catalogue.near(box) { fences.append($0) }
        guard fences.count > 1 else { return fences }
        fences.sort { $0.serial < $1.serial }
        var last: KnownFence?
        fences.removeAll { fence in
            defer { last = fence }
            return fence === last
        }
        return fences
    }

    /// Where the way to a fix may lead.
    private static func box(_ fix: Fix, _ step: LegFinder.Step) -> Bounds { box(fix, step, margin(fix, step)) }

    private static func box(_ fix: Fix, _ step: LegFinder.Step, _ margin: Metres) -> Bounds {
        Bounds(step.start?.position ?? fix.position, fix.position).widened(by: margin)
    }

    /// How far beside the line between two fixes the way may lead, and a device's own word be true of a border.
    private static func margin(_ fix: Fix, _ step: LegFinder.Step) -> Metres {
        step.isStraight && fix.trigger == .interval
            ? straightSlack.share * step.moved + straightSlack.metres : aside.share * step.moved + aside.metres
    }

    /// How long the way to a fix may be.
    private static func wayMax(_ step: LegFinder.Step) -> Metres {
        (1 + detour.share) * step.moved + detour.metres
    }

    /// Whether the vehicle is on the side where it was, without doubt, and the way to the fix too short to have led across.
    private static func isOutOfReach(
        _ distance: Metres, _ state: FenceState, _ fence: KnownFence, _ fix: Fix, _ step: LegFinder.Step
    ) -> Bool {
        guard fix.trigger == .interval, state.isSettled(at: fence, isInside: distance <= 0) else { return false }
        return distance.magnitude > wayReach(step)
    }

    /// The way to a fix leads no farther from it than this.
    private static func wayReach(_ step: LegFinder.Step) -> Metres {
        step.isStraight ? (1 + straightSlack.share) * step.moved + straightSlack.metres : wayMax(step)
    }

    /// One that the vehicle has been told of, and that holds for it, then and still.
    func isWatched(_ fence: KnownFence, _ state: FenceState, at time: Timestamp) -> Bool {
        fence.serial <= state.determined && fence.concerns(vehicle, groups: groups)
            && (state.groups == groups || fence.concerns(vehicle, groups: state.groups))
            && fence.fence.isInForce(at: time) && (time >= followedTo || fence.fence.isInForce(at: followedTo))
    }

    /// Lets go of fences that are in force no longer: a state that ends so ends without an exit.
    private func prune(_ state: inout FenceState, at time: Timestamp) {
        state.removeBorders { serial in
            guard let fence = catalogue.fence(serial: serial) else { return true }
            return !fence.concerns(vehicle, groups: groups) || !fence.fence.isInForce(at: time)
        }
    }

    // MARK: Deadlines

    /// Whether anything may happen without a fix; cheap, as it is asked after every fix.
    @inline(__always)
    static func mayFallDue(_ state: FenceState, _ catalogue: FenceCatalogue) -> Bool {
        !catalogue.timetable.isEmpty
            || !state.borders.isEmpty && (catalogue.hasDwells || state.isInDoubt)
    }

    /// When next something happens without a fix; what comes after `end` may be left out.
    func deadline(_ state: FenceState, by end: Timestamp?) -> Timestamp? {
        var next = nextChange(state)
        for border in state.borders where border.isInDoubt || catalogue.hasDwells {
            guard let fence = catalogue.fence(of: border),
                let least = border.deadline(fence, hysteresisTime, nextFix: .distantPast), least <= end ?? least
            else { continue }
            let nextFix = border.isInDoubt ? nextFix(state, at: fence) : .distantPast
            next = .earlier(next, border.deadline(fence, hysteresisTime, nextFix: nextFix))
        }
        return next
    }

    /// By when there is another fix, unless the vehicle falls silent, as often as it reports. By the times of its fixes alone, so
    /// that it makes no difference when they came.
    private func nextFix(_ state: FenceState, at fence: KnownFence) -> Timestamp {
        guard let lastFix, let interval = state.motion.interval else { return .distantPast }
        let next = lastFix.adding(Self.patience * min(interval, RuleTime.reportIntervals.upperBound))
        // What is certain before the fence goes out of force is told before: its border is let go of then.
        guard fence.isTimed, let change = fence.fence.nextChange(after: lastFix), change <= next else { return next }
        return change.adding(-0.001)
    }

    /// When fences next come into force or go out of it. Where some have come into force since the last fix, also when the way
    /// to a next one would not be known any more: then the last one says on which side of them the vehicle was.
    private func nextChange(_ state: FenceState) -> Timestamp? {
        guard !catalogue.timetable.isEmpty, let first = catalogue.timetable.nextChange(after: openedTo(state)) else {
            return nil
        }
        guard first <= followedTo, let lastFix else { return first }
        // A fix just as late as `gap` is still joined to the last one.
        let silence = lastFix.adding(legs.gap + 0.001)
        return .earlier(silence, catalogue.timetable.nextChange(after: followedTo))
    }

    /// What falls due at a moment that `deadline` named. It may lie behind: a dwell that was in doubt.
    ///
    /// - Parameter fix: the last before it.
    func expire(_ state: inout FenceState, at time: Timestamp, last fix: Fix) -> [FenceEventMessage] {
        prune(&state, at: max(time, followedTo))
        var events: [FenceEventMessage] = []
        for border in state.borders {
            guard let fence = catalogue.fence(of: border) else { continue }
            let nextFix = nextFix(state, at: fence)
            guard let due = border.deadline(fence, hysteresisTime, nextFix: nextFix), due <= time else {
                continue
            }
            var machine = stateMachine(fence, border, state.motion)
            events += machine.expire(at: time, fix.position, nextFix: nextFix)
            state.set(machine.border)
        }
        guard isSilent(at: time), mayHaveOpened(state, by: time) else { return events }
        let start = openedTo(state)
        let opened = opened(state, by: time, near: fix.position, Self.box(at: fix.position))
        return events
            + determine(&state, opened, time: time) { fence in
                BorderCrossing(
                    position: fix.position, time: fence.opening(after: start, by: time) ?? time, isInterpolated: false)
            }
    }

    private func stateMachine(
        _ fence: KnownFence, _ border: FenceState.Border, _ motion: MotionEvidence
    ) -> FenceStateMachine {
        FenceStateMachine(
            fence: fence, vehicle: vehicle, hysteresisTime: hysteresisTime, silence: legs.gap, motion: motion,
            border: border)
    }
}

extension FenceEventMessage {
    init(
        _ event: Event, _ fence: KnownFence, _ vehicle: VehicleID, _ state: Side, time: Timestamp,
        _ crossing: BorderCrossing, isThrough: Bool = false, isCorrection: Bool = false
    ) {
        var parts = ["fence", vehicle.text, fence.fence.id, event.rawValue, "\(crossing.time.milliseconds)"]
        // What it corrects has the same moment.
        if isCorrection { parts.append(state.rawValue) }
        let id = DerivedID.of(parts)
        self.init(
            id: id, event: event, state: state, fence: fence.fence.id, fenceName: fence.fence.name, time: time,
            position: crossing.position, crossedAt: crossing.time, isInterpolated: crossing.isInterpolated,
            isThrough: isThrough)
    }
}
