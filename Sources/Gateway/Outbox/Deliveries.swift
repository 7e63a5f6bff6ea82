/// Which entries of the outbox the broker has acknowledged, until they leave the store: with the next batch that is committed
/// for something else, or after a while. At the end of a burst acknowledgements come in one by one, and a commit for each took a
/// fifth of its time; whoever is killed meanwhile sends those once more.
struct Deliveries {
    let waitMax: Duration

    private var entries: [Int64] = []
    private var since: ContinuousClock.Instant?

    init(waitMax: Duration) { self.waitMax = waitMax }

    mutating func add(_ entry: Int64, at now: ContinuousClock.Instant) {
        entries.append(entry)
        since = since ?? now
    }

    /// How long may be waited for something else; nil: nothing waits.
    func wait(at now: ContinuousClock.Instant) -> Duration? { since.map { max(.zero, $0 + waitMax - now) } }

    /// - Parameter isCommitDue: whether a batch is committed anyway.
    mutating func take(isCommitDue: Bool, at now: ContinuousClock.Instant) -> [Int64] {
        guard isCommitDue || wait(at: now) == .zero else { return [] }
        defer { (entries, since) = ([], nil) }
        return entries
    }
}
