import Broker
import DequeModule
import Fleet
import Logging
import Messages
import Store
import Wire

/// Makes a turn of what has come from the broker.
///
/// Has no connection and only reads from the store, so that every step of a turn can be left out, repeated and stopped at.
struct TurnMaker {
    let keepsPositions: Bool
    let isQueue: Bool
    let intake: Intake
    let store: Store
    let logger: Logger
    var decider: Decider
    /// Keeps what is stored of retained inputs and what the broker retains in step.
    var retained: RetainedInputs
    var lost = LostOutputs()
    /// The newest mark of the broker's that is stored.
    var storedMark: Int?
    /// Whether the store had at the start what the broker retained when its session began: a new store has not, nor a copy.
    var knewSession = false
    /// `RetainedInputs.overwrittenText` as it is stored.
    var storedOverwritten = ""

    init(_ configuration: GatewayConfiguration, engine: Engine, store: Store, cabs: CabAccess, logger: Logger) {
        keepsPositions = configuration.keepPositions > 0
        isQueue = configuration.place.isQueue
        intake = Intake(configuration)
        decider = Decider(configuration, engine: engine, store: store, cabs: cabs)
        retained = RetainedInputs(configuration, logger: logger)
        self.store = store
        self.logger = logger
    }

    var engine: Engine { decider.engine }
    /// Alerts that dispatch has to take, the oldest first.
    var untaken: [UntakenAlert] { decider.composer.untaken.all }
    var handlings: Handlings { decider.composer.handlings }
    /// `Decider.unreadableVehicles`.
    var unreadableVehicles: Int { decider.unreadableVehicles }

    /// What other files lead to, which are in force from here on.
    mutating func replace(_ files: GatewayFiles, at now: Timestamp) throws -> Turn {
        try decider.replace(files, at: now)
    }

    /// What follows from the map as it is from here on.
    mutating func install(_ result: MapWork.Result, at now: Timestamp) throws -> Turn {
        try decider.install(result, at: now)
    }

    /// Writes every vehicle as it is, so that nothing is to be done again after the next start.
    mutating func saveAll(at now: Timestamp) throws -> Turn { try decider.saveAll(at: now) }

    /// `Decider.saveNext`
    mutating func saveNext(at now: Timestamp) throws -> Turn { try decider.saveNext(at: now) }
    var hasUnsaved: Bool { decider.composer.hasUnsaved }

    /// - Parameters:
    ///   - inbox: messages leave it as far as the turn takes them.
    ///   - share: of what a turn may take, 0 to 1.
    ///   - endsAtChange: a turn ends with a changed clearance and those that come right after it, so that what was sent after them
    ///     is judged by the changed map.
    ///   - clock: what comes later in a turn has come later, so that not all falls due at one moment.
    ///   - isOwn: whether a message is one of the gateway's own.
    mutating func turn(
        _ inbox: inout Inbox, share: Double, endsAtChange: Bool, clock: GatewayClock, isOwn: (ReceivedMessage) -> Bool
    ) throws -> Turn {
        let now = clock()
        // Of a map that is behind already it is not known when it is in force.
        let endsAtChange = endsAtChange && !engine.isMapBehind
        var (taken, batch) = (Intake.Batch(), engine.begin())
        let left = judgeByChanges(share: share, clock, at: now, &batch)
        var budget = passTime(isUpToDate: inbox.isUpToDate, share: left, clock, at: now, &taken, &batch)
        if let session = inbox.session {
            retained.connectedAt = now
            taken.review = try review(session)
        }
        inbox.session = nil
        retained.forgetEmptied(at: now, &taken)
        refuse(displaced: inbox.messages.takeDisplacedTopics(), &taken)
        let isEndHeld = inbox.isUpToDate && mustSaveBeforeEnd(at: now, batch)
        let isSaving = isEndHeld || mustSaveFirst(inbox, batch)
        while !budget.isSpent(by: batch.effects, at: clock.elapsed()), !mustSaveFirst(inbox, batch),
            !(endsAtChange && engine.isMapBehind) || entryKindNext(inbox) == .clearance
        {
            let first = taken.inputs.count
            guard try takeNext(&inbox, clock, isOwn, &taken) else { break }
            var next = first
            while next < taken.inputs.count {
                taken.inputs += handle(taken.inputs[next], at: now, in: &batch)
                next += 1
            }
        }
        lost.publish(by: engine, waiting: store.outboxCount, &taken, &batch) { effects in
            budget.isSpent(by: effects, at: clock.elapsed())
        }
        inbox.isHeldByChange = endsAtChange && engine.isMapBehind
        inbox.isHeldBySaving = isEndHeld || mustSaveFirst(inbox, batch)
        retained.waiting.endWaiting(at: now, isKnown: engine.knows, &taken)
        (taken.held, taken.released) = retained.waiting.takeHeld(of: engine.keeps)
        var turn = try decider.decide(
            taken, engine.end(batch), delivered: inbox.delivered, requests: inbox.requests, isSaving: isSaving, at: now)
        (inbox.delivered, inbox.requests) = ([], [])
        if let mark = inbox.mark, mark != storedMark { turn.batch.meta[RetainedInputs.markKey] = "\(mark)" }
        let overwritten = retained.overwrittenText
        if overwritten != storedOverwritten { turn.batch.meta[RetainedInputs.overwrittenKey] = overwritten }
        return turn
    }

