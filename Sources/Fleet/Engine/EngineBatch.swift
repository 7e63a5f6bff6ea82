import Geo
public import Messages

/// What the inputs of a batch have led to so far. Changes of one batch are in force for all that follows in it. What they mean
/// for a vehicle is judged before it says something, so that this leads to what it would have led to by itself, and for all
/// others once, at the end.
public struct EngineBatch {
    public internal(set) var effects = Effects()
    /// Before the batch.
    let mapRevision: Int
    /// Where clearances have changed.
    var places: [Coordinate] = []
    /// When the newest fence or clearance did.
    var changedAt = Timestamp.distantPast
    /// Those that have been judged since a clearance changed: at which revision, and by how many of `places`.
    private var judged: [VehicleID: (revision: Int, places: Int)] = [:]
    /// How many inputs have been handled.
    private var count = 0

    /// - Parameter changedCount: how many vehicles will change, as far as that is known.
    init(mapRevision: Int, changedCount: Int) {
        self.mapRevision = mapRevision
        effects.changed.reserveCapacity(changedCount)
    }

    /// The next input has been handled: turns that were driven by it are its own.
    mutating func noteHandled() {
        while effects.turnInputs.count < effects.turns.count { effects.turnInputs.append(count) }
        count += 1
    }

    /// - Returns: where clearances have changed that a vehicle has not been judged by; nil: it has been by all. From here on it
    ///   has been.
    fileprivate mutating func takePlaces(for vehicle: VehicleID, at revision: Int) -> ArraySlice<Coordinate>? {
        let last = judged[vehicle] ?? (mapRevision, 0)
        guard last.revision != revision else { return nil }
        judged[vehicle] = (revision, places.count)
        return places[last.places...]
    }
}

extension Engine {
    /// Judges what the changes so far mean for vehicles.
    ///
    /// - Parameter vehicle: nil: all; else all that fences matter to, and of clearances this one alone.
    func settle(_ batch: inout EngineBatch, before vehicle: VehicleID? = nil) {
        let isMapChanged = map.revision != batch.mapRevision
        guard isMapChanged || catalogue.hasReplaced else { return }
        let nearby = vehicles(near: catalogue.takeReplaced())
        review(nearby, at: batch.changedAt, &batch.effects)
        var concerned = Set<VehicleID>()
        let unjudged = !isMapChanged ? [] : vehicle.map { [$0] } ?? vehicles.keys.sorted()
        for id in unjudged {
            guard let places = batch.takePlaces(for: id, at: map.revision) else { continue }
            concerned.insert(id)
            judge(id, near: ChangedPlaces(places), at: batch.changedAt, &batch.effects)
        }
        renewRegions(after: nearby, of: concerned, at: batch.changedAt, &batch.effects)
    }

    /// A changed clearance, where it may matter to a vehicle now; else the vehicle is judged by it at its next fix anyhow.
    func judge(_ id: VehicleID, near places: ChangedPlaces, at time: Timestamp, _ effects: inout Effects) {
        guard let kept = vehicles[id], case let vehicle = kept.copy, let fix = vehicle.lastFix,
            !hasEndedConsent(vehicle)
        else { return }
        guard
            !vehicle.alerts.isEmpty || vehicle.quiet.quiet != nil
                || places.contains(within: RuleDistance.changeNear, of: fix.position)
        else { return }
        update(kept, after: .clearance, at: time, &effects)
    }
}
