import Geo
import Messages

/// Which fences it is determined of on which side the vehicle is: those that are new to it, and those that come into force.
extension FenceWatch {
    /// Where vehicles are told of all fences: so many at one fix as being outside of, at most the nearest. Inside of which it
    /// is a vehicle hears of all.
    static let determinedMax = 1000
    /// How far beyond a fence's box its border may lie by rounding.
    private static let boxSlack: Metres = 1

    /// Those in force whose side has not been determined, of which the vehicle may have to be told.
    func newcomers(_ state: FenceState, at fix: Fix) -> [KnownFence] {
        guard !knowsAll(state) else { return [] }
        func isNew(_ fence: KnownFence) -> Bool {
            (fence.serial > state.determined || !fence.concerns(vehicle, groups: state.groups))
                && state.index(of: fence) == nil && fence.concerns(vehicle, groups: groups)
                && fence.fence.isInForce(at: fix.time)
        }
        switch determined {
        case .inside: return toBeTold(in: Self.box(at: fix.position)).filter(isNew)
        case .all:
            let late = catalogue.since(state.groups == groups ? state.determined : 0)
            return nearest(late, to: fix.position, where: isNew)
        }
    }

    /// Those that the vehicle may be inside of, and those that name it: how many others there are costs nothing.
    private func toBeTold(in box: Bounds) -> [KnownFence] {
        var found = catalogue.naming(vehicle)
        catalogue.near(box) { found.append($0) }
        return found
    }

    /// What the vehicle may be inside of at a place meets this.
    static func box(at position: Coordinate) -> Bounds {
        Bounds(position, position).widened(by: boxSlack)
    }

    /// Those of some fences that a predicate holds for; where they are too many, those that may be inside of which the
    /// vehicle is, and the nearest of the others.
    private func nearest(
        _ fences: some Sequence<KnownFence>, to position: Coordinate, where holds: (KnownFence) -> Bool
    ) -> [KnownFence] {
        var found: [KnownFence] = []
        for fence in fences where catalogue.isKnown(fence) && holds(fence) {
            found.append(fence)
            if found.count > Self.determinedMax { break }
        }
        guard found.count > Self.determinedMax else { return found }
        found = []
        catalogue.orderAll()
        catalogue.nearest(to: position, within: .infinity) { fence, bound in
            if bound > 0, found.count >= Self.determinedMax { return -.infinity }
            if holds(fence) { found.append(fence) }
            return .infinity
        }
        return found
    }

    /// - Parameter place: where the vehicle is, or was, when its side of a fence is determined.
    func determine(
        _ state: inout FenceState, _ news: [KnownFence], time: Timestamp, at place: (Fence) -> BorderCrossing
    ) -> [FenceEventMessage] {
        guard !news.isEmpty else { return [] }
        var seen: Set<Int> = []
        return news.sorted { $0.fence.$id < $1.fence.$id }.compactMap { fence in
            guard seen.insert(fence.serial).inserted, let fence = catalogue.known[fence.fence.$id] else { return nil }
            let there = place(fence.fence)
            let isInside = fence.shape.signedDistance(from: there.position) <= 0
            state.set(
                FenceState.Border(fence: fence.fence.id, serial: fence.serial, since: isInside ? there.time : nil))
            guard isInside || isToldOutside(of: fence) else { return nil }
            return FenceEventMessage(.determined, fence, vehicle, isInside ? .inside : .outside, time: time, there)
        }
    }

    /// Whether the vehicle is told, too, that it is outside.
    private func isToldOutside(of fence: KnownFence) -> Bool {
        determined == .all || fence.fence.vehicles.contains(vehicle)
    }

    // MARK: Fences that come into force

    /// Up to when it has been determined of fences that came into force on which side the vehicle was: the last fix, or once
    /// that is too old for the way to the next to be known, as far as the vehicle has been followed.
    func openedTo(_ state: FenceState) -> Timestamp {
        let settled = isSilent(at: followedTo) ? followedTo : lastFix ?? followedTo
        // A fix that came late may have become the last one since.
        return max(settled, state.followedTo ?? .distantPast)
    }

    /// Whether nobody knows the way from the last fix to one at that time.
    func isSilent(at time: Timestamp) -> Bool { lastFix.map { time.since($0) > legs.gap } ?? true }

