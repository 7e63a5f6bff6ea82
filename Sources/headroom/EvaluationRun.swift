import Fleet
import Synchronization

/// Shares the trips of an evaluation among threads, each with a worker of its own.
struct EvaluationRun: Sendable {
    private let evaluator: Evaluator
    private let jobs: Int

    init(_ evaluator: Evaluator, jobs: Int) {
        self.evaluator = evaluator
        self.jobs = jobs
    }

    func worker() -> EvaluationWorker {
        let clock = ContinuousClock()
        let start = clock.now
        return EvaluationWorker(evaluator) { clock.now - start }
    }

    /// All trips of the plan, in no particular order: which thread drove which is chance, and nothing else is.
    func accounts() async -> [TripAccount] {
        let queue = TripQueue(evaluator.plan.numbers)
        let accounts = await withTaskGroup(of: [TripAccount].self) { group in
            for _ in 0..<jobs {
                group.addTask {
                    var worker = worker()
                    var accounts: [TripAccount] = []
                    while let number = queue.next() {
                        if let account = worker.account(ofTrip: number) { accounts.append(account) }
                    }
                    return accounts
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        queue.finish()
        return accounts
    }
}

/// The trips that nobody drives yet.
private final class TripQueue: Sendable {
    private let state: Mutex<(next: Int, progress: ProgressBar)>
    private let numbers: Range<Int>

    init(_ numbers: Range<Int>) {
        self.numbers = numbers
        state = Mutex((next: numbers.lowerBound, progress: ProgressBar("Driving")))
    }

    func next() -> Int? {
        state.withLock { state in
            state.progress.update(Double(state.next - numbers.lowerBound) / Double(numbers.count))
            guard state.next < numbers.upperBound else { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }

    func finish() { state.withLock { $0.progress.finish() } }
}
