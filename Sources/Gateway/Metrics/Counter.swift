import Synchronization

/// A number that only grows. Any thread may add to it and any may read it; adding costs nanoseconds and takes no lock.
package final class Counter: Sendable {
    private let total = Atomic<Int>(0)

    package init() {}

    /// Adds `amount`, which must not be negative.
    package func add(_ amount: Int = 1) {
        precondition(amount >= 0, "a counter never goes back")
        total.wrappingAdd(amount, ordering: .relaxed)
    }

    package var value: Int { total.load(ordering: .relaxed) }
}

/// A number that goes up and down, set anew by the one thread that knows it.
package final class Gauge: Sendable {
    private let current = Atomic<Int>(0)

    package init() {}

    package func set(_ value: Int) { current.store(value, ordering: .relaxed) }

    package var value: Int { current.load(ordering: .relaxed) }
}

/// One counter for each value of one label. All of them are there from the start, with 0: a rate over a series
/// that appears with its first event misses that event.
package struct LabelledCounter<Label: RawRepresentable<String> & Hashable & Sendable>: Sendable {
    package let labels: [Label]
    private let counters: [Label: Counter]

    package init(_ labels: [Label]) {
        self.labels = labels
        counters = Dictionary(uniqueKeysWithValues: labels.map { ($0, Counter()) })
    }

    package subscript(label: Label) -> Counter {
        guard let counter = counters[label] else { preconditionFailure("no counter for the label \(label.rawValue)") }
        return counter
    }
}
