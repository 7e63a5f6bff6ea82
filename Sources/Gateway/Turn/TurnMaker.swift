import Broker
import Fleet
import Logging
import Messages
import Store
import Wire

/// What has come from the broker since the turn before.
struct Inbox {
    var messages: [ReceivedMessage] = []
    /// Ids of outbox entries that the broker has acknowledged.
    var delivered: [Int64] = []
    /// Whether a new connection is one with a new session; nil: there is no new connection.
    var isNewSession: Bool?
    /// The newest mark that the broker has taken.
    var mark: Int?
    /// Whether nothing that was sent before has still to come: only then time passes without a message.
    var isUpToDate = false
}

/// Makes a turn of what has come from the broker.
///
/// Has no connection and only reads from the store, so that every step of a turn can be left out, repeated and stopped at.
struct TurnMaker {
    private let keepsPositions: Bool
    private let intake: Intake
    private let store: Store
    private let logger: Logger
    private var decider: Decider
    /// Keeps what is stored of retained inputs and what the broker retains in step.
    var retained: RetainedInputs
    /// The newest mark of the broker's that is stored.
    private(set) var storedMark: Int?

    init(_ configuration: GatewayConfiguration, engine: Engine, store: Store, logger: Logger) {
        keepsPositions = configuration.keepPositions > 0
        intake = Intake(configuration)
        decider = Decider(configuration, engine: engine, store: store)
        retained = RetainedInputs(configuration, logger: logger)
        self.store = store
        self.logger = logger
    }

    var engine: Engine { decider.engine }
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

    /// - Parameter ownAnswer: what a message says that is one of the gateway's own; nil: it is somebody else's.
    mutating func turn(
        _ inbox: Inbox, at now: Timestamp, ownAnswer: (ReceivedMessage) -> ProbeAnswer?
    ) throws -> Turn {
        var taken = Intake.Batch()
        taken.inputs.append(inbox.isUpToDate ? .tick(now) : .backlog(at: now))
        if let isNewSession = inbox.isNewSession { taken.review = try review(isNewSession: isNewSession) }
        for message in inbox.messages {
            if let answer = ownAnswer(message) {
                try settle(answer, &taken)
            } else if try retained.isNews(message, kept: store.retained) {
                let first = taken.inputs.count
                intake.take(message, at: now, &taken)
                retained.hold(&taken, from: first)
            } else {
                taken.hasKeptInputs = true
            }
        }
        retained.endWaiting(at: now, isKnown: engine.knows, &taken)
        var turn = try decider.decide(taken, delivered: inbox.delivered, at: now)
        if let mark = inbox.mark, mark != storedMark { turn.batch.meta[RetainedInputs.markKey] = "\(mark)" }
        return turn
    }

    /// The turn's batch is on the disk.
    mutating func noteCommit(_ turn: Turn) {
        decider.noteCommit(turn)
        if let mark = turn.batch.meta[RetainedInputs.markKey] { storedMark = Int(mark) }
        retained.forget(turn.batch.removed, topics: turn.batch.removedTopics)
    }

    // MARK: The broker's retained messages

    /// A new connection has come about.
    ///
    /// - Returns: how far what the broker retains is compared, where that has changed.
    private mutating func review(isNewSession: Bool) throws -> RetainedInputs.Review? {
        let review = try store.meta(RetainedInputs.reviewKey).flatMap(RetainedInputs.Review.init)
        if isNewSession {
            retained.sessionIsNew(kept: try store.retainedTopics())
            return review == .unfinished ? nil : .unfinished
        }
        if let review, review != .finished, !retained.isAwaiting {
            // The program ended before that was done: what came before does not come again by itself.
            retained.compare(review, kept: try store.retainedTopics())
        } else {
            retained.sessionIsResumed()
        }
        return nil
    }

    /// Inputs that have waited for the answer follow what has come before it.
    private mutating func settle(_ answer: ProbeAnswer, _ taken: inout Intake.Batch) throws {
        let wasAwaiting = retained.isAwaiting
        switch answer {
        case .nothing: break
        case .earlierState:
            logger.warning(
                """
                The broker may have been restored from an earlier state; its retained messages are compared with those \
                kept here
                """)
            taken.review = .earlierState
            retained.compare(.earlierState, kept: try store.retainedTopics())
        case .retainedRead: taken.inputs += retained.answered()
        case .probed(let delivery):
            if delivery != retained.delivery { taken.delivery = delivery }
            taken.inputs += retained.probed(delivery, vehicles: engine.addresses)
        }
        if wasAwaiting, !retained.isAwaiting { taken.review = .finished }
    }

    // MARK: The start

    /// Takes up what the store holds.
    ///
    /// - Returns: what is to be committed, published and shown before anything else; nil: nothing is.
    mutating func restore(at now: Timestamp) throws -> Turn? {
        let turn = try decider.restore(intake, at: now, logger: logger)
        if !keepsPositions { try store.removeTracks() }
        storedMark = try store.meta(RetainedInputs.markKey).flatMap { Int($0) }
        retained.restore(
            try store.meta(RetainedInputs.deliveryKey).flatMap(RetainedDelivery.init),
            vehicles: engine.addresses.map(\.vehicle))
        return turn
    }
}
