package import Fleet
package import Messages

/// Lets other threads read from the engine: the gateway thread asks for them between two passes, so that a question must take
/// it no longer than a fix does. What takes longer is worked out elsewhere, from what was read.
package final class EngineReader: Sendable {
    /// The most that wait at once, a pass long; beyond, nil.
    static let questionsMax = 100

    /// Each is called once; with nil where there is no answer.
    private let questions = OrderQueue<Question>(limit: questionsMax)

    /// A vehicle as another gateway has it, with its route.
    typealias VehicleElsewhere = (vehicle: Vehicle, route: Route?)

    private struct Question: Sendable {
        var ask: @Sendable (_ engines: [Engine], _ elsewhere: (VehicleID) -> VehicleElsewhere?) -> Void
    }

    init() {}

    /// - Parameter body: reads what every engine knows.
    /// - Returns: nil where the gateway does not run, its store does not work, or too many ask.
    package func read<Value: Sendable>(_ body: @escaping @Sendable (Engine) -> Value) async -> Value? {
        await ask { engines, _ in engines.first.map(body) }
    }

    /// What explanations of a vehicle are worked out from, which may be another gateway's of a cluster: of those this one knows
    /// while somebody asks for the view.
    ///
    /// - Returns: nil as `read`; a source of nil where no fix of the vehicle has been used.
    package func explanationSource(
        of vehicle: VehicleID
    ) async -> (isKnown: Bool, source: ExplanationSource?)? {
        await ask { engines, elsewhere -> (isKnown: Bool, source: ExplanationSource?)? in
            guard let first = engines.first else { return nil }
            if let own = engines.first(where: { $0.knows(vehicle) }) {
                return (isKnown: own.keeps(vehicle), source: own.explanationSource(of: vehicle))
            }
            guard let (stored, route) = elsewhere(vehicle) else { return (isKnown: false, source: nil) }
            return (isKnown: true, source: first.explanationSource(ofStored: stored, route: route))
        }
    }

    private func ask<Value: Sendable>(
        _ body: @escaping @Sendable (_ engines: [Engine], _ elsewhere: (VehicleID) -> VehicleElsewhere?) -> Value?
    ) async -> Value? {
        await withCheckedContinuation { continuation in
            let question = Question { continuation.resume(returning: body($0, $1)) }
            let entry = questions.add(question)
            if entry != .added { continuation.resume(returning: nil) }
        }
    }

    // MARK: The gateway thread

    /// - Parameter wake: ends the wait of the gateway thread; from any thread.
    func begin(_ wake: @escaping @Sendable () -> Void) { questions.begin(wake) }

    /// - Parameters:
    ///   - engines: of all shards, as they were committed; empty: they cannot be read now.
    ///   - elsewhere: what other gateways have told.
    func answer(_ engines: [Engine], elsewhere: (VehicleID) -> VehicleElsewhere? = { _ in nil }) {
        for question in questions.take() { question.ask(engines, elsewhere) }
    }

    /// Nobody waits for a gateway that has ended.
    func end() {
        questions.end()
        answer([])
    }
}
