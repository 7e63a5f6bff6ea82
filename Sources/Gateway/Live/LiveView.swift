import Fleet
import Messages
import Synchronization

/// Where who looks on meets the gateway thread: they ask, and it shows what holds between two of its passes.
///
/// While nobody asks, nothing is put together, so that the view costs a gateway nothing that nobody looks at.
package final class LiveView: Sendable {
    /// A snapshot so old is shown to the next who asks: five a second, whoever looks on.
    package static let ageMax: Duration = .milliseconds(200)

    private struct Content {
        var snapshot = LiveSnapshot()
        var takenAt: ContinuousClock.Instant?
        var waiting: [CheckedContinuation<LiveSnapshot, Never>] = []
        var hasEnded = false
        var wake: (@Sendable () -> Void)?
    }

    private let content = Mutex(Content())

    init() {}

    /// What holds, no older than `age`. Before the gateway has begun, waits for it; after its end, the last there was.
    package func snapshot(noOlderThan age: Duration = ageMax) async -> LiveSnapshot {
        await withCheckedContinuation { continuation in
            let (fresh, wake) = content.withLock { content in
                let isFresh = content.takenAt.map { ContinuousClock.now - $0 <= age } ?? false
                if isFresh || content.hasEnded { return (Optional(content.snapshot), nil as (@Sendable () -> Void)?) }
                content.waiting.append(continuation)
                return (nil, content.wake)
            }
            if let fresh { continuation.resume(returning: fresh) }
            wake?()
        }
    }

    // MARK: The gateway thread

    /// - Parameter wake: ends the wait of the gateway thread; from any thread.
    func begin(_ wake: @escaping @Sendable () -> Void) { content.withLock { $0.wake = wake } }

    var isAwaited: Bool { content.withLock { !$0.waiting.isEmpty } }

    /// Who asks from now on is shown what holds from now on.
    func expire() { content.withLock { $0.takenAt = nil } }

    func show(_ snapshot: LiveSnapshot) {
        let waiting = content.withLock { content in
            content.snapshot = snapshot
            content.takenAt = .now
            defer { content.waiting = [] }
            return content.waiting
        }
        for continuation in waiting { continuation.resume(returning: snapshot) }
    }

    /// Shows what was shown last to those who have asked: nothing newer is committed, and they shall not wait for it.
    func showLast() {
        let (waiting, snapshot) = content.withLock { content in
            defer { content.waiting = [] }
            return (content.waiting, content.snapshot)
        }
        for continuation in waiting { continuation.resume(returning: snapshot) }
    }

    /// Nobody waits for a gateway that has ended.
    func end() {
        let (waiting, snapshot) = content.withLock { content in
            content.hasEnded = true
            defer { content.waiting = [] }
            return (content.waiting, content.snapshot)
        }
        for continuation in waiting { continuation.resume(returning: snapshot) }
    }
}
