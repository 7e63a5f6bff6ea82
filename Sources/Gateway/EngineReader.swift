package import Fleet

/// Lets other threads read from the engine: the gateway thread asks for them between two passes, so that a question must take
/// it no longer than a fix does. What takes longer is worked out elsewhere, from what was read.
package final class EngineReader: Sendable {
    /// The most that wait at once, a pass long; beyond, nil.
    static let questionsMax = 100

    /// Each is called once; with nil where there is no answer.
    private let questions = OrderQueue<@Sendable (Engine?) -> Void>(limit: questionsMax)

    init() {}

    /// - Returns: nil where the gateway does not run, its store does not work, or too many ask.
    package func read<Value: Sendable>(_ body: @escaping @Sendable (Engine) -> Value) async -> Value? {
        await withCheckedContinuation { continuation in
            let entry = questions.add { engine in continuation.resume(returning: engine.map(body)) }
            if entry != .added { continuation.resume(returning: nil) }
        }
    }

    // MARK: The gateway thread

    /// - Parameter wake: ends the wait of the gateway thread; from any thread.
    func begin(_ wake: @escaping @Sendable () -> Void) { questions.begin(wake) }

    /// - Parameter engine: as it was committed; nil: it cannot be read now.
    func answer(_ engine: Engine?) { for question in questions.take() { question(engine) } }

    /// Nobody waits for a gateway that has ended.
    func end() {
        questions.end()
        answer(nil)
    }
}
