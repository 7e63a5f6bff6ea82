import Algorithms
import Geo
public import Messages
import Roads

/// Work on the map that others do, while the engine goes on.
extension Engine {
    /// From here on `takeMapWork` says what is to be made; before, it is made where it is first needed.
    ///
    /// Begins with the hazards for the assumed height and those of all vehicles, and with what the program before did not come to.
    public func doMapWorkElsewhere(at time: Timestamp) {
        map.doWorkElsewhere()
        if !awaitedPlaces.isEmpty { map.makeAgain() }
        for height in heights.sorted() { _ = map.isAwaited(height, at: time) }
        for id in awaiting.keys.sorted() {
            guard let vehicle = vehicles[id]?.copy else { continue }
            let height = EffectiveHeight(of: vehicle, at: time, settings.heights).effective
            guard map.isAwaited(height, at: time) else { continue }
            awaiting[id]?.place = NearbyPlace(of: vehicle, height)
            if let place = awaiting[id]?.place { _ = map.awaitedNearby(place, at: time) }
        }
    }

    /// Whether clearances have changed, and what that leads to is not in force yet: doing an input again would then come to
    /// something else.
    public var isMapBehind: Bool { map.isBehind }

    /// Whether hazards of the whole map are being made elsewhere: those for another height, or what changed clearances lead to.
    public var awaitsHazards: Bool { map.awaitsHazards }

    /// What is to be made now; nil: nothing that can be made beside the work that is taken and not installed yet.
    public func takeMapWork() -> MapWork? {
        let work = map.takeWork()
        if work?.isOnChanges ?? false { placesUnderWay = awaitedPlaces }
        return work
    }

    /// Puts in force what has been made: whoever waits for it is judged. Where clearances have changed, `judgeByChanges` judges
    /// those to whom that matters.
    public func install(_ result: MapWork.Result, at time: Timestamp) -> Effects {
        var effects = Effects()
        guard let isChanged = map.install(result) else { return effects }
        for (id, awaited) in awaiting.filter({ result.concerns($0.value) }).sorted(by: { $0.key < $1.key }) {
            guard let kept = vehicles[id] else {
                awaiting[id] = nil
                continue
            }
            let height = EffectiveHeight(of: kept.copy, at: time, settings.heights).effective
            if result.isNearby || !map.isAwaited(height, at: time) {
                update(kept, after: .hazards(awaited.reason), at: time, &effects)
            }
        }
        guard isChanged else { return effects }
        let places = map.isBehind ? placesUnderWay : awaitedPlaces
        awaitedPlaces = map.isBehind ? awaitedPlaces.added(since: places) : ChangedPlaces()
        let difference = hasRestoredPlaces ? nil : result.difference
        hasRestoredPlaces = false
        let alerted = vehicles.filter { !$0.value.isAtRest && !$0.value.awake.vehicle.alerts.isEmpty }
        let others = vehicles(near: difference, places).filter { alerted[$0] == nil }
        unjudged.add(
            alerted.keys.sorted() + others.sorted(),
            after: EntryChanges(places: places, differences: difference.map { [$0] }))
        return effects
    }

    /// Those for whom something may follow from changed clearances, but for alerts that are open.
    ///
    /// - Parameters:
    ///   - difference: nil: not known.
    ///   - places: of the clearances.
    private func vehicles(near difference: MapDifference?, _ places: ChangedPlaces) -> Set<VehicleID> {
        let reach = max(QuietFinder.straightLineReach(settings), RuleDistance.changeNear)
        guard let difference, let boxes = places.bounds(widenedBy: reach) else { return Set(vehicles.keys) }
        return index.concerned(by: chain(boxes, difference.bounds))
    }

    /// Whether something of a vehicle has to wait for hazards, and is not done now: circle and regions, which need those of the whole
    /// map, and for a second its alerts, which need those near it. Beyond that it is judged by straight line meanwhile.
    ///
    /// - Parameter vehicle: is not changed, and `inout` so that it is not copied to be looked at.
    func isAwaiting(
        _ vehicle: inout Vehicle, after change: Change, for steps: inout Change.Steps, at time: Timestamp
    ) -> Bool {
        guard map.isWorkDoneElsewhere, !steps.isDisjoint(with: [.judge, .quiet, .regions]) else { return false }
        let height = EffectiveHeight(of: vehicle, at: time, settings.heights).effective
        guard map.isAwaited(height, at: time) else {
            // With every fix: to hash an id takes longer than to see that nobody waits.
            if !awaiting.isEmpty { awaiting[vehicle.id] = nil }
            return false
        }
        // What made the hazards others counts, not what happens until they are there.
        var awaited = awaiting[vehicle.id] ?? AwaitingVehicle()
        if change.clearedReason != .leftPath { awaited.reason = change.clearedReason }
        awaited.place = NearbyPlace(of: vehicle, height)
        awaiting[vehicle.id] = awaited
        steps.subtract([.quiet, .regions])
        let since = awaited.place.flatMap { map.awaitedNearby($0, at: time) }
        // The end of a silent vehicle's alerts is due now, and would be so again at once.
        let isSilent = vehicle.lastFix.map { time.since($0.time) >= RuleTime.clearedSilentAfter } ?? false
        if let since, time.since(since) < RuleTime.hazardsWait, !isSilent { steps.remove(.judge) }
        return true
    }
}
