import Fleet
import Hashing
import Messages
import MQTT
import Store
import Wire

/// Puts a turn together of what has come in and what the engine makes of it.
struct TurnComposer {
    /// The history is purged this often.
    private static let purgeEvery: Double = 60
    /// Of the store: where clearances have changed, as long as the vehicles there are not judged by that.
    static let changedPlacesKey = "map.changed-places"
    /// Of the store: whether fences have changed that vehicles are still to be judged by; empty: none have.
    static let unjudgedFencesKey = "fences.unjudged"
    /// Of the store: until when clearances have ended by their own time, in milliseconds.
    static let endsKey = "clearances.ended"
    /// Of the store: whether former topics are being emptied; empty: they are not.
    static let emptyingKey = "topics.emptying"

    let configuration: GatewayConfiguration
    let encoder: WireEncoder
    /// The pattern in use, and those before it.
    var patterns: TopicPatterns
    /// Whether the former topics of vehicles that are kept are being emptied: not later, when they may be another gateway's.
    var emptiesFormerTopics = false
    private var purgedAt: Timestamp?
    private var unsaved: UnsavedVehicles
    var untaken = UntakenAlerts()
    var handlings = Handlings()
    /// Where clearances had changed and were not in force, as is stored.
    var changedPlaces = ChangedPlaces()
    /// Whether vehicles were still to be judged by fences, as is stored.
    var hasUnjudgedFences = false
    /// The number of the last turn that is stored.
    private var lastNumber: Int64 = 0

    init(_ configuration: GatewayConfiguration) {
        self.configuration = configuration
        unsaved = UnsavedVehicles(
            interval: configuration.snapshotInterval, countAtOnce: configuration.statesAtOnce)
        encoder = WireEncoder(pattern: configuration.pattern)
        patterns = TopicPatterns(configuration.pattern)
    }

    /// - Parameters:
    ///   - engine: as it is after `effects`.
    ///   - storedData: of each vehicle of `effects.erasures`, in their order.
    ///   - requests: of dispatchers.
    ///   - scope: which vehicles are written.
    mutating func turn(
        _ effects: Effects, _ taken: Intake.Batch, of engine: Engine, storedData: [StoredDataSummary] = [],
        delivered: [Int64] = [], requests: [HandlingRequest] = [], writing scope: WritingScope = .due, at now: Timestamp
    ) -> Turn {
        var batch = StoreBatch(time: now, delivered: delivered)
        var news: [Turn.News] = []
        let number = lastNumber + 1
        let changed = effects.changed.filter(engine.keeps)
        let written = written(changed, effects, taken, engine.isMapBehind ? max(scope, .changed) : scope, at: now)
        let unsaved = changed.subtracting(written)
        batch.changed = written.sorted().compactMap { engine.vehicle($0) }.map { StoredVehicle($0, batch: number) }
        addJournal(to: &batch, number, effects, taken, written: written, unsaved: unsaved)
        // What was emptied goes in any case; nothing is kept of a vehicle that does not consent to it.
        batch.retained = taken.retained
            .filter { entry in entry.payload == nil || (entry.vehicle.map(engine.keeps) ?? true) }
            .reduce(into: [:]) { $0[BytewiseText($1.topic)] = .some($1.payload) }
        batch.turns = effects.turns
        (batch.fences, batch.consentRecords) = (effects.fences, effects.consentRecords)
        batch.removed = effects.forgotten.map(\.vehicle)
        let storedTopics = storedData.flatMap { $0.unsent.keys.map(\.wrappedValue) + $0.inputs }
        batch.removedTopics = effects.forgotten.flatMap(topics) + storedTopics
        // Before all else: what is said of a vehicle that was forgotten in this batch is said of one that is back.
        let withdrawals = encoder.withdrawals(after: effects) + formerWithdrawals(after: effects)
        // What has come since, and is kept, stays on the broker, too.
        let renewed = Set(batch.retained.filter { $0.value != nil }.keys)
        batch.outbox = (withdrawals + otherWithdrawals(storedTopics, besides: withdrawals))
            .filter { !renewed.contains($0.$topic) }.map { outbox($0, .normal, at: now) }
        batch.outbox += handlingWithdrawals(after: effects, at: now)
        add(effects.envelopes, to: &batch, &news, at: now)
        // Behind what was said there before.
        batch.outbox += encoder.withdrawals(from: effects.left) { engine.vehicle($0)?.address }
            .map { outbox($0, .low, at: now) }
        batch.outbox += formerWithdrawals(effects, taken, of: engine).map { outbox($0, .low, at: now) }
        batch.outbox += results(effects, taken).map { outbox($0, .low, at: now) }
        // Behind the withdrawals.
        batch.outbox += answers(effects, taken, storedData).map { outbox($0, .normal, at: now) }
        batch.positions = effects.positions
        if configuration.keepEvents > 0 { batch.blindSpots = effects.blindSpotChanges }
        if let review = taken.review { batch.meta[RetainedInputs.reviewKey] = review.rawValue }
        if emptiesFormerTopics, taken.review == .finished { batch.meta[Self.emptyingKey] = "" }
        if let delivery = taken.delivery { batch.meta[RetainedInputs.deliveryKey] = delivery.rawValue }
        if engine.changedPlaces != changedPlaces { batch.meta[Self.changedPlacesKey] = engine.changedPlaces.text }
        if let time = effects.clearancesEndedAt { batch.meta[Self.endsKey] = "\(time.milliseconds)" }
        if engine.hasUnjudgedFences != hasUnjudgedFences {
            batch.meta[Self.unjudgedFencesKey] = engine.hasUnjudgedFences ? "yes" : ""
        }
        purge(&batch, at: now)
        let dispatch = addDispatch(to: &batch, &news, effects, taken, requests, of: engine, at: now)
        let unstored = effects.transient.compactMap { encoder.encode($0, publishedAt: now) }
        return Turn(
            time: now, taken: taken, effects: effects, number: number, unsaved: unsaved, batch: batch,
            unstored: unstored, news: news, dispatch: dispatch)
    }

