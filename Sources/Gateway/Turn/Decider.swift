import Fleet
import Messages
import Store
import Wire

/// Decides what inputs lead to, and carries nothing of it out: it asks the engine, and composes what is to be stored,
/// published and shown.
struct Decider {
    let engine: Engine
    private let configuration: GatewayConfiguration
    /// Only read from.
    private let store: Store
    private var composer: TurnComposer

    init(_ configuration: GatewayConfiguration, engine: Engine, store: Store) {
        self.configuration = configuration
        self.engine = engine
        self.store = store
        composer = TurnComposer(configuration)
    }

    /// - Parameters:
    ///   - taken: its inputs go to the engine, in their order.
    ///   - delivered: ids of outbox entries that the broker has acknowledged.
    mutating func decide(_ taken: Intake.Batch, delivered: [Int64] = [], at now: Timestamp) throws -> Turn {
        try turn(engine.handle(taken.inputs), taken, delivered: delivered, at: now)
    }

    /// What other files lead to, which are in force from here on.
    mutating func replace(_ files: GatewayFiles, at now: Timestamp) throws -> Turn {
        let effects = engine.replace(files.network, clearances: files.clearances, fences: files.fences, at: now)
        return try turn(effects, Intake.Batch(), delivered: [], at: now)
    }

    private mutating func turn(
        _ effects: Effects, _ taken: Intake.Batch, delivered: [Int64], at now: Timestamp
    ) throws -> Turn {
        let storedData = try effects.erasures.map { try self.storedData(of: $0.request.vehicle) }
        var turn = composer.turn(effects, taken, of: engine, storedData: storedData, delivered: delivered, at: now)
        turn.batch.removedTopics += try keptTopics(of: effects.forgotten)
        return turn
    }

    /// Topics of which an input of these vehicles is kept beside those of their addresses: other levels may be named there.
    private func keptTopics(of addresses: [VehicleAddress]) throws -> [String] {
        guard configuration.pattern.namedLevelCount > 0 else { return [] }
        return try addresses.flatMap { try storedData(of: $0.vehicle).inputs }
    }

    private func storedData(of vehicle: VehicleID) throws -> StoredDataSummary {
        try store.storedData(of: vehicle) { configuration.pattern.concerns(vehicle, $0) }
    }
}
