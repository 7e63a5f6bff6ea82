import Geo
public import Messages

/// Vehicles that are still to be judged by changed clearances and fences, which are in force for all: those of a large fleet take
/// seconds, and are judged in several turns.
struct UnjudgedVehicles {
    /// Some may have been judged since.
    private var order: ArraySlice<VehicleID> = []
    private var ids: Set<VehicleID> = []
    private(set) var changes = EntryChanges()

    var isEmpty: Bool { ids.isEmpty }

    /// - Parameter vehicles: come behind those that wait already, so that nobody waits for ever where entries change without a
    ///   break.
    mutating func add(_ vehicles: [VehicleID], after changes: EntryChanges) {
        guard !vehicles.isEmpty else { return }
        order = ArraySlice(order.filter(ids.contains) + vehicles.filter { !ids.contains($0) })
        ids.formUnion(vehicles)
        self.changes.formUnion(changes)
    }

    /// The one to be judged next.
    mutating func next() -> VehicleID? {
        while let first = order.first, !ids.contains(first) { order.removeFirst() }
        return order.first
    }

    /// - Returns: nil: the vehicle need not be judged.
    mutating func take(_ id: VehicleID) -> EntryChanges? {
        guard ids.remove(id) != nil else { return nil }
        defer { if ids.isEmpty { self = UnjudgedVehicles() } }
        return changes
    }
}

extension Engine {
    /// Whether vehicles are still to be judged by changed clearances or fences that are in force.
    public var hasUnjudged: Bool { !unjudged.isEmpty }

    /// Whether some are to be judged by fences. To be kept, so that they are judged after a crash, too.
    public var hasUnjudgedFences: Bool { !unjudged.changes.fences.isEmpty }

    /// Judges all of them.
    public func judgeByChanges(at time: Timestamp) -> Effects {
        var batch = begin()
        judgeByChanges(in: &batch, at: time) { _ in true }
        return end(batch)
    }

    /// Judges vehicles by changed clearances and fences that are in force.
    ///
    /// - Parameter mayGoOn: asked after some of them.
    public func judgeByChanges(in batch: inout EngineBatch, at time: Timestamp, while mayGoOn: (Effects) -> Bool) {
        var unasked = 0
        while let id = unjudged.next() {
            judgeByChanges(id, at: time, &batch.effects)
            unasked += 1
            guard unasked == Self.unaskedMax else { continue }
            unasked = 0
            if !mayGoOn(batch.effects) { return }
        }
    }

    /// Judges a vehicle by changed clearances and fences, unless that has been done: to be called before it says something, or
    /// something falls due for it, so that it does not matter when its turn would come.
    func judgeByChanges(_ id: VehicleID, at time: Timestamp, _ effects: inout Effects) {
        guard let changes = unjudged.take(id) else { return }
        judge(id, by: changes, at: time, &effects)
        // The journal does not hold it.
        effects.awaiting.insert(id)
    }

    /// What changes mean for a vehicle now; of all else it hears with its next fix.
    func judge(_ id: VehicleID, by changes: EntryChanges, at time: Timestamp, _ effects: inout Effects) {
        guard let kept = vehicles[id] else { return }
        review(kept, after: changes.fences, at: time, &effects)
        let isConcerned = isConcerned(kept.copy, by: changes, at: time)
        if isConcerned { judge(kept, near: changes.places, at: time, &effects) }
        renewRegions(of: kept, after: changes.fences, orClearances: isConcerned, at: time, &effects)
    }

    /// Whether something may follow now for a vehicle from clearances.
    private func isConcerned(_ vehicle: Vehicle, by changes: EntryChanges, at time: Timestamp) -> Bool {
        guard changes.hasClearances else { return false }
        guard let differences = changes.differences, vehicle.alerts.isEmpty else { return true }
        guard let fix = vehicle.lastFix else { return false }
        let (places, circle) = (changes.places, vehicle.quiet.quiet?.circle)
        let reach = QuietFinder.straightLineReach(settings)
        let height = EffectiveHeight(of: vehicle, at: time, settings.heights).effective
        return places.contains(within: RuleDistance.changeNear, of: fix.position)
            || circle.map { places.contains(within: $0.radius + reach, of: $0.center) } ?? false
            || differences.contains { $0.concerns(vehicle, height: height) }
    }

    /// A changed clearance, where it may matter to a vehicle now; else the vehicle is judged by it at its next fix anyhow.
    private func judge(
        _ kept: KeptVehicle, near places: ChangedPlaces, at time: Timestamp, _ effects: inout Effects
    ) {
        let vehicle = kept.copy
        guard let fix = vehicle.lastFix, !hasEndedConsent(vehicle),
            !vehicle.alerts.isEmpty || vehicle.quiet.quiet != nil
                || places.contains(within: RuleDistance.changeNear, of: fix.position)
        else { return }
        update(kept, after: .clearance, at: time, &effects)
    }
}
