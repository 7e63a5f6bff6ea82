import Synchronization

/// Whether the gateway thread goes on: written by it at each step, read by the HTTP threads, which answer while it does not.
package final class Heartbeat: Sendable {
    /// A pass waits for messages for a second and takes a fraction of one; ten times as much is no load, but a thread that does
    /// not go on.
    package static let passMax: Duration = .seconds(10)
    /// Messages that were taken and are not done with after so long come too late for a warning.
    package static let waitMax: Duration = .seconds(5)

    /// In milliseconds since `start`, plus one; 0: none yet.
    private let beatAt = Atomic<Int64>(0)
    /// In milliseconds since `start`, plus one; 0: nothing waits.
    private let waitsSince = Atomic<Int64>(0)
    private let start: ContinuousClock.Instant
    private let now: @Sendable () -> ContinuousClock.Instant

    init(now: @escaping @Sendable () -> ContinuousClock.Instant) {
        self.now = now
        start = now()
    }

    // MARK: The gateway thread

    /// A pass has ended, or the thread waits for its store and says so elsewhere.
    package func beat() { beatAt.store(time, ordering: .relaxed) }

    /// Messages have been taken from the broker.
    package func messagesTaken() {
        guard waitsSince.load(ordering: .relaxed) == 0 else { return }
        waitsSince.store(time, ordering: .relaxed)
    }

    /// All of them are acknowledged.
    package func messagesDone() { waitsSince.store(0, ordering: .relaxed) }

    // MARK: Others

    /// That the thread does not go on, as text for people; nil: it does, or has not begun.
    package var problem: String? {
        guard let age = age(beatAt), age >= Self.passMax else { return nil }
        return "the gateway has not gone on for \(age.components.seconds) s"
    }

    /// That messages wait, as text for people; nil: none waits for long.
    package var delay: String? {
        guard let age = age(waitsSince), age >= Self.waitMax else { return nil }
        return "messages have waited for \(age.components.seconds) s"
    }

    private var time: Int64 { Int64((now() - start) / .milliseconds(1)) + 1 }

    private func age(_ word: borrowing Atomic<Int64>) -> Duration? {
        let since = word.load(ordering: .relaxed)
        return since == 0 ? nil : .milliseconds(time - since)
    }
}
