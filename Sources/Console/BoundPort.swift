import Synchronization

/// The port the console listens on, for those who wait for it.
final class BoundPort: Sendable {
    private enum State {
        case waiting([Int: CheckedContinuation<Int, any Error>])
        case known(Result<Int, any Error>)
    }

    private let state = Mutex(State.waiting([:]))
    private let tickets = Atomic<Int>(0)

    /// Waits until `settle` was called.
    ///
    /// - Throws: what it was settled with, or `CancellationError` where the waiting task ends first.
    var value: Int {
        get async throws {
            let ticket = tickets.wrappingAdd(1, ordering: .relaxed).newValue
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { wait(ticket, $0) }
            } onCancel: {
                giveUp(ticket)
            }
        }
    }

    /// Only the first call counts; whether this was it.
    @discardableResult
    func settle(_ result: Result<Int, any Error>) -> Bool {
        let waiting = state.withLock { state -> [Int: CheckedContinuation<Int, any Error>]? in
            guard case .waiting(let waiting) = state else { return nil }
            state = .known(result)
            return waiting
        }
        guard let waiting else { return false }
        for continuation in waiting.values { continuation.resume(with: result) }
        return true
    }

    private func wait(_ ticket: Int, _ continuation: CheckedContinuation<Int, any Error>) {
        let known = state.withLock { state -> Result<Int, any Error>? in
            switch state {
            case .known(let result): return result
            // A task that was cancelled before it came here has given up a ticket that was not there yet.
            case .waiting where Task.isCancelled: return .failure(CancellationError())
            case .waiting(var waiting):
                waiting[ticket] = continuation
                state = .waiting(waiting)
                return nil
            }
        }
        if let known { continuation.resume(with: known) }
    }

    private func giveUp(_ ticket: Int) {
        let continuation = state.withLock { state -> CheckedContinuation<Int, any Error>? in
            guard case .waiting(var waiting) = state else { return nil }
            let continuation = waiting.removeValue(forKey: ticket)
            state = .waiting(waiting)
            return continuation
        }
        continuation?.resume(throwing: CancellationError())
    }
}
