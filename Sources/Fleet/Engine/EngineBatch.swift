import Geo
public import Messages

/// What the inputs of a batch have led to so far. Changes of one batch are in force for all that follows in it; who is affected
/// is judged once, at its end.
public struct EngineBatch {
    public internal(set) var effects = Effects()
    /// Before the batch.
    let mapRevision: Int
    /// Where clearances have changed.
    var places: [Coordinate] = []
    /// When the newest fence or clearance did.
    var changedAt = Timestamp.distantPast
    /// How many inputs have been handled.
    private var count = 0

    init(mapRevision: Int) { self.mapRevision = mapRevision }

    /// The next input has been handled: turns that were driven by it are its own.
    mutating func noteHandled() {
        while effects.turnInputs.count < effects.turns.count { effects.turnInputs.append(count) }
        count += 1
    }
}
