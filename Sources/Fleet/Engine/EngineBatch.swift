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
    /// Judges what the changes so far mean for vehicles. Where fences may matter to many, these are judged later.
    ///
    /// - Parameter vehicle: nil: all; else all that fences matter to, and of clearances this one alone.
    func settle(_ batch: inout EngineBatch, before vehicle: VehicleID? = nil) {
        let isMapChanged = map.revision != batch.mapRevision
        guard isMapChanged || catalogue.hasReplaced else { return }
        let replaced = catalogue.takeReplaced()
        let fences = FenceChanges(replaced)
        var near = index.concerned(by: replaced)
        if near.count > settings.judgedAtOnce {
            unjudged.add(near.sorted(), after: EntryChanges(fences: fences))
            near = []
        }
        var places: [VehicleID: ChangedPlaces] = [:]
        for id in !isMapChanged ? [] : vehicle.map({ [$0] }) ?? Array(vehicles.keys) {
            places[id] = batch.takePlaces(for: id, at: map.revision).map { ChangedPlaces($0) }
        }
        for id in near.union(places.keys).sorted() {
            let changes = EntryChanges(
                places: places[id] ?? ChangedPlaces(), differences: places[id] == nil ? [] : nil,
                fences: near.contains(id) ? fences : FenceChanges())
            judge(id, by: changes, at: batch.changedAt, &batch.effects)
        }
    }
}
