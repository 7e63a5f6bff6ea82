import Fleet
import Logging
import Messages
import Roads
import Store

/// The start: vehicles are taken up as they were last written, and what the journal has of the time since is done again.
extension Decider {
    /// Takes up what the store holds.
    ///
    /// - Returns: messages that the journal leads to now and that were not published then, as where the program was started
    ///   again with other settings or another map, and the journal without what may not be kept any more, to be committed first
    ///   (nil: there is neither); and what is held.
    mutating func restore(
        _ intake: Intake, at now: Timestamp, logger: Logger
    ) throws -> (turn: Turn?, held: HeldReports) {
        let journal = try readJournal(logger)
        let batches = try restoreVehicles(logger)
        composer.untaken = UntakenAlerts(try store.loadUntaken())
        composer.handlings = Handlings(try store.loadHandling())
        engine.restore(try store.loadFences())
        for refusal in try store.loadRefusals() { engine.restore(refusal) }
        let held = HeldReports(journal.map(\.record)) { _ in true }
        try store.loadRetained { topic, payload in
            for input in intake.restore(topic, payload) where !held.hasLater(than: input) { engine.restore(input) }
        }
        composer.changedPlaces = ChangedPlaces(text: try store.meta(TurnComposer.changedPlacesKey) ?? "")
        engine.restore(composer.changedPlaces)
        var turns = TurnSum()
        try store.loadTurns { turns.add($0) }
        for (_, record) in journal { record.turns.forEach { turns.remove($0) } }
        engine.restore(turns.rows)
        try restorePassages(logger)
        if let ends = try store.meta(TurnComposer.endsKey).flatMap({ Int64($0) }) {
            engine.restoreEnds(until: Timestamp(milliseconds: ends))
        }
        engine.prepare()
        let turn = try replay(journal, after: batches, at: now, logger)
        engine.endClearances(at: now)
        composer.hasUnjudgedFences = !(try store.meta(TurnComposer.unjudgedFencesKey) ?? "").isEmpty
        if composer.hasUnjudgedFences { engine.restoreUnjudgedFences() }
        return (turn, HeldReports(journal.map(\.record), of: engine.keeps))
    }

    /// - Returns: the last batch that the state of each includes.
    private mutating func restoreVehicles(_ logger: Logger) throws -> [VehicleID: Int64] {
        var batches: [VehicleID: Int64] = [:]
        try store.loadVehicles { stored in
            let id = stored.address.vehicle
            do {
                engine.restore(try stored.vehicle(), state: stored.state)
                composer.restore(id, batch: stored.batch)
                batches[id] = stored.batch
            } catch {
                unreadableVehicles += 1
                logger.error("The state of vehicle \(id) cannot be read and starts anew: \(error)")
            }
        }
        return batches
    }

    private func restorePassages(_ logger: Logger) throws {
        let (inForce, counted) = (try store.loadPassages(.inForce), try store.loadPassages(.counted))
        do {
            if let inForce { engine.restore(try HazardHistory(encoded: inForce)) }
            if let counted { engine.restore(counted: try HazardHistory(encoded: counted)) }
        } catch {
            logger.error("What vehicles did near low clearances cannot be read and is counted anew: \(error)")
        }
    }

    private func readJournal(_ logger: Logger) throws -> [(entry: JournalEntry, record: JournalRecord)] {
        try store.loadJournal().compactMap { entry in
            do {
                return (entry, try JournalRecord(encoded: entry.record))
            } catch {
                logger.error("Batch \(entry.batch) of the journal cannot be read, and its fixes are lost: \(error)")
                return nil
            }
        }
    }

    private mutating func replay(
        _ journal: [(entry: JournalEntry, record: JournalRecord)], after batches: [VehicleID: Int64], at now: Timestamp,
        _ logger: Logger
    ) throws -> Turn? {
        // Of all entries: of a vehicle that was written later than others, what falls due comes in an earlier one.
        let published = Set(journal.flatMap(\.record.published))
        var unpublished = Effects()
        for (entry, record) in journal {
            let effects = engine.replay(record, published: published, at: now) {
                batches[$0].map { $0 >= entry.batch } ?? true
            }
            composer.restore(entry, record, changed: effects.changed, at: record.time ?? now)
            unpublished.envelopes += effects.envelopes.filter { !published.contains($0.message.key) }
        }
        if !journal.isEmpty { logger.info("Repeated \(journal.count) batches of the journal") }
        let ended = Set(engine.withEndedConsent)
        if !ended.isEmpty {
            logger.notice("\(ended.count) vehicles that never said anything consent no longer, by consent.default")
        }
        guard !unpublished.envelopes.isEmpty || !ended.isEmpty && !journal.isEmpty else { return nil }
        if !unpublished.envelopes.isEmpty {
            logger.notice(
                "\(unpublished.envelopes.count) messages follow from the journal that were not published before")
        }
        var turn = composer.turn(unpublished, Intake.Batch(), of: engine, writing: .all, at: now)
        // All at once: each turn that ends the consent of some of them would read the journal for that.
        turn.batch.journal += try self.journal(without: ended)
        return turn
    }
}

/// How often turns were driven.
private struct TurnSum {
    private struct Turn: Hashable {
        var arriving: EdgeKey
        var next: EdgeKey
    }

    private var counts: [Turn: Int] = [:]

    /// Those that were driven at all.
    var rows: [TurnCounts.Row] {
        counts.filter { $0.value > 0 }.map { TurnCounts.Row(arriving: $0.arriving, next: $0.next, count: $1) }
    }

    mutating func add(_ row: TurnCounts.Row) {
        counts[Turn(arriving: row.arriving, next: row.next), default: 0] += row.count
    }

    mutating func remove(_ row: TurnCounts.Row) {
        counts[Turn(arriving: row.arriving, next: row.next), default: 0] -= row.count
    }
}
