import Fleet
import Geo
import Messages
import Store
import Wire

/// Decides what inputs lead to, and carries nothing of it out: it asks the engine, and composes what is to be stored,
/// published and shown.
struct Decider {
    let engine: Engine
    private let configuration: GatewayConfiguration
    /// Only read from.
    let store: Store
    /// Nil: no phone is paired while this decides.
    private let cabs: CabAccess?
    var composer: TurnComposer
    /// When what vehicles did was last taken up; nil: not since the start.
    private var passagesTakenUpAt: Timestamp?
    /// How many vehicles began anew at the start because their state could not be read.
    var unreadableVehicles = 0

    init(_ configuration: GatewayConfiguration, engine: Engine, store: Store, cabs: CabAccess? = nil) {
        self.configuration = configuration
        self.engine = engine
        self.store = store
        self.cabs = cabs
        composer = TurnComposer(configuration)
    }

    /// - Parameters:
    ///   - taken: its inputs go to the engine, in their order.
    ///   - delivered: ids of outbox entries that the broker has acknowledged.
    mutating func decide(_ taken: Intake.Batch, delivered: [Int64] = [], at now: Timestamp) throws -> Turn {
        try decide(taken, engine.handle(taken.inputs), delivered: delivered, at: now)
    }

    /// The same for inputs that the engine has handled already.
    ///
    /// - Parameters:
    ///   - effects: what they have led to.
    ///   - requests: of dispatchers.
    ///   - isSaving: whether something waits until all vehicles are written.
    mutating func decide(
        _ taken: Intake.Batch, _ effects: Effects, delivered: [Int64] = [], requests: [HandlingRequest] = [],
        isSaving: Bool = false, at now: Timestamp
    ) throws -> Turn {
        let areDue = arePassagesDue(at: now)
        let mustSaveFirst = areDue && composer.mustSaveFirst(besides: effects.changed.count)
        return try turn(
            effects, taken, delivered: delivered, requests: requests, writing: isSaving || mustSaveFirst ? .next : .due,
            takingUpPassages: areDue && !mustSaveFirst, at: now)
    }

    /// What other files lead to, which are in force from here on.
    mutating func replace(_ files: GatewayFiles, at now: Timestamp) throws -> Turn {
        let effects = engine.replace(files.network, clearances: files.clearances, fences: files.fences, at: now)
        return try turn(effects, Intake.Batch(), writing: .all, at: now)
    }

    /// What follows from the map as it is from here on. Who has changed since clearances did is written already.
    mutating func install(_ result: MapWork.Result, at now: Timestamp) throws -> Turn {
        try turn(engine.install(result, at: now), Intake.Batch(), writing: .changed, at: now)
    }

    /// Writes every vehicle as it is, so that nothing is to be done again after the next start.
    mutating func saveAll(at now: Timestamp) throws -> Turn {
        var turn = try turn(Effects(), Intake.Batch(), writing: .all, at: now)
        // Not in force with a stop: who goes on from here says what he would have said without one.
        let counted = engine.passagesCounted
        if !counted.isEmpty { turn.batch.passages[.counted] = counted.encoded() }
        return turn
    }

    /// Writes some of the vehicles that have changed since they were written last: those that have waited longest.
    mutating func saveNext(at now: Timestamp) throws -> Turn {
        try turn(Effects(), Intake.Batch(), writing: .next, at: now)
    }

    /// Every vehicle is written for it; and what counts is what hundreds of vehicles did.
    private static let passagesEvery: Seconds = 3_600

    private mutating func arePassagesDue(at now: Timestamp) -> Bool {
        let last = passagesTakenUpAt ?? now
        passagesTakenUpAt = last
        return engine.hasPassagesCounted && now.since(last) >= Self.passagesEvery || engine.arePassagesFillingUp
    }

    private mutating func turn(
        _ effects: Effects, _ taken: Intake.Batch, delivered: [Int64] = [], requests: [HandlingRequest] = [],
        writing scope: TurnComposer.WritingScope = .due, takingUpPassages areTakenUp: Bool = false, at now: Timestamp
    ) throws -> Turn {
        let counted = areTakenUp ? engine.passagesCounted : HazardHistory()
        if areTakenUp {
            engine.takeUpPassages()
            passagesTakenUpAt = now
        }
        let storedData = try effects.erasures.map { erasure in
            var data = try self.storedData(of: erasure.request.vehicle)
            // This shard's store need not have them.
            if let cabs { data.phones = cabs.tokens(of: erasure.request.vehicle, at: now).count }
            return data
        }
        var turn = composer.turn(
            effects, taken, of: engine, storedData: storedData, delivered: delivered, requests: requests,
            writing: areTakenUp ? .all : scope, at: now)
        if areTakenUp {
            turn.batch.passages = [.inForce: engine.history.encoded(), .counted: engine.passagesCounted.encoded()]
            if configuration.place.count > 1 { turn.batch.passages[.own] = try ownPassages(with: counted).encoded() }
        }
        turn.batch.removedTopics += try keptTopics(of: effects.forgotten)
        turn.batch.journal += try journal(without: Set(effects.forgotten.map(\.vehicle)))
        return turn
    }

    /// What this part of the fleet brings to the sum of all parts, with what was counted since the last time.
    private func ownPassages(with counted: HazardHistory) throws -> HazardHistory {
        // What cannot be read is counted anew, as at the start.
        var own = try store.loadOwnPassages().flatMap { try? HazardHistory(encoded: $0) } ?? HazardHistory()
        own.add(counted)
        return own
    }

    /// The entries that have anything of these vehicles, without it.
    func journal(without vehicles: Set<VehicleID>) throws -> [JournalEntry] {
        guard !vehicles.isEmpty else { return [] }
        return try store.loadJournal().compactMap { entry in
            // What cannot be read names nobody that could be told apart, and is of no use.
            guard let record = try? JournalRecord(encoded: entry.record) else {
                return JournalEntry(batch: entry.batch, record: [])
            }
            let rest = record.removing(vehicles.contains)
            return rest == record ? nil : JournalEntry(batch: entry.batch, record: rest.encoded())
        }
    }

    /// The turn's batch is on the disk.
    ///
    /// Vehicles go on from what was written, as they will after a crash: what is derived and not stored is found again here
    /// too, so that the journal leads to the same.
    mutating func noteCommit(_ turn: Turn) {
        composer.noteCommit(turn)
        for stored in turn.batch.changed {
            engine.resume(stored.address.vehicle, storedAs: stored.state)
        }
    }

    /// Topics of which an input of these vehicles is kept beside those of their addresses: other levels may be named there, and
    /// other patterns may have been in use.
    private func keptTopics(of addresses: [VehicleAddress]) throws -> [String] {
        let isKeptElsewhere = configuration.pattern.namedLevelCount > 0 || !composer.patterns.former.isEmpty
        guard isKeptElsewhere, !addresses.isEmpty else { return [] }
        // All topics once: the database would look through them for each vehicle.
        let vehicles = Set(addresses.map(\.vehicle))
        return try store.retainedTopics().filter { topic in
            composer.patterns.parse(topic).map { vehicles.contains($0.address.vehicle) } ?? false
        }
    }

    private func storedData(of vehicle: VehicleID) throws -> StoredDataSummary {
        try store.storedData(of: vehicle) { composer.patterns.concerns(vehicle, $0) }
    }
}
