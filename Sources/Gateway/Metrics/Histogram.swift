import Synchronization

package import typealias Geo.Seconds

/// How many events took how long.
package final class Histogram: Sendable {
    /// Upper bounds of the buckets, rising; a last one without bound is added.
    package let bounds: [Seconds]
    private let buckets: [Counter]
    private let sumNanoseconds = Atomic<Int>(0)

    package init(bounds: [Seconds]) {
        precondition(zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 }, "bucket bounds must rise")
        self.bounds = bounds
        buckets = (0...bounds.count).map { _ in Counter() }
    }

    /// Counts one event. One that ended before it began, as a clock that was set back makes it seem, took no time;
    /// NaN and anything over a year, which no clock has measured, is not counted.
    package func observe(_ duration: Seconds) {
        let year: Seconds = 366 * 86_400
        guard duration <= year else { return }
        let seconds = max(0, duration)
        buckets[bounds.firstIndex { seconds <= $0 } ?? bounds.count].add()
        sumNanoseconds.wrappingAdd(Int(seconds * 1e9), ordering: .relaxed)
    }

    /// Events at or below each bound, and at last all of them: a sum of what was read once, so that the buckets
    /// of one reading never contradict its count, whatever is counted meanwhile.
    package var cumulativeCounts: [Int] {
        var total = 0
        return buckets.map { bucket in
            total += bucket.value
            return total
        }
    }

    package var sum: Seconds { Seconds(sumNanoseconds.load(ordering: .relaxed)) / 1e9 }
}
