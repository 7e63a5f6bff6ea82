import Fleet
import Messages
import MQTT
import Store
import Wire

/// What a turn means to dispatch.
struct DispatchChanges {
    /// Who sees to which alert after the turn.
    var handlings = Handlings()
    /// What becomes of each request, in their order.
    var outcomes: [HandlingOutcome] = []
    /// How many alerts nobody has answered for too long since the turn.
    var escalations = 0
}

extension TurnComposer {
    /// What dispatch has yet to do stays for so long, however short events are kept.
    private static let keepUndone: Double = 86_400

    /// Adds what dispatchers do, what drivers acknowledge, and which alerts somebody has to take.
    func addDispatch(
        to batch: inout StoreBatch, _ news: inout [Turn.News], _ effects: Effects, _ taken: Intake.Batch,
        _ requests: [HandlingRequest], of engine: Engine, at now: Timestamp
    ) -> DispatchChanges {
        var changes = DispatchChanges(handlings: handlings)
        let removed = Set(batch.removed)
        let oldest = batch.historyBefore.map { _ in now.adding(-max(configuration.keepEvents, Self.keepUndone)) }
        changes.handlings.remove(removed, before: oldest)
        var changed: [Handling] = []
        for request in requests {
            let outcome = changes.handlings.take(
                request, isOpen: engine.vehicle(request.vehicle)?.alerts.contains { $0.id == request.alert } ?? false,
                isUntaken: untaken.contains(request.alert) && !removed.contains(request.vehicle), at: now)
            if case .stored(let handling) = outcome { changed.append(handling) }
            changes.outcomes.append(outcome)
        }
        let answered = Set(changed.map(\.alert))
        for case .alert(let message) in effects.envelopes.lazy.map(\.message) where message.stage.isLast {
            if let handling = changes.handlings.end(with: message, at: now) { changed.append(handling) }
        }
        for handling in changed {
            let entry = HistoryEntry(handling)
            batch.history.append(entry)
            news.append((.handling, handling.vehicle, entry.payload))
        }
        batch.history += acknowledgements(taken, of: engine)
        if batch.historyBefore != nil { batch.handlingsKept = changes.handlings.all.keys.sorted() }
        let moved = Set(effects.left.map(\.vehicle)).union(taken.publishedAgain)
        batch.outbox += topics(of: changed, moved, after: changes.handlings, of: engine, at: now)
        let isTimeKnown = taken.inputs.contains { if case .tick = $0 { true } else { false } }
        let untaken = untaken.changes(
            effects, taking: answered, acknowledging: Self.acknowledging(taken), handled: changes.handlings,
            before: oldest, of: engine,
            escalating: isTimeKnown && configuration.ackTimeout > 0 ? now.adding(-configuration.ackTimeout) : nil,
            at: now)
        (batch.untaken, batch.taken) = (untaken.untaken, untaken.taken)
        changes.escalations = batch.untaken.count { $0.escalatedAt != nil }
        return changes
    }

    /// What the topics of vehicles say that no longer say what holds.
    ///
    /// - Parameter moved: vehicles whose topics are others now, or are empty.
    private func topics(
        of changed: [Handling], _ moved: Set<VehicleID>, after: Handlings, of engine: Engine, at now: Timestamp
    ) -> [OutboxMessage] {
        moved.union(changed.map(\.vehicle)).sorted().compactMap { vehicle -> Publication? in
            let open = after.ofOpenAlerts(vehicle)
            guard open != handlings.ofOpenAlerts(vehicle) || moved.contains(vehicle) && !open.isEmpty,
                let address = engine.vehicle(vehicle)?.address
            else { return nil }
            return encoder.encode(open, of: address, publishedAt: now)
        }.map { outbox($0, .low, at: now) }
    }

    /// Takes back who sees to which alert of vehicles that may not be kept any more; what is taken back of those that were to be
    /// forgotten, has it.
    func handlingWithdrawals(after effects: Effects, at now: Timestamp) -> [OutboxMessage] {
        let asked = Set(effects.erasures.map(\.address))
        return effects.forgotten.filter { !asked.contains($0) && !handlings.ofOpenAlerts($0.vehicle).isEmpty }
            .compactMap { encoder.encode([], of: $0, publishedAt: now) }.map { outbox($0, .normal, at: now) }
    }

    /// Vehicles whose drivers have acknowledged alerts.
    private static func acknowledging(_ taken: Intake.Batch) -> Set<VehicleID> {
        taken.inputs.reduce(into: []) { vehicles, input in
            if case .report(.acknowledgement(.alert), let address, _) = input { vehicles.insert(address.vehicle) }
        }
    }

    /// Of messages of open alerts.
    private func acknowledgements(_ taken: Intake.Batch, of engine: Engine) -> [HistoryEntry] {
        taken.inputs.compactMap { input in
            guard case .report(.acknowledgement(.alert(let id, let sequence)), let address, let time) = input,
                let alert = engine.vehicle(address.vehicle)?.alerts.first(where: { $0.id == id }),
                let acknowledged = alert.acknowledged, sequence <= acknowledged
            else { return nil }
            return HistoryEntry(acknowledgementOf: id, sequence: sequence, by: address.vehicle, at: time)
        }
    }
}

extension AlertMessage.Stage {
    fileprivate var isLast: Bool { self == .cleared || self == .passed }
}
