public import Messages
import Roads

/// Work on the map that others do, while the engine goes on.
extension Engine {
    /// From here on `takeMapWork` says what is to be made; before, it is made where it is first needed.
    ///
    /// Begins with the hazards for the assumed height and those of all vehicles, and with what the program before did not come to.
    public func doMapWorkElsewhere(at time: Timestamp) {
        map.doWorkElsewhere()
        if !changedPlaces.isEmpty { map.makeAgain() }
        for height in heights.sorted() { _ = map.awaited(height, at: time) }
    }

    /// Whether clearances have changed, and what that leads to is not in force yet: doing an input again would then come to
    /// something else.
    public var isMapBehind: Bool { map.isBehind }

    /// What is to be made now; nil: nothing, or the work taken before is not installed yet.
    public func takeMapWork() -> MapWork? { map.takeWork() }

    /// Puts in force what has been made: whoever waits for it is judged, and where clearances have changed everybody near
    /// them.
    public func install(_ result: MapWork.Result, at time: Timestamp) -> Effects {
        var effects = Effects()
        guard let isChanged = map.install(result) else { return effects }
        for (id, reason) in awaiting.sorted(by: { $0.key < $1.key }) {
            guard let kept = vehicles[id] else {
                awaiting[id] = nil
                continue
            }
            let height = EffectiveHeight(of: kept.copy, at: time, settings.heights).effective
            if map.awaited(height, at: time) == nil { update(kept, after: .hazards(reason), at: time, &effects) }
        }
        guard isChanged else { return effects }
        let all = vehicles.keys.sorted()
        for id in all { judge(id, near: changedPlaces, at: time, &effects) }
        // Where more have changed meanwhile it is not known which are in force; they are looked at again then.
        if !map.isBehind { changedPlaces = ChangedPlaces() }
        renewRegions(after: [:], of: all, at: time, &effects)
        return effects
    }

    /// Whether something of a vehicle has to wait for hazards, and is not done now: circle and regions, and for a second its
    /// alerts. Beyond that it is judged by straight line meanwhile.
    @inline(__always)
    func isAwaiting(
        _ vehicle: Vehicle, after change: Change, for steps: inout Change.Steps, at time: Timestamp
    ) -> Bool {
        guard map.isWorkDoneElsewhere, !steps.isDisjoint(with: [.judge, .quiet, .regions]) else { return false }
        let height = EffectiveHeight(of: vehicle, at: time, settings.heights).effective
        guard let since = map.awaited(height, at: time) else {
            awaiting[vehicle.id] = nil
            return false
        }
        // What made the hazards others counts, not what happens until they are there.
        let reason = change.clearedReason
        awaiting[vehicle.id] = reason == .leftPath ? awaiting[vehicle.id] ?? reason : reason
        steps.subtract([.quiet, .regions])
        if time.since(since) < RuleTime.hazardsWait { steps.remove(.judge) }
        return true
    }
}
