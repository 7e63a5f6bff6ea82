import Geo
import Messages

/// Follows a vehicle in the order of its own time: fences and visits, by fixes and by deadlines.
struct Timeline {
    let catalogue: FenceCatalogue
    let legs: LegFinder
    let fixes: EngineSettings.Fixes
    let visits: VisitSettings
    let determined: EngineSettings.Determined
    /// Where nothing can happen to the vehicle; nil: anywhere it may.
    let quiet: Circle?

    /// A device that reports each second brings the next fix before it has to be looked for.
    private static let slack: Seconds = 2

    /// Everything that has become certain by now.
    func advance(_ vehicle: inout Vehicle, at now: Timestamp) -> [Message] {
        guard let watermark = vehicle.ordered.watermark(at: now, reorder: fixes.reorder) else { return [] }
        var messages: [Message] = []
        while true {
            let end = min(watermark, vehicle.ordered.nextTime ?? watermark)
            if let due = deadline(&vehicle, by: end), due <= end, let fix = vehicle.ordered.last {
                messages += expire(&vehicle, at: due, last: fix)
            } else if let fix = vehicle.ordered.next(until: watermark) {
                follow(&vehicle, to: fix, &messages)
            } else {
                return messages
            }
        }
    }

    /// - Parameter messages: what follows is added to them: to join lists at every fix takes longer than to follow it.
    private func follow(_ vehicle: inout Vehicle, to fix: Fix, _ messages: inout [Message]) {
        let previous = vehicle.ordered.predecessor(of: fix)
        // Before `accept`, which makes the fix the last one.
        let watch = watch(vehicle)
        guard vehicle.ordered.accept(fix) else { return }
        vehicle.fences.motion.follow(fix)
        if !isQuiet(watch, vehicle.fences, previous, fix) {
            for event in watch.follow(&vehicle.fences, to: fix, from: previous) { messages.append(.event(event)) }
        }
        vehicle.fences.follow(to: fix.time)
        let visited = vehicle.visits.advance(
            to: fix, vehicle: vehicle.id, fences: vehicle.fences.stays.map(\.fence), visits)
        for visit in visited { messages.append(.visit(visit)) }
    }

    /// Whether no border can have been crossed, and there is no fence that the vehicle has not been told of: none is new, and
    /// none has come into force, or has before its side could be told by this fix.
    private func isQuiet(_ watch: FenceWatch, _ state: FenceState, _ previous: Fix?, _ fix: Fix) -> Bool {
        guard let quiet, let previous, watch.isUpToDate(state), !watch.mayHaveOpened(state, by: fix.time),
            !watch.mayHaveSettled(state, from: previous, to: fix)
        else { return false }
        func isInside(_ fix: Fix) -> Bool { quiet.center.distance(to: fix.position) < quiet.radius }
        return isInside(previous) && isInside(fix)
    }

    @inline(__always)
    private func watch(_ vehicle: Vehicle) -> FenceWatch {
        FenceWatch(
            catalogue: catalogue, legs: legs, hysteresisTime: fixes.hysteresisTime, determined: determined,
            vehicle: vehicle.id, groups: vehicle.profile?.groups ?? [], lastFix: vehicle.ordered.last?.time,
            followedTo: vehicle.ordered.followedTo ?? .distantPast)
    }

    /// What falls due at a moment that `deadline` named.
    private func expire(_ vehicle: inout Vehicle, at due: Timestamp, last fix: Fix) -> [Message] {
        if visitDeadline(&vehicle) == due {
            let fences = vehicle.fences.stays.map(\.fence)
            return vehicle.visits.expire(at: due, vehicle: vehicle.id, fences: fences, visits)
                .map { .visit($0) }
        }
        let watch = watch(vehicle)
        let events = watch.expire(&vehicle.fences, at: due, last: fix)
        vehicle.ordered.follow(to: due)
        if watch.knowsAll(vehicle.fences), !watch.isOpeningPending(vehicle.fences, at: due) {
            vehicle.fences.follow(to: due)
        }
        return events.map { .event($0) }
    }

    /// By the vehicle's time; what comes after `end` may be left out.
    ///
    /// - Parameter vehicle: is not changed, and `inout` so that it is not copied to be looked at.
    private func deadline(_ vehicle: inout Vehicle, by end: Timestamp? = nil) -> Timestamp? {
        guard vehicle.ordered.last != nil else { return nil }
        let mayFallDue = FenceWatch.mayFallDue(vehicle.fences, catalogue)
        return .earlier(mayFallDue ? watch(vehicle).deadline(vehicle.fences, by: end) : nil, visitDeadline(&vehicle))
    }

    /// Whether a later fix waits already says only when it came: a silence is one by the times of the fixes at its ends. A
    /// vehicle in a quiet circle was told to be silent, until that ends.
    ///
    /// - Parameter vehicle: is not changed, and `inout` so that it is not copied to be looked at.
    private func visitDeadline(_ vehicle: inout Vehicle) -> Timestamp? {
        guard let due = vehicle.visits.deadline(visits), let last = vehicle.ordered.last else { return nil }
        guard let tracking = vehicle.quiet.published, let circle = tracking.quiet,
            circle.center.distance(to: last.position) <= circle.radius
        else { return due }
        return max(due, tracking.validUntil)
    }

    /// When, by the gateway's clock, there is next something to do without another fix; nil: never.
    ///
    /// - Parameter vehicle: is not changed, and `inout` so that it is not copied to be looked at.
    func moment(_ vehicle: inout Vehicle) -> Timestamp? {
        guard let next = Timestamp.earlier(vehicle.ordered.nextTime, deadline(&vehicle)) else { return nil }
        return vehicle.ordered.moment(of: next, reorder: fixes.reorder)?.adding(Self.slack)
    }
}
