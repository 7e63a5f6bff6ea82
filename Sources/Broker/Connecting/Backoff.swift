import Hashing

/// How long to wait before the next attempt to connect: 1 s, doubling to 8 s, less up to a quarter by chance, so that
/// a thousand clients of a broker that comes back do not all come in the same moment. After at most 8 s a broker that is back is
/// found.
package struct Backoff: Sendable {
    private let first: Duration
    private let longest: Duration
    private var step: Duration
    private var random: SplitMix64

    /// The same seed yields the same pauses. `first` must be positive and no longer than `longest`.
    package init(first: Duration = .seconds(1), longest: Duration = .seconds(8), seed: UInt64) {
        precondition(first > .zero && first <= longest, "a back-off begins above zero and ends no lower")
        self.first = first
        self.longest = longest
        step = first
        random = SplitMix64(seed: seed)
    }

    /// The pause before the next attempt: between three quarters of the step and the whole of it.
    package mutating func next() -> Duration {
        defer { step = min(step * 2, longest) }
        return step * (1 - random.fraction() / 4)
    }

    /// To be called when an attempt succeeded.
    package mutating func reset() { step = first }
}