    /// Has the engine handle an input. What waits for the broker's answer follows its vehicle's consent at once: fixes may come
    /// right behind it.
    ///
    /// - Returns: what has waited besides fixes of a vehicle that consents no longer, to be handled next: it counts where that is given
    ///   again.
    private mutating func handle(_ input: Input, at now: Timestamp, in batch: inout EngineBatch) -> [Input] {
        let (forgotten, consented) = (batch.effects.forgotten.count, batch.effects.consented.count)
        engine.handle(input, in: &batch)
        let waited = batch.effects.forgotten[forgotten...].flatMap { retained.waiting.forget($0.vehicle) }
        for address in batch.effects.consented[consented...] { retained.waiting.consented(address, at: now) }
        return if case .forget = input { [] } else { waited }
    }

    /// Whether a change comes next that concerns more than one vehicle, and more vehicles than one turn may write have to be
    /// written first: what the journal has of them was decided by what is stored before the change.
    private func mustSaveFirst(_ inbox: Inbox, _ batch: EngineBatch) -> Bool {
        decider.composer.mustSaveFirst(besides: batch.effects.changed.count) && entryKindNext(inbox) != nil
    }

    /// The same where a clearance is about to end by its own time.
    private func mustSaveBeforeEnd(at now: Timestamp, _ batch: EngineBatch) -> Bool {
        engine.mayEndClearance(by: now) && decider.composer.mustSaveFirst(besides: batch.effects.changed.count)
    }

    /// What the next message changes that concerns more than one vehicle; nil: it changes nothing, or is not what is handled next.
    private func entryKindNext(_ inbox: Inbox) -> Registration.Kind? {
        inbox.rest.isEmpty && !retained.waiting.hasReleased ? inbox.messages.first.flatMap(intake.entryKind) : nil
    }

    /// Takes what is handled before the budget is asked again: the rest of a message piece by piece, what has waited for the broker's
    /// answer vehicle by vehicle, then the next message.
    ///
    /// - Returns: whether there was anything.
    private mutating func takeNext(
        _ inbox: inout Inbox, _ clock: GatewayClock, _ isOwn: (ReceivedMessage) -> Bool, _ taken: inout Intake.Batch
    ) throws -> Bool {
        let first = taken.inputs.count
        if let input = inbox.rest.popFirst() {
            taken.inputs.append(input)
        } else if let released = retained.waiting.releaseNext() {
            taken.inputs += released
            return true
        } else if let message = inbox.messages.first {
            try take(message, &inbox, clock, isOwn, &taken)
            if taken.inputs.count > first { inbox.rest = Self.split(&taken.inputs, from: first) }
        } else {
            return false
        }
        if inbox.rest.isEmpty { inbox.messages.removeFirst() }
        return true
    }

    private mutating func take(
        _ message: ReceivedMessage, _ inbox: inout Inbox, _ clock: GatewayClock, _ isOwn: (ReceivedMessage) -> Bool,
        _ taken: inout Intake.Batch
    ) throws {
        let first = taken.inputs.count
        if isOwn(message) {
            let answer = inbox.answers.popFirst() ?? .nothing
            if case .roundTrip(let mark) = answer { inbox.roundTrip = mark }
            try settle(answer, &taken)
        } else if case let now = clock(), try isNews(message, at: now, &taken) {
            let keptCount = taken.retained.count
            intake.take(message, at: now, &taken)
            if taken.retained.count > keptCount {
                retained.noteTaken(message, from: first, in: engine, at: now, &taken)
            }
            retained.waiting.hold(
                &taken, from: first, isRetained: message.retained, isKnown: engine.knows)
        } else {
            taken.hasKeptInputs = true
        }
    }

