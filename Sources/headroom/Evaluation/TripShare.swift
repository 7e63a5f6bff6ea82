import Synchronization

/// Numbered trips that several threads share, each with a worker of its own; a terminal shows how far they are.
final class TripShare: Sendable {
    private let numbers: Range<Int>
    /// The first trip that nobody has taken yet.
    private let state: Mutex<(next: Int, progress: ProgressBar)>

    /// - Parameter verb: what is done with the trips, for the progress bar.
    init(_ numbers: Range<Int>, _ verb: String) {
        self.numbers = numbers
        state = Mutex((numbers.lowerBound, ProgressBar(verb)))
    }

    /// What the workers make of all trips, in no particular order: which thread took which trip is chance, and nothing else
    /// is.
    ///
    /// - Parameters:
    ///   - jobs: how many threads.
    ///   - worker: makes one for each thread.
    ///   - account: nil where there is no such trip.
    func accounts<Worker, Account: Sendable>(
        jobs: Int, by worker: @escaping @Sendable () -> Worker,
        _ account: @escaping @Sendable (inout Worker, _ trip: Int) -> Account?
    ) async -> [Account] {
        let accounts = await withTaskGroup(of: [Account].self) { group in
            for _ in 0..<jobs {
                group.addTask {
                    var worker = worker()
                    var accounts: [Account] = []
                    while let number = self.next() {
                        if let account = account(&worker, number) { accounts.append(account) }
                    }
                    return accounts
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        state.withLock { $0.progress.finish() }
        return accounts
    }

    private func next() -> Int? {
        state.withLock { state in
            state.progress.update(Double(state.next - numbers.lowerBound) / Double(numbers.count))
            guard state.next < numbers.upperBound else { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }
}
