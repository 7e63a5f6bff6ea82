import Geo
public import Messages

/// Vehicles that are still to be judged by changed clearances, which are in force for all: those of a large fleet take seconds, and
/// are judged in several turns.
struct UnjudgedVehicles {
    /// Some may have been judged since.
    private var order: ArraySlice<VehicleID> = []
    private var ids: Set<VehicleID> = []
    private(set) var change = MapChange()

    var isEmpty: Bool { ids.isEmpty }

    /// - Parameter vehicles: come behind those that wait already, so that nobody waits for ever where clearances change without a
    ///   break.
    mutating func add(_ vehicles: [VehicleID], after change: MapChange) {
        guard !vehicles.isEmpty else { return }
        order = ArraySlice(order.filter(ids.contains) + vehicles.filter { !ids.contains($0) })
        ids.formUnion(vehicles)
        self.change.formUnion(change)
    }

    /// The one to be judged next.
    mutating func next() -> VehicleID? {
        while let first = order.first, !ids.contains(first) { order.removeFirst() }
        return order.first
    }

    /// - Returns: nil: the vehicle need not be judged.
    mutating func take(_ id: VehicleID) -> MapChange? {
        guard ids.remove(id) != nil else { return nil }
        defer { if ids.isEmpty { self = UnjudgedVehicles() } }
        return change
    }
}

/// Clearances that have changed and are in force.
struct MapChange {
    /// To look through more takes as long as to judge a vehicle.
    private static let differencesMax = 64

    /// Where they are.
    var places = ChangedPlaces()
    /// Where hazards are others by that, of each time that some came into force; nil: that is not known.
    var differences: [MapDifference]? = []

    mutating func formUnion(_ other: MapChange) {
        places.formUnion(other.places)
        differences = other.differences.flatMap { others in differences.map { $0 + others } }
        if differences?.count ?? 0 > Self.differencesMax { differences = nil }
    }
}

extension Engine {
    /// Whether vehicles are still to be judged by changed clearances that are in force.
    public var hasUnjudged: Bool { !unjudged.isEmpty }

    /// Judges all of them.
    public func judgeByChangedMap(at time: Timestamp) -> Effects {
        var batch = begin()
        judgeByChangedMap(in: &batch, at: time) { _ in true }
        return end(batch)
    }

    /// Judges vehicles by changed clearances that are in force.
    ///
    /// - Parameter mayGoOn: asked after some of them.
    public func judgeByChangedMap(
        in batch: inout EngineBatch, at time: Timestamp, while mayGoOn: (Effects) -> Bool
    ) {
        var unasked = 0
        while let id = unjudged.next() {
            judgeByChangedMap(id, at: time, &batch.effects)
            unasked += 1
            guard unasked == Self.unaskedMax else { continue }
            unasked = 0
            if !mayGoOn(batch.effects) { return }
        }
    }

    /// Judges a vehicle by changed clearances, unless that has been done: to be called before it says something, or something falls due
    /// for it, so that it does not matter when its turn would come.
    func judgeByChangedMap(_ id: VehicleID, at time: Timestamp, _ effects: inout Effects) {
        guard let change = unjudged.take(id), let kept = vehicles[id], isConcerned(kept.copy, by: change, at: time)
        else { return }
        judge(id, near: change.places, at: time, &effects)
        update(kept, after: .regionCandidates, at: time, &effects)
        // The journal does not hold it.
        effects.awaiting.insert(id)
    }

    /// Whether something may follow now for a vehicle; else it finds the map changed with its next fix.
    private func isConcerned(_ vehicle: Vehicle, by change: MapChange, at time: Timestamp) -> Bool {
        guard let differences = change.differences, vehicle.alerts.isEmpty else { return true }
        guard let fix = vehicle.lastFix else { return false }
        let (places, circle) = (change.places, vehicle.quiet.quiet?.circle)
        let reach = QuietFinder.straightLineReach(settings)
        let height = EffectiveHeight(of: vehicle, at: time, settings.heights).effective
        return places.contains(within: RuleDistance.changeNear, of: fix.position)
            || circle.map { places.contains(within: $0.radius + reach, of: $0.center) } ?? false
            || differences.contains { $0.concerns(vehicle, height: height) }
    }
}
