package import Fleet
package import Messages

/// Lets other threads read from the engine: the gateway thread asks for them between two passes, so that a question must take
/// it no longer than a fix does. What takes longer is worked out elsewhere, from what was read.
package final class EngineReader: Sendable {
    /// The most that wait at once, a pass long; beyond, nil.
    static let questionsMax = 100

    /// Each is called once; with nil where there is no answer.
    private let questions = OrderQueue<Question>(limit: questionsMax)

    private struct Question: Sendable {
        /// Whose engine is asked; nil: any.
        var vehicle: VehicleID?
        var ask: @Sendable (Engine?) -> Void
    }

    init() {}

    /// - Parameter vehicle: that the question is about; nil: what every engine knows.
    /// - Returns: nil where the gateway does not run, its store does not work, or too many ask.
    package func read<Value: Sendable>(
        of vehicle: VehicleID? = nil, _ body: @escaping @Sendable (Engine) -> Value
    ) async -> Value? {
        await withCheckedContinuation { continuation in
            let question = Question(vehicle: vehicle) { continuation.resume(returning: $0.map(body)) }
            let entry = questions.add(question)
            if entry != .added { continuation.resume(returning: nil) }
        }
    }

    // MARK: The gateway thread

    /// - Parameter wake: ends the wait of the gateway thread; from any thread.
    func begin(_ wake: @escaping @Sendable () -> Void) { questions.begin(wake) }

    /// - Parameter engines: of all shards, as they were committed; empty: they cannot be read now.
    func answer(_ engines: [Engine]) {
        for question in questions.take() {
            guard let first = engines.first else {
                question.ask(nil)
                continue
            }
            question.ask(question.vehicle.flatMap { id in engines.first { $0.knows(id) } } ?? first)
        }
    }

    /// Nobody waits for a gateway that has ended.
    func end() {
        questions.end()
        answer([])
    }
}
