package import Fleet
import Synchronization

/// Lets other threads read from the engine: the gateway thread asks for them between two passes, so that a question must take
/// it no longer than a fix does. What takes longer is worked out elsewhere, from what was read.
package final class EngineReader: Sendable {
    /// The most that wait at once, a pass long; beyond, nil.
    static let questionsMax = 100

    private struct Content {
        /// Each is called once; with nil where there is no answer.
        var questions: [@Sendable (Engine?) -> Void] = []
        var hasEnded = false
        var wake: (@Sendable () -> Void)?
    }

    private let content = Mutex(Content())

    init() {}

    /// - Returns: nil where the gateway does not run, its store does not work, or too many ask.
    package func read<Value: Sendable>(_ body: @escaping @Sendable (Engine) -> Value) async -> Value? {
        await withCheckedContinuation { continuation in
            let wake = content.withLock { content -> (@Sendable () -> Void)? in
                guard !content.hasEnded, content.questions.count < Self.questionsMax, let wake = content.wake else {
                    return nil
                }
                content.questions.append { engine in continuation.resume(returning: engine.map(body)) }
                return wake
            }
            if let wake { wake() } else { continuation.resume(returning: nil) }
        }
    }

    // MARK: The gateway thread

    /// - Parameter wake: ends the wait of the gateway thread; from any thread.
    func begin(_ wake: @escaping @Sendable () -> Void) { content.withLock { $0.wake = wake } }

    /// - Parameter engine: as it was committed; nil: it cannot be read now.
    func answer(_ engine: Engine?) {
        let questions = content.withLock { content in
            defer { content.questions = [] }
            return content.questions
        }
        for question in questions { question(engine) }
    }

    /// Nobody waits for a gateway that has ended.
    func end() {
        content.withLock { $0.hasEnded = true }
        answer(nil)
    }
}
