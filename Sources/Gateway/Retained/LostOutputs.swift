import Fleet
import Messages

/// Vehicles about which a broker may have lost what the gateway itself retains: their state, regions, tracking, and who sees
/// to their alerts.
///
/// Nobody can ask a broker for all of that as for what others retain, and a vehicle at rest says nothing for days. So all of it
/// is published again, as it was published last.
struct LostOutputs {
    /// In one turn, as many vehicles as it writes: they are read in 5 ms.
    private static let atOnceMax = 256
    /// With so many messages in the outbox the others wait.
    private static let outboxMax = OutboxQueue.aheadMax

    private var vehicles: ArraySlice<VehicleID> = []

    /// - Returns: how far it has come.
    mutating func begin(_ vehicles: [VehicleAddress]) -> RetainedInputs.Review {
        self.vehicles = vehicles.map(\.vehicle)[...]
        return vehicles.isEmpty ? .finished : .outputs
    }

    mutating func stop() { vehicles = [] }

    /// Publishes some of it, behind all that has come.
    ///
    /// - Parameters:
    ///   - waiting: how many messages the outbox has.
    ///   - isSpent: whether the turn is to lead to no more.
    mutating func publish(
        by engine: Engine, waiting: Int, _ taken: inout Intake.Batch, _ batch: inout EngineBatch,
        until isSpent: (Effects) -> Bool
    ) {
        guard !vehicles.isEmpty, waiting < Self.outboxMax else { return }
        while taken.publishedAgain.count < Self.atOnceMax, !isSpent(batch.effects), let next = vehicles.popFirst() {
            engine.publishAgain(next, in: &batch)
            taken.publishedAgain.append(next)
        }
        if vehicles.isEmpty { taken.review = .finished }
    }
}
