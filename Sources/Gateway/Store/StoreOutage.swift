import Broker
import Logging
import Store
import Synchronization

/// What the gateway does while its store fails: it repeats what it was about to do, says why it is not ready, and does nothing
/// else. No message is taken or acknowledged meanwhile, so that the broker keeps them.
final class StoreOutage: Sendable {
    private static let pauses = (first: Duration.milliseconds(250), longest: Duration.seconds(2))
    /// The log says so often that it still fails.
    private static let logged: Duration = .seconds(60)

    private struct Content {
        var backoff = Backoff(first: pauses.first, longest: pauses.longest, seed: 0)
        var loggedAt: ContinuousClock.Instant?
    }

    private let content = Mutex(Content())
    private let shared: SharedState
    private let logger: Logger
    private let pause: @Sendable (Duration) -> Bool

    /// - Parameter pause: waits; returns whether to go on.
    init(_ shared: SharedState, logger: Logger, pause: @escaping @Sendable (Duration) -> Bool) {
        self.shared = shared
        self.logger = logger
        self.pause = pause
    }

    var retry: StoreRetry { StoreRetry(failed: { error, _ in self.failed(error) }, recovered: recovered) }

    private func failed(_ error: StoreError) -> Bool {
        shared.readiness.setStoreProblem(error.temporaryReason)
        shared.metrics.storeFailures.add()
        let (seconds, isNews) = content.withLock { content in
            let isNews = content.loggedAt.map { ContinuousClock.now - $0 >= Self.logged } ?? true
            if isNews { content.loggedAt = .now }
            return (content.backoff.next(), isNews)
        }
        if isNews { logger.error("Nothing is taken from the broker until the store works again: \(error)") }
        return pause(seconds)
    }

    private func recovered() {
        content.withLock { $0 = Content() }
        shared.readiness.setStoreProblem(nil)
        shared.view.recover()
        logger.notice("The store works again")
    }
}
