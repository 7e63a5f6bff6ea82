import Fleet
import Messages
import Synchronization

/// Where who looks on meets the gateway thread: they ask, and it shows what holds between two of its passes.
///
/// While nobody asks, nothing is put together, so that the view costs a gateway nothing that nobody looks at.
package final class LiveView: Sendable {
    /// A snapshot so old is shown to the next who asks: five a second, whoever looks on.
    package static let ageMax: Duration = .milliseconds(200)

    /// What was shown so long before the store began to fail is no longer what held then.
    static let lastAgeMax: Duration = .seconds(60)

    private struct Content {
        var snapshot = LiveSnapshot()
        var takenAt: ContinuousClock.Instant?
        var waiting: [CheckedContinuation<LiveSnapshot, Never>] = []
        var hasEnded = false
        /// Since when what was shown last is shown on.
        var failingSince: ContinuousClock.Instant?
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

    func show(_ snapshot: LiveSnapshot, at now: ContinuousClock.Instant = .now) {
        let (waiting, snapshot) = content.withLock { content in
            content.snapshot = snapshot
            content.snapshot.shownAt = now
            content.takenAt = now
            content.failingSince = nil
            defer { content.waiting = [] }
            return (content.waiting, content.snapshot)
        }
        for continuation in waiting { continuation.resume(returning: snapshot) }
    }

    /// Shows what was shown last to those who have asked: nothing newer is committed, and they shall not wait for it.
    func showLast() {
        let (waiting, snapshot) = content.withLock { content in
            let since = content.failingSince ?? .now
            content.failingSince = since
            content.snapshot.isOutdated =
                content.snapshot.revision == 0 || since - content.snapshot.shownAt > Self.lastAgeMax
            defer { content.waiting = [] }
            return (content.waiting, content.snapshot)
        }
        for continuation in waiting { continuation.resume(returning: snapshot) }
    }

    /// The store works again.
    func recover() {
        content.withLock { content in
            content.failingSince = nil
            content.snapshot.isOutdated = false
        }
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
