import Foundation
import HTTPTypes
import Hummingbird
import Synchronization

/// Does for requests what takes long on threads of their own, a few at once.
final class WorkerThreads: Sendable {
    private let underWay = Mutex(0)

    /// - Throws: 503 where as many are under way as may be.
    func work<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async throws(HTTPError) -> Result {
        let isFree = underWay.withLock { count in
            guard count < ConsoleLimits.workers else { return false }
            count += 1
            return true
        }
        guard isFree else {
            throw HTTPError(
                .serviceUnavailable, headers: [.retryAfter: "1"],
                message: "\(ConsoleLimits.workers) answers are being worked out already. Try again.")
        }
        defer { underWay.withLock { $0 -= 1 } }
        return await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: body()) }
            thread.name = "console worker"
            // Chains of low bridges are followed by recursion.
            thread.stackSize = 16 << 20
            thread.qualityOfService = .utility
            thread.start()
        }
    }
}
