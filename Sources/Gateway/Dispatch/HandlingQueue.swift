import Synchronization

/// Takes what dispatchers do about alerts from other threads to the gateway thread, and brings back what became of it.
package final class HandlingQueue: Sendable {
    /// The most that wait at once; beyond, `unavailable`.
    static let ordersMax = 1_000

    struct Order {
        var request: HandlingRequest
        var answer: CheckedContinuation<HandlingOutcome, Never>
    }

    private struct Content {
        var orders: [Order] = []
        var hasEnded = false
        var wake: (@Sendable () -> Void)?
    }

    private let content = Mutex(Content())

    init() {}

    /// Waits until it is stored, or refused.
    package func put(_ request: HandlingRequest) async -> HandlingOutcome {
        await withCheckedContinuation { continuation in
            let wake = content.withLock { content -> (@Sendable () -> Void)? in
                guard !content.hasEnded, content.orders.count < Self.ordersMax, let wake = content.wake else {
                    return nil
                }
                content.orders.append(Order(request: request, answer: continuation))
                return wake
            }
            if let wake { wake() } else { continuation.resume(returning: .unavailable) }
        }
    }

    // MARK: The gateway thread

    /// - Parameter wake: ends the wait of the gateway thread; from any thread.
    func begin(_ wake: @escaping @Sendable () -> Void) { content.withLock { $0.wake = wake } }

    func takeOrders() -> [Order] {
        content.withLock { content in
            defer { content.orders = [] }
            return content.orders
        }
    }

    /// Nothing that waits is done.
    func refuse() { for order in takeOrders() { order.answer.resume(returning: .unavailable) } }

    /// Nobody waits for a gateway that has ended.
    func end() {
        content.withLock { $0.hasEnded = true }
        refuse()
    }
}
