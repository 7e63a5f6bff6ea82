import Foundation

/// Runs `body`, which blocks, on a thread of its own and waits for its end.
package func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread { continuation.resume(with: Swift.Result(catching: body)) }.start()
    }
}