    // MARK: Vehicles and their journal

    /// Whether vehicles have changed since they were written last.
    var hasUnsaved: Bool { !unsaved.isEmpty }

    /// Whether turns have to write vehicles first, before all of them can be written with one.
    ///
    /// - Parameter changed: how many vehicles have changed with this turn.
    func mustSaveFirst(besides changed: Int) -> Bool {
        hasUnsaved && unsaved.count + changed > configuration.statesAtOnce
    }

    /// Which vehicles are written with a turn.
    enum WritingScope: Comparable {
        /// Those whose turn it is, and those that the journal cannot hold.
        case due
        /// Also those that have changed with it.
        case changed
        /// Also some of those whose turn is next.
        case next
        /// All that are not written yet, so that the journal ends.
        case all
    }

    /// Vehicles whose state is written with a turn: those that are new; those that said something else than where they are,
    /// which the journal does not hold; those that wait for hazards or whose quiet circle did not outlast a start, and all that
    /// change while clearances do; and those whose turn it is. All of them where something changes that is shared by all:
    /// what the journal holds was decided by what is stored beside it.
    private func written(
        _ changed: Set<VehicleID>, _ effects: Effects, _ taken: Intake.Batch, _ scope: WritingScope, at now: Timestamp
    ) -> Set<VehicleID> {
        guard scope < .all, effects.fences.isEmpty, effects.clearancesEndedAt == nil,
            !taken.inputs.contains(where: \.isShared)
        else { return changed.union(unsaved.all) }
        let told = Set(taken.inputs.compactMap(\.vehicleToldOf)).union(taken.retained.compactMap(\.vehicle))
        return changed.filter { vehicle in
            scope >= .changed || told.contains(vehicle) || effects.awaiting.contains(vehicle)
                || !unsaved.isStored(vehicle)
        }.union(unsaved.due(at: scope == .next ? nil : now))
    }

