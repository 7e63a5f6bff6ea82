import Fleet
import Messages
import MQTT
import Store

/// What the gateway has decided about all that came in at once, before any of it is carried out: what is to be stored, and
/// then published, answered and shown. A turn that is never carried out leaves nothing behind but the engine's memory.
struct Turn {
    /// When it was decided.
    var time: Timestamp
    /// What had come in.
    var taken: Intake.Batch
    /// What the engine makes of it.
    var effects: Effects
    /// Counts up with each turn that is committed, over restarts too.
    var number: Int64
    /// Vehicles that have changed and are in the batch's journal entry instead of being written.
    var unsaved: Set<VehicleID>
    /// To be committed as a whole; its outbox is published after that.
    var batch: StoreBatch
    /// To be published without being stored, and only if that can be done at once.
    var unstored: [Publication]
    /// What has happened, for who looks on; to be shown after the commit.
    var news: [News]
    var dispatch: DispatchChanges

    /// - payload: as published.
    typealias News = (kind: LiveMessage.Kind, vehicle: VehicleID, payload: [UInt8])
}
