import Fleet
import Logging
import Messages
import Store
import Wire

/// What the broker retains, and what the store holds of it: at a start, and with each session.
extension TurnMaker {
    /// A new connection has come about.
    ///
    /// - Returns: how far what the broker retains is compared, where that has changed.
    mutating func review(_ session: ConnectedSession) throws -> RetainedInputs.Review? {
        // A new MQTT session brings nothing of what comes out of a queue.
        if isQueue {
            retained.sessionIsResumed()
            return session == .new ? lost.begin(engine.addresses) : nil
        }
        switch session {
        case .new:
            lost.stop()
            retained.sessionIsNew(kept: try store.retainedTopics())
            return .unfinished
        case .renewed: return try renewSession()
        case .resumed:
            if try storedReview == .earlierState, !retained.isAwaiting {
                // The program ended before that was done.
                retained.compareEarlierState(kept: try store.retainedTopics())
            } else {
                retained.sessionIsResumed()
            }
            return nil
        }
    }

    /// The broker begins to send all that it retains, in a session that goes on.
    private mutating func renewSession() throws -> RetainedInputs.Review {
        lost.stop()
        retained.sessionIsRenewed(kept: try store.retainedTopics())
        return .unfinished
    }

    /// Fixes that have waited for the answer follow what has come before it.
    mutating func settle(_ answer: ProbeAnswer, _ taken: inout Intake.Batch) throws {
        let wasAwaiting = retained.isAwaiting
        switch answer {
        case .nothing, .roundTrip: break
        case .earlierState:
            logger.warning(
                """
                The broker may have been restored from an earlier state; its retained messages are compared with those \
                kept here
                """)
            taken.review = .earlierState
            lost.stop()
            retained.compareEarlierState(kept: try store.retainedTopics())
        case .laterState:
            logger.warning(
                """
                The store is older than the session that the broker keeps for this gateway, as a restored copy is; what \
                the broker retains is taken over
                """)
            taken.review = try renewSession()
        case .retainedRead: retained.answered()
        case .probed(let delivery):
            if delivery != retained.waiting.delivery { taken.delivery = delivery }
            retained.probed(delivery, vehicles: engine.addresses)
        }
        // Not before: what has come may have taken back a consent.
        if wasAwaiting, !retained.isAwaiting { taken.review = lost.begin(engine.addresses) }
    }

    private var storedReview: RetainedInputs.Review? {
        get throws { try store.meta(RetainedInputs.reviewKey).flatMap(RetainedInputs.Review.init) }
    }

    // MARK: The start

    /// Takes up what the store holds.
    ///
    /// - Returns: what is to be committed, published and shown before anything else; nil: nothing is.
    mutating func restore(at now: Timestamp) throws -> Turn? {
        let (turn, held) = try decider.restore(intake, at: now, logger: logger)
        if !keepsPositions { try store.removeTracks() }
        try decider.takeUpTopics(at: now, logger: logger)
        if retained.configuration.pattern.namedLevelCount > 0 {
            storedOverwritten = try store.meta(RetainedInputs.overwrittenKey) ?? ""
            retained.restore(overwritten: storedOverwritten, at: now)
            try store.loadRetained { retained.restore($0, $1, at: now) }
            retained.sessionIsResumed()
        }
        storedMark = try store.meta(RetainedInputs.markKey).flatMap { Int($0) }
        switch try storedReview {
        case nil, .unfinished: break
        case .outputs:
            knewSession = true
            _ = lost.begin(engine.addresses)
        case .earlierState, .finished: knewSession = true
        }
        retained.waiting.restore(
            try store.meta(RetainedInputs.deliveryKey).flatMap(RetainedDelivery.init),
            vehicles: engine.addresses.map(\.vehicle), held: held)
        return turn
    }
}
