import Fleet
import Geo
import Messages

/// Draws trips by their numbers and plays every strategy on each: one for each thread.
package struct TrackingWorker {
    /// How long the gateway goes on after the last second of a trip: the reorder window, hysteresis, and more.
    private static let settling = 120

    private let comparison: TrackingComparison
    private var trips: EvaluationWorker
    private let truth: Engine
    /// Strategies with equal settings share one.
    private let engines: [EngineSettings: Engine]

    package init(_ comparison: TrackingComparison) {
        self.comparison = comparison
        // Nobody asks here how long the engine takes.
        trips = EvaluationWorker(comparison.evaluator) { .zero }
        let engine = { Engine($0, network: comparison.evaluator.network, fences: comparison.fences) }
        truth = engine(comparison.truthSettings)
        let settings = Set(comparison.plan.strategies.map(comparison.settings))
        engines = Dictionary(uniqueKeysWithValues: settings.map { ($0, engine($0)) })
    }

    /// Draws a trip and plays it by each strategy.
    ///
    /// - Parameter number: of the trip in the plan; all else that is played has no part in the result.
    /// - Returns: nil where the network has no such trip.
    package mutating func account(ofTrip number: Int) -> TrackingAccount? {
        trips.trip(number).map { account(of: comparison.plan.drive($0, number: number), number: number) }
    }

    func account(of drive: Drive, number: Int) -> TrackingAccount {
        let seconds = drive.seconds
        let background = comparison.plan.background(number)
        let truth = play(TrackingComparison.truth, background, truth, seconds)
        let strategies = comparison.plan.strategies.map { strategy in
            guard let engine = engines[comparison.settings(for: strategy)] else {
                preconditionFailure("an engine was made for each strategy of the plan")
            }
            let record = play(strategy, background, engine, seconds)
            return TrackingResult(strategy, record, truth: truth, number: number)
        }
        return TrackingAccount(
            number: number, kilometres: drive.trip.length / 1000, hours: Double(seconds.count) / 3600,
            truth: TrackingResult(TrackingComparison.truth, truth, truth: truth, number: number), strategies: strategies
        )
    }

    /// One strategy on one trip.
    private func play(
        _ strategy: TrackingStrategy, _ background: BackgroundGrants, _ engine: Engine, _ seconds: [DeviceSecond]
    ) -> TrackingRecord {
        guard let vehicle = VehicleID("truck"), let start = seconds.first?.time, let end = seconds.last?.time else {
            preconditionFailure("every drive has a second, and letters can stand in a vehicle's id")
        }
        let address = VehicleAddress(vehicle: vehicle)
        var device = strategy.device(background)
        var record = TrackingRecord()
        func receive(_ input: Input) {
            for case .tracking(let tracking) in record.note(engine.handle([input])) { device.receive(tracking) }
        }
        receive(.report(.profile(comparison.profile(for: strategy)), from: address, receivedAt: start))
        for second in seconds {
            receive(.tick(second.time))
            let act = device.advance(to: second)
            if act.looks { record.energy.look(at: second.time) }
            guard let fix = act.report else { continue }
            record.energy.send(at: second.time)
            receive(.report(.location([fix]), from: address, receivedAt: second.time))
        }
        for second in 1...Self.settling { receive(.tick(end.adding(Seconds(second)))) }
        engine.forget(vehicle)
        return record
    }
}

/// What one device did on one trip, and what was said of it.
struct TrackingRecord {
    var energy = EnergyBounds()
    private(set) var groundTruth: [GroundTruthEvent] = []

    /// - Returns: all that was said.
    mutating func note(_ effects: Effects) -> [Message] {
        let messages = effects.envelopes.map(\.message)
        groundTruth += messages.compactMap { GroundTruthEvent($0) }
        return messages
    }
}