    private func addJournal(
        to batch: inout StoreBatch, _ number: Int64, _ effects: Effects, _ taken: Intake.Batch,
        written: Set<VehicleID>, unsaved changed: Set<VehicleID>
    ) {
        let firstNeeded = unsaved.firstNeeded(besides: written, released: taken.released)
        let isHeldNew = !taken.held.isEmpty || firstNeeded != nil && !taken.released.isEmpty
        if !changed.isEmpty || isHeldNew || firstNeeded != nil && !effects.turns.isEmpty {
            let record = JournalRecord(
                taken.inputs, effects, released: taken.released, held: taken.held, of: changed.contains)
            batch.journal = [JournalEntry(batch: number, record: record.encoded())]
        }
        if unsaved.hasJournal(before: firstNeeded ?? number) { batch.journalBefore = firstNeeded ?? number }
    }

    /// The turn's batch is on the disk.
    mutating func noteCommit(_ turn: Turn) {
        lastNumber = turn.number
        if let text = turn.batch.meta[Self.changedPlacesKey] { changedPlaces = ChangedPlaces(text: text) }
        if let text = turn.batch.meta[Self.unjudgedFencesKey] { hasUnjudgedFences = !text.isEmpty }
        if turn.batch.meta[Self.emptyingKey] != nil { emptiesFormerTopics = false }
        untaken.note(turn.batch)
        handlings = turn.dispatch.handlings
        let entry = turn.batch.journal.first { $0.batch == turn.number }
        unsaved.note(
            turn.number, at: turn.time, written: turn.batch.changed.map(\.address.vehicle), unsaved: turn.unsaved,
            removed: turn.batch.removed, journal: entry?.record.count ?? 0, released: turn.taken.released,
            held: turn.taken.held.compactMap(\.address?.vehicle))
    }

    /// A vehicle is stored as it was after a batch.
    mutating func restore(_ vehicle: VehicleID, batch: Int64) {
        lastNumber = max(lastNumber, batch)
        unsaved.note(
            batch, at: .distantPast, written: CollectionOfOne(vehicle), unsaved: EmptyCollection(),
            removed: EmptyCollection(), journal: 0)
    }

    /// An entry of the journal was done again.
    mutating func restore(
        _ entry: JournalEntry, _ record: JournalRecord, changed: Set<VehicleID>, at time: Timestamp
    ) {
        lastNumber = max(lastNumber, entry.batch)
        unsaved.note(
            entry.batch, at: time, written: EmptyCollection(), unsaved: changed, removed: EmptyCollection(),
            journal: entry.record.count, released: record.released, held: record.held.map(\.address.vehicle))
    }

    // MARK: Messages

    private func add(_ envelopes: [Envelope], to batch: inout StoreBatch, _ news: inout [Turn.News], at now: Timestamp)
    {
        for envelope in envelopes {
            let priority = envelope.message.priority
            if let command = encoder.command(envelope, publishedAt: now) {
                batch.outbox.append(outbox(command, priority, at: now))
            }
            guard let message = encoder.encode(envelope, publishedAt: now) else { continue }
            batch.outbox.append(outbox(message, priority, at: now))
            if let kind = LiveMessage.Kind(envelope.message) {
                news.append((kind, envelope.address.vehicle, message.payload))
            }
            if case .alert(let alert) = envelope.message {
                batch.webhooks += webhookDeliveries(of: alert, message.payload, at: now)
            }
            if configuration.keepEvents > 0, let entry = HistoryEntry(envelope, message) { batch.history.append(entry) }
        }
    }

    private func webhookDeliveries(
        of alert: AlertMessage, _ payload: [UInt8], at now: Timestamp
    ) -> [WebhookDelivery] {
        configuration.webhooks.filter { $0.wants(alert.stage) }.map { hook in
            WebhookDelivery(
                url: hook.url, message: "\(alert.id)-\(alert.sequence)", vehicle: alert.vehicle, payload: payload,
                createdAt: now)
        }
    }

