import Synchronization

/// A number that only grows. Any thread may add to it and any may read it; adding costs nanoseconds and takes no lock.
public final class Counter: Sendable {
    private let total = Atomic<Int>(0)

    public init() {}

    /// Adds `amount`, which must not be negative.
    public func add(_ amount: Int = 1) {
        precondition(amount >= 0, "a counter never goes back")
        total.wrappingAdd(amount, ordering: .relaxed)
    }

    public var value: Int { total.load(ordering: .relaxed) }
}

/// A number that goes up and down, set anew by the one thread that knows it.
public final class Gauge: Sendable {
    private let current = Atomic<Int>(0)

    public init() {}

    public func set(_ value: Int) { current.store(value, ordering: .relaxed) }

    public var value: Int { current.load(ordering: .relaxed) }
}

/// One counter for each value of one label. All of them are there from the start, with 0: a rate over a series
/// that appears with its first event misses that event.
public struct LabelledCounter<Label: RawRepresentable<String> & Hashable & Sendable>: Sendable {
    public let labels: [Label]
    private let counters: [Label: Counter]

    public init(_ labels: [Label]) {
        self.labels = labels
        counters = Dictionary(uniqueKeysWithValues: labels.map { ($0, Counter()) })
    }

    public subscript(label: Label) -> Counter {
        guard let counter = counters[label] else { preconditionFailure("no counter for the label \(label.rawValue)") }
        return counter
    }
}
