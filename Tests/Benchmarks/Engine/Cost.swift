import CAllocationCount
import Foundation

/// What handling fixes has cost.
struct Cost {
    var fixes = 0
    /// Of this thread: other programs disturb less than by the clock.
    var nanoseconds = 0
    var allocations = 0

    var nanosecondsPerFix: Double { Double(nanoseconds) / Double(max(1, fixes)) }
    /// To the hundredth.
    var allocationsPerFix: Double { (Double(allocations) / Double(max(1, fixes)) * 100).rounded() / 100 }

    /// Adds what this takes.
    mutating func add<Result>(fixes count: Int, _ handle: () -> Result) -> Result {
        let (before, start) = (allocation_count(), Self.threadNanoseconds())
        let result = handle()
        nanoseconds += Self.threadNanoseconds() - start
        allocations += Int(allocation_count() - before)
        fixes += count
        return result
    }

    private static func threadNanoseconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