    private mutating func isNews(
        _ message: ReceivedMessage, at now: Timestamp, _ taken: inout Intake.Batch
    ) throws -> Bool {
        guard try retained.isNews(message, kept: store.retained) else { return false }
        return try !retained.isOutdated(message, in: engine, kept: store.retained, at: now, &taken)
    }

    /// Fixes that a turn takes whole: 25 ms where each is compared with two thousand fences. A message may have six thousand.
    static let fixesAtOnce = 256

    /// Leaves of a message's inputs, the last of `inputs`, the first piece.
    ///
    /// - Returns: the other pieces, each an input or fixes of one, in the order in which they are handled.
    private static func split(_ inputs: inout [Input], from first: Int) -> Deque<Input> {
        if inputs.count == first + 1, inputs[first].fixCount <= fixesAtOnce { return [] }
        var pieces = Deque(inputs[first...].flatMap { $0.split(every: fixesAtOnce) })
        inputs.replaceSubrange(first..., with: [pieces.removeFirst()])
        return pieces
    }

    /// While more messages wait to be sent, nobody is judged by changed clearances and fences who says nothing: what he would be told is sent
    /// behind them, and of several changes that come meanwhile he is told at once. They are sent in some tenths of a second.
    private static let outboxMax = 1_000

    /// Whether vehicles are to be judged now by changed clearances and fences that are in force.
    var isJudgementDue: Bool { engine.hasUnjudged && store.outboxCount < Self.outboxMax }

    /// Judges vehicles by changed clearances and fences that are in force, where there are any to be judged.
    ///
    /// - Returns: the share that is left for all else.
    private func judgeByChanges(
        share: Double, _ clock: GatewayClock, at now: Timestamp, _ batch: inout EngineBatch
    ) -> Double {
        guard isJudgementDue else { return share }
        var budget = TurnBudget(share: share / 2, after: batch.effects, at: clock.elapsed())
        engine.judgeByChanges(in: &batch, at: now) { !budget.isSpent(by: $0, at: clock.elapsed()) }
        return share / 2
    }

    /// Lets time pass, where all has come that was sent before.
    ///
    /// - Returns: what there is for messages: half of it, where what falls due takes the other half and is not done.
    private mutating func passTime(
        isUpToDate: Bool, share: Double, _ clock: GatewayClock, at now: Timestamp, _ taken: inout Intake.Batch,
        _ batch: inout EngineBatch
    ) -> TurnBudget {
        var isDone = true
        if isUpToDate, !mustSaveBeforeEnd(at: now, batch) {
            var budget = TurnBudget(share: share / 2, after: batch.effects, at: clock.elapsed())
            taken.inputs.append(
                engine.tick(now, in: &batch) { effects in
                    isDone = !budget.isSpent(by: effects, at: clock.elapsed())
                    return isDone
                })
            for address in batch.effects.forgotten { retained.waiting.forget(address.vehicle) }
        } else {
            taken.inputs.append(.backlog(at: now))
            engine.handle(.backlog(at: now), in: &batch)
        }
        return TurnBudget(share: isDone ? share : share / 2, after: batch.effects, at: clock.elapsed())
    }

    /// What a message is to a newer one of its topic.
    func kind(_ message: ReceivedMessage, isProbe: (ReceivedMessage) -> Bool) -> WaitingMessages.Kind {
        isProbe(message) ? .probe : intake.isFix(message) ? .fix : .other
    }

    private func refuse(displaced topics: [String], _ taken: inout Intake.Batch) {
        taken.rejections += topics.map {
            RejectedInput(.displaced, $0, source: "location", vehicle: intake.reporter($0))
        }
    }

    /// The turn's batch is on the disk.
    mutating func noteCommit(_ turn: Turn) {
        decider.noteCommit(turn)
        if let mark = turn.batch.meta[RetainedInputs.markKey] { storedMark = Int(mark) }
        storedOverwritten = turn.batch.meta[RetainedInputs.overwrittenKey] ?? storedOverwritten
        retained.forget(topics: turn.batch.removedTopics)
        retained.noteCommit(turn.taken.retained.map(\.topic), at: turn.time) { turn.batch.retained[$0] ?? nil }
    }
}

extension Input {
    /// The same in pieces of at most `count` fixes, the oldest first, as the engine handles the fixes of a report.
    fileprivate func split(every count: Int) -> [Input] {
        guard case .report(.location(let fixes), let address, let receivedAt) = self, fixes.count > count else {
            return [self]
        }
        let sorted = fixes.sorted { $0.time < $1.time }
        return stride(from: 0, to: sorted.count, by: count).map { start in
            let piece = Array(sorted[start..<min(start + count, sorted.count)])
            return .report(.location(piece), from: address, receivedAt: receivedAt)
        }
    }
}