    /// Whether fences may have come into force of which it is not determined on which side the vehicle was.
    func mayHaveOpened(_ state: FenceState, by time: Timestamp) -> Bool {
        hasChange(after: openedTo(state), by: time)
    }

    /// Whether fences have come into force since the last fix of which only the next one, or a longer silence, says on which
    /// side the vehicle was.
    func isOpeningPending(_ state: FenceState, at time: Timestamp) -> Bool {
        !isSilent(at: time) && mayHaveOpened(state, by: time)
            && !catalogue.timetable.opening(after: openedTo(state), by: time).isEmpty
    }

    /// Whether any fence may have come into force or gone out of it between two times.
    func hasChange(after start: Timestamp, by end: Timestamp) -> Bool {
        !catalogue.timetable.isEmpty && catalogue.timetable.nextChange(after: start).map { $0 <= end } ?? false
    }

    /// Those that have come into force by `end`, and still are, of which the vehicle may have to be told.
    ///
    /// - Parameter box: where the vehicle was when they did.
    func opened(_ state: FenceState, by end: Timestamp, near position: Coordinate, _ box: Bounds) -> [KnownFence] {
        let start = openedTo(state)
        func isNew(_ fence: KnownFence) -> Bool {
            isWatched(fence, state, at: end) && state.index(of: fence) == nil
        }
        switch determined {
        case .inside:
            return toBeTold(in: box).filter { isNew($0) && $0.fence.opening(after: start, by: end) != nil }
        case .all:
            let opened = catalogue.timetable.opening(after: start, by: end)
            guard !opened.isEmpty else { return [] }
            let serials = Set(opened.map(\.serial))
            return nearest(opened, to: position) { serials.contains($0.serial) && isNew($0) }
        }
    }

    /// Whether fences may have come into force on the way to a fix whose side was determined before that fix came: in a silence,
    /// by the last fix before it.
    func mayHaveSettled(_ state: FenceState, from previous: Fix, to fix: Fix) -> Bool {
        previous.time < openedTo(state) && hasChange(after: previous.time, by: fix.time)
    }

    /// Determines those fences again that the vehicle was on the other side of, as fixes show that came after the silence in which
    /// they were taken. It has crossed no border by that.
    ///
    /// - Parameters:
    ///   - leg: the way to the fix; nil: nobody knows it, and the fix before tells.
    ///   - box: where the vehicle was on that way.
    func redetermine(
        _ state: inout FenceState, at fix: Fix, from previous: Fix, _ leg: Leg?, _ box: Bounds
    ) -> [FenceEventMessage] {
        let settled = min(openedTo(state), fix.time)
        var events: [FenceEventMessage] = []
        let fences = fences(state, in: box).sorted { $0.fence.$id < $1.fence.$id }
        for fence in fences where isWatched(fence, state, at: fix.time) {
            // One that went out of force since, and came into it again, was determined for that time.
            guard let opening = fence.fence.opening(after: previous.time, by: max(fix.time, followedTo)),
                opening <= settled
            else { continue }
            let there =
                leg == nil
                ? BorderCrossing(position: previous.position, time: opening, isInterpolated: false)
                : Self.place(at: opening, leg, fix)
            let border = state.border(at: fence)
            let isInside = fence.shape.signedDistance(from: there.position) <= 0
            guard isInside != (border?.since != nil) else { continue }
            state.set(
                FenceState.Border(fence: fence.fence.id, serial: fence.serial, since: isInside ? there.time : nil))
            var event = FenceEventMessage(
                .determined, fence, vehicle, isInside ? .inside : .outside, time: fix.time, there,
                isCorrection: !isInside || isToldOutside(of: fence))
            event.isDwellRetracted = border?.isDwellTold ?? false
            events.append(event)
        }
        return events
    }

    /// Where the vehicle was when a fence came into force on the way to a fix. Where nobody knows the way, the fix tells.
    static func place(at opening: Timestamp?, _ leg: Leg?, _ fix: Fix) -> BorderCrossing {
        guard let leg, let opening, opening < fix.time else {
            return BorderCrossing(position: fix.position, time: fix.time, isInterpolated: false)
        }
        return BorderCrossing(position: leg.position(at: opening), time: opening, isInterpolated: true)
    }
}
