import Fleet
import Synchronization

/// Shares the trips of a comparison among threads, each with a worker of its own.
final class CompareTrackingRun: Sendable {
    private let comparison: TrackingComparison
    private let jobs: Int
    /// The first trip that nobody plays yet.
    private let queue: Mutex<(next: Int, progress: ProgressBar)>

    init(_ comparison: TrackingComparison, jobs: Int) {
        self.comparison = comparison
        self.jobs = jobs
        queue = Mutex((comparison.plan.trips.numbers.lowerBound, ProgressBar("Playing")))
    }

    /// All trips of the plan, in no particular order: which thread played which is chance, and nothing else is.
    func accounts() async -> [TrackingAccount] {
        let accounts = await withTaskGroup(of: [TrackingAccount].self) { group in
            for _ in 0..<jobs { group.addTask { self.share() } }
            return await group.reduce(into: []) { $0 += $1 }
        }
        queue.withLock { $0.progress.finish() }
        return accounts
    }

    /// What one thread plays.
    private func share() -> [TrackingAccount] {
        var worker = TrackingWorker(comparison)
        var accounts: [TrackingAccount] = []
        while let number = next() {
            if let account = worker.account(ofTrip: number) { accounts.append(account) }
        }
        return accounts
    }

    private func next() -> Int? {
        let numbers = comparison.plan.trips.numbers
        return queue.withLock { queue in
            queue.progress.update(Double(queue.next - numbers.lowerBound) / Double(numbers.count))
            guard queue.next < numbers.upperBound else { return nil }
            defer { queue.next += 1 }
            return queue.next
        }
    }
}
