public import Clearances
import Geo
public import Messages
public import Roads

/// The state of the fleet and the rules that move it.
///
/// Pure and deterministic: the same inputs give the same effects, byte for byte. It has no clock; time is part of every
/// input. Used by one thread at a time.
public final class Engine {
    public let settings: EngineSettings
    /// `index` and `deadlines` are kept in step by `update` and `forget`.
    var vehicles: [VehicleID: KeptVehicle] = [:]
    var index = VehicleIndex()
    /// Vehicles of which nothing may be kept.
    var withoutConsent: VehiclesWithoutConsent
    let map: MapInForce
    var catalogue: FenceCatalogue
    var audiences = FenceAudiences()
    var deadlines = Deadlines()
    /// What vehicles did, as it is in force; `takeUpPassages` adds what they have done since.
    public internal(set) var history = HazardHistory()
    var passages = PassageCounts()
    /// Vehicles of which something waits for hazards.
    var awaiting: [VehicleID: AwaitingVehicle] = [:]
    /// Vehicles whose devices were told of a quiet circle before the start, as long as no tick has come since.
    var toldBefore: Set<VehicleID> = []
    /// Vehicles that never said anything and whose positions could be used before the start, and cannot be by the setting in
    /// force: their consent ends with the ticks, and nothing is done for them before.
    public internal(set) var withEndedConsent: ArraySlice<VehicleID> = []
    /// Vehicles that are still to be judged by changed clearances and fences that are in force.
    var unjudged = UnjudgedVehicles()
    /// Where clearances have changed that are not in force yet.
    var awaitedPlaces = ChangedPlaces()
    /// Those of them that the work under way takes into account.
    var placesUnderWay = ChangedPlaces()
    /// Whether they are of before the start: the map has them from the beginning on then, and is no other one by them.
    var hasRestoredPlaces = false
    /// Whether the inputs of this batch have waited.
    var isBacklog = false
    /// Set while records of the journal are done again.
    var repetition: Repetition?
    /// How many vehicles changed in the batch before: about as many will in this one.
    private var changedCount = 0

    /// - Parameters:
    ///   - network: nil: no road file; clearances are then judged by straight line.
    ///   - clearances: those of files beside the road file.
    ///   - fences: those of files.
    ///   - hazards: what is found on the roads is shared with the other engines that have these; nil: with none.
    public convenience init(
        _ settings: EngineSettings, network: RoadNetwork?, clearances: [PointClearance] = [], fences: [Fence] = [],
        hazards: SharedHazards? = nil
    ) {
        let map = MapInForce(network, files: clearances, settings, shared: hazards)
        self.init(settings, map: map, fences: fences)
    }

    init(_ settings: EngineSettings, map: MapInForce, fences: [Fence] = []) {
        self.settings = settings
        self.map = map
        catalogue = FenceCatalogue(files: fences)
        withoutConsent = VehiclesWithoutConsent(standard: settings.consent, style: settings.textStyle)
        _ = catalogue.takeReplaced()
    }

    /// Where clearances have changed that are not in force yet, or that vehicles are still to be judged by; to be kept, so that
    /// vehicles near them are judged after a crash, too.
    public var changedPlaces: ChangedPlaces {
        var places = unjudged.changes.places
        places.formUnion(awaitedPlaces)
        return places
    }

    /// Whether time that passes may end a clearance.
    public func mayEndClearance(by time: Timestamp) -> Bool { map.entries.nextExpiry.map { $0 <= time } ?? false }

    public var vehicleCount: Int { vehicles.count }
    public func vehicle(_ id: VehicleID) -> Vehicle? { vehicles[id]?.copy }

    /// When the next thing may fall due without an input; a tick at that moment finds it. Nil: nothing will.
    ///
    /// Who has no clock, and plays what was recorded, ticks at these moments.
    public var nextDeadline: Timestamp? { .earlier(deadlines.next?.time, map.entries.nextExpiry) }

    /// Lets time pass without an input, for who has no clock: each thing that falls due by `time` is handled when it is due.
    public func advance(to time: Timestamp, _ listener: (Effects, Timestamp) -> Void = { _, _ in }) {
        while let due = nextDeadline, due <= time { listener(handle([.tick(due)]), due) }
    }

    // MARK: Inputs

    public func handle(_ inputs: [Input]) -> Effects {
        var batch = begin()
        for index in inputs.indices { handle(inputs[index], in: &batch) }
        return end(batch)
    }

    /// A batch of inputs, of which each is handled by itself: whoever hands them over may stop after any.
    public func begin() -> EngineBatch {
        isBacklog = false
        return EngineBatch(mapRevision: map.revision, changedCount: changedCount)
    }

    public func handle(_ input: Input, in batch: inout EngineBatch) {
        switch input {
        case .clearances(let changes, let time):
            batch.places += apply(changes, &batch.effects)
            batch.changedAt = time
        case .fences(let changes, let time):
            batch.effects.registrations += changes.compactMap { catalogue.apply($0) }
            batch.changedAt = time
        case .report(let report, let address, let receivedAt):
            settle(&batch, before: address.vehicle)
            if hasUnjudged { judgeByChanges(address.vehicle, at: receivedAt, &batch.effects) }
            handle(report, from: address, receivedAt: receivedAt, &batch.effects)
        case .tick(let now, let until):
            expireClearances(at: now, &batch)
            settle(&batch)
            checkDue(upTo: until ?? DueTime(now), now: now, &batch.effects)
            guard until == nil else { break }
            reviewQuiet(at: now, &batch.effects)
            endConsents(at: now, &batch.effects) { _ in true }
        case .forget(let request): forget(request, &batch.effects)
        case .backlog: isBacklog = true
        }
        batch.noteHandled()
    }

