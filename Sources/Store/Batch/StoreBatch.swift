package import Hashing
package import Messages
package import Roads

/// A vehicle as it is kept: its address and the engine's own encoding of what it knows about it.
package struct StoredVehicle: Hashable, Sendable {
    package var address: VehicleAddress
    /// Opaque here; at most `StoreLimits.stateBytes`.
    package var state: [UInt8]
    /// The number of the last batch that the state includes.
    package var batch: Int64

    package init(address: VehicleAddress, state: [UInt8], batch: Int64) {
        self.address = address
        self.state = state
        self.batch = batch
    }
}

/// What one batch did to vehicles that were not written with it, to be done again after a crash.
package struct JournalEntry: Hashable, Sendable {
    /// Of the batch; later ones have higher numbers.
    package var batch: Int64
    /// Opaque here.
    package var record: [UInt8]

    package init(batch: Int64, record: [UInt8]) {
        self.batch = batch
        self.record = record
    }
}

/// What is kept of what vehicles did near low clearances.
package enum StoredPassages: Int, Hashable, Sendable {
    case inForce = 1
    /// Counted since, and not in force yet.
    case counted = 2
    /// What a part of a divided store brings to the sum of all parts: what its own vehicles did, as far as it is in force, and
    /// in the first part what was imported, which is in force in each.
    case own = 3
}

/// All that one step of the pipeline wants kept: it is on disk as a whole, or not at all.
package struct StoreBatch: Hashable, Sendable {
    /// When the batch was decided; stamps rows, decides nothing.
    package var time: Timestamp
    /// Vehicles to insert or to replace. One that is also in `removed` is kept with this state.
    package var changed: [StoredVehicle]
    /// Entries of the journal to add or to replace.
    package var journal: [JournalEntry]
    /// Entries of earlier batches than this are removed: the state of every vehicle includes them.
    package var journalBefore: Int64?
    /// Vehicles of which nothing is kept from here on, with their history and tracks; `removedTopics` says what else of
    /// them there is. Phones stay paired with them.
    package var removed: [VehicleID]
    /// Topics of which neither unsent messages nor kept payloads are to remain, other than those of this batch.
    package var removedTopics: [String]
    /// Messages to send; those of one priority in the order they are to go out.
    package var outbox: [OutboxMessage]
    /// Ids of outbox entries that the broker has acknowledged; those no longer there are passed over.
    package var delivered: [Int64]
    /// Payloads of retained topics to keep or to replace; nil: the topic was emptied.
    package var retained: [BytewiseText: [UInt8]?]
    /// Turns that were driven; their counts are added to those in the store.
    package var turns: [TurnCounts.Row]
    /// What vehicles did near low clearances, in the engine's own encoding, to replace what was kept.
    package var passages: [StoredPassages: [UInt8]]
    /// Which serial stands for which fence; without one: for none any more.
    package var fences: [KeptFence]
    /// What vehicles that may not be kept have said; without a status: they are kept.
    package var consentRecords: [ConsentRecord]
    /// Facts about the store as a whole, as the identity of the road file in force, to set or to replace.
    package var meta: [String: String]
    /// What the keys of those facts begin with that are about the store's session at the broker: a copy does not have them.
    package static let sessionPrefix = "broker."
    /// Alerts that dispatch has to take, to insert or to replace. One of a vehicle in `removed` is kept.
    package var untaken: [UntakenAlert]
    /// Ids of alerts that dispatch has no longer to take.
    package var taken: Set<String>
    /// Messages to post to webhooks, in the order they are to go out. One of a vehicle in `removed` is kept.
    package var webhooks: [WebhookDelivery]
    /// Ids of those that wait no more; those no longer there are passed over.
    package var webhooksSettled: [Int64]
    /// What is published with this batch and to be looked up later. A repeat of (id, sequence) changes nothing. An entry
    /// of a vehicle in `removed` is kept.
    package var history: [HistoryEntry]
    /// To be looked up later. A repeat changes nothing. One of a vehicle in `removed` is kept.
    package var blindSpots: [BlindSpotChange]
    /// Entries of the history, and changes of blind spots, before this time are removed, the oldest first, at most
    /// `StoreLimits.historyPurge` of them.
    package var historyBefore: Timestamp?
    /// Alerts of which what dispatchers did about them is not removed for its age: a start knows from it who sees to what.
    package var handlingsKept: [String]
    /// To add to tracks; a second one of the same vehicle and time changes nothing. One of a vehicle in `removed` is kept.
    package var positions: [TrackPoint]
    /// Positions before this time are removed, the oldest first, as many as `StoreLimits.positionPurge` says.
    package var positionsBefore: Timestamp?

    package init(
        time: Timestamp, changed: [StoredVehicle] = [], journal: [JournalEntry] = [], journalBefore: Int64? = nil,
        removed: [VehicleID] = [], removedTopics: [String] = [], outbox: [OutboxMessage] = [], delivered: [Int64] = [],
        retained: [BytewiseText: [UInt8]?] = [:], turns: [TurnCounts.Row] = [],
        passages: [StoredPassages: [UInt8]] = [:], fences: [KeptFence] = [], consentRecords: [ConsentRecord] = [],
        meta: [String: String] = [:],
        untaken: [UntakenAlert] = [], taken: Set<String> = [], webhooks: [WebhookDelivery] = [],
        webhooksSettled: [Int64] = [], history: [HistoryEntry] = [], blindSpots: [BlindSpotChange] = [],
        historyBefore: Timestamp? = nil, handlingsKept: [String] = [], positions: [TrackPoint] = [],
        positionsBefore: Timestamp? = nil
    ) {
        self.time = time
        self.changed = changed
        self.journal = journal
        self.journalBefore = journalBefore
        self.removed = removed
        self.removedTopics = removedTopics
        self.outbox = outbox
        self.delivered = delivered
        self.retained = retained
        self.turns = turns
        self.passages = passages
        self.fences = fences
        self.consentRecords = consentRecords
        self.meta = meta
        self.untaken = untaken
        self.taken = taken
        self.webhooks = webhooks
        self.webhooksSettled = webhooksSettled
        self.history = history
        self.blindSpots = blindSpots
        self.historyBefore = historyBefore
        self.handlingsKept = handlingsKept
        self.positions = positions
        self.positionsBefore = positionsBefore
    }

    package var isEmpty: Bool {
        changed.isEmpty && journal.isEmpty && journalBefore == nil && !removes && outbox.isEmpty && delivered.isEmpty
            && retained.isEmpty && turns.isEmpty && passages.isEmpty
            && fences.isEmpty && consentRecords.isEmpty && meta.isEmpty && untaken.isEmpty && taken.isEmpty
            && webhooks.isEmpty && webhooksSettled.isEmpty && history.isEmpty && blindSpots.isEmpty
            && historyBefore == nil && positions.isEmpty && positionsBefore == nil
    }

    /// Whether something is to leave the file, and not only its tables.
    var removes: Bool { !removed.isEmpty || !removedTopics.isEmpty }
}