    func outbox(_ message: Publication, _ priority: OutboxPriority, at now: Timestamp) -> OutboxMessage {
        var message = message
        message.qos = configuration.qos
        return OutboxMessage(message, priority, expiresAt: message.expirySeconds.map { now.adding(Double($0)) })
    }

    /// Every shard has what they are about; one answers.
    private func results(_ effects: Effects, _ taken: Intake.Batch) -> [Publication] {
        guard configuration.place.speaksForFleet else { return [] }
        return (taken.registrations + effects.registrations).map { $0.encoded(on: configuration.topics) }
    }

    private func answers(_ effects: Effects, _ taken: Intake.Batch, _ storedData: [StoredDataSummary]) -> [Publication]
    {
        let answers = zip(effects.erasures, storedData).map { ForgetAnswer($0, $1) }
        return (taken.answers + answers).map { $0.encoded(on: configuration.topics) }
    }

    /// Takes back what is retained on other levels about vehicles that were asked to be forgotten.
    ///
    /// - Parameters:
    ///   - stored: topics of which the store had anything of them.
    ///   - known: what is taken back on the levels where they publish now.
    private func otherWithdrawals(_ stored: [String], besides known: [Publication]) -> [Publication] {
        let others = Set(stored.map(BytewiseText.init(_:))).subtracting(known.map(\.$topic)).sorted()
        return others.map(\.wrappedValue).filter { topic in
            guard let topicSuffix = patterns.parse(topic)?.topicSuffix else { return false }
            return TopicSuffix.withdrawnByForgetting.contains(topicSuffix)
        }.map(Publication.withdrawal)
    }

    /// Where something to or of a vehicle may lie.
    private func topics(of address: VehicleAddress) -> [String] {
        let commands = encoder.commandTopic(address).map { [$0] } ?? []
        return TopicSuffix.allCases.compactMap { configuration.pattern.topic(for: address, $0) } + commands
            + patterns.formerTopics(of: address, TopicSuffix.allCases)
    }

    /// Positions come with every batch where they are kept, and go with every one; looking for old ones costs a look into
    /// an index.
    private mutating func purge(_ batch: inout StoreBatch, at now: Timestamp) {
        if configuration.keepPositions > 0 { batch.positionsBefore = now.adding(-configuration.keepPositions) }
        if let purgedAt, now.since(purgedAt) < Self.purgeEvery { return }
        purgedAt = now
        batch.historyBefore = now.adding(-configuration.keepEvents)
    }
}

extension Input {
    /// Whether it is about more than one vehicle.
    fileprivate var isShared: Bool {
        switch self {
        case .clearances, .fences: true
        case .report, .forget, .tick, .backlog: false
        }
    }

    /// The vehicle of a report that is not about where it is.
    fileprivate var vehicleToldOf: VehicleID? {
        guard case .report(let report, let address, _) = self else { return nil }
        if case .location = report { return nil }
        return address.vehicle
    }
}

extension HistoryEntry {
    /// Nil for what says how things are, not what has happened.
    fileprivate init?(_ envelope: Envelope, _ message: Publication) {
        let (id, sequence, type, time): (String, Int, Kind, Timestamp)
        switch envelope.message {
        case .alert(let alert): (id, sequence, type, time) = (alert.id, alert.sequence, .alert, alert.time)
        case .event(let event): (id, sequence, type, time) = (event.id, 1, .event, event.time)
        case .visit(let visit): (id, sequence, type, time) = (visit.id, visit.sequence, .visit, visit.time)
        case .routeCheck, .state, .regions, .tracking, .request: return nil
        }
        self.init(
            id: id, sequence: sequence, vehicle: envelope.address.vehicle, type: type, time: time,
            payload: message.payload)
    }
}

extension Message {
    /// No alert waits behind what only says how things are.
    fileprivate var priority: OutboxPriority {
        switch self {
        case .alert, .routeCheck, .request: .high
        case .event, .visit: .normal
        case .state, .regions, .tracking: .low
        }
    }
}