    /// Lets time pass, as far as what follows from it may go on.
    ///
    /// - Parameter mayGoOn: asked after each moment at which something falls due, and after parts of the vehicles where that is for many;
    ///   and after each vehicle whose consent ends by the setting.
    /// - Returns: what has been handled, as an input of the batch.
    public func tick(_ now: Timestamp, in batch: inout EngineBatch, while mayGoOn: (Effects) -> Bool) -> Input {
        defer { batch.noteHandled() }
        expireClearances(at: now, &batch)
        settle(&batch)
        var unasked = 0
        while let due = deadlines.next, due.time <= now {
            unasked += checkDue(upTo: due, now: now, &batch.effects)
            if unasked < Self.unaskedMax, deadlines.next?.time == due.time { continue }
            unasked = 0
            if !mayGoOn(batch.effects) { return .tick(now, until: due) }
        }
        reviewQuiet(at: now, &batch.effects)
        endConsents(at: now, &batch.effects, while: mayGoOn)
        return .tick(now)
    }

    public func end(_ batch: EngineBatch) -> Effects {
        var batch = batch
        settle(&batch)
        if map.isBehind { awaitedPlaces.add(batch.places) }
        batch.effects.fences = catalogue.takeUnsaved()
        changedCount = batch.effects.changed.count
        return batch.effects
    }

    /// For so many vehicles to be judged, or to have something fall due at one moment, takes no longer than a few fixes.
    static let unaskedMax = 32

    /// Does what has fallen due. One deadline may set the next, which a late tick finds due as well.
    ///
    /// - Returns: for how many vehicles.
    @discardableResult
    private func checkDue(upTo end: DueTime, now: Timestamp, _ effects: inout Effects) -> Int {
        var count = 0
        while case let due = deadlines.due(upTo: end), !due.isEmpty {
            count += due.count
            for deadline in due {
                if hasUnjudged { judgeByChanges(deadline.vehicle.id, at: now, &effects) }
                check(deadline.vehicle, at: deadline.due.time, now: now, &effects)
            }
        }
        return count
    }

    /// Does again what the engine did in one batch, for vehicles that are as they were before it.
    ///
    /// - Parameters:
    ///   - published: keys of the messages that all records led to then.
    ///   - now: when it is done again.
    ///   - isDone: whose state has it already.
    /// - Returns: what it leads to, as the first time; `JournalRecord.published` says which of its messages are stored. By other
    ///   settings or another map it may be more, but no alert that begins or rises by a position that is too old by now.
    public func replay(
        _ record: JournalRecord, published: Set<UInt64>, at now: Timestamp, besides isDone: (VehicleID) -> Bool
    ) -> Effects {
        var effects = Effects()
        isBacklog = false
        repetition = Repetition(published: published, now: now)
        defer { repetition = nil }
        for step in record.steps {
            switch step {
            case .tick(let now, let until):
                // Who is near was judged, or is noted in `changedPlaces`.
                _ = map.expire(at: now)
                checkDue(upTo: until ?? DueTime(now), now: now, &effects)
            case .backlog: isBacklog = true
            case .fixes(_, let address, _, let turns)
            where isDone(address.vehicle) || hasEndedConsent(address.vehicle):
                map.add(turns)
            case .fixes(let fixes, let address, let receivedAt, _):
                handle(.location(fixes), from: address, receivedAt: receivedAt, &effects)
            case .turns(let turns): map.add(turns)
            case .held, .released: break
            }
        }
        return effects
    }

    /// Another road file, or other clearances and fences beside it: every vehicle is matched again; alerts whose hazard is no
    /// longer there end.
    public func replace(
        _ network: RoadNetwork?, clearances: [PointClearance] = [], fences: [Fence] = [], at time: Timestamp
    ) -> Effects {
        map.replace(network, files: clearances)
        (awaiting, awaitedPlaces, placesUnderWay) = ([:], ChangedPlaces(), ChangedPlaces())
        (unjudged, hasRestoredPlaces) = (UnjudgedVehicles(), false)
        catalogue.replace(files: fences)
        // All vehicles are looked at.
        _ = catalogue.takeReplaced()
        var effects = Effects()
        for id in vehicles.keys.sorted() {
            guard let kept = vehicles[id] else { continue }
            kept.awake.vehicle.guidance.forgetWays()
            findRoad(of: &kept.awake.vehicle)
            kept.awake.vehicle.fences.forgetGone(catalogue)
            update(kept, after: .map, at: time, &effects)
        }
        effects.fences = catalogue.takeUnsaved()
        return effects
    }

    // MARK: Clearances and fences

    private func expireClearances(at time: Timestamp, _ batch: inout EngineBatch) {
        let places = map.expire(at: time)
        guard !places.isEmpty else { return }
        batch.effects.clearancesEndedAt = time
        batch.places += places
        batch.changedAt = time
    }

    /// - Returns: where something is no longer as it was.
    private func apply(_ changes: [ClearanceChange], _ effects: inout Effects) -> [Coordinate] {
        changes.flatMap { change -> [Coordinate] in
            guard let outcome = map.apply(change) else { return [] }
            if let registration = outcome.registration { effects.registrations.append(registration) }
            return outcome.places
        }
    }
}
