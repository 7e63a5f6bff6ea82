import Synchronization

/// What becomes of a dispatcher's taking an alert.
package enum TakingOutcome: Hashable, Sendable {
    case taken
    /// There is none to be taken: somebody else has taken it, or there never was.
    case unknown
    /// The gateway does not run, or its store does not work.
    case unavailable
}

/// Takes dispatchers' taking of alerts from other threads to the gateway thread, and brings back what became of it.
package final class AlertTaker: Sendable {
    /// The most that wait at once; beyond, `unavailable`.
    static let ordersMax = 1_000

    struct Order {
        /// Of the alert.
        var id: String
        var answer: CheckedContinuation<TakingOutcome, Never>
    }

    private struct Content {
        var orders: [Order] = []
        var hasEnded = false
        var wake: (@Sendable () -> Void)?
    }

    private let content = Mutex(Content())

    init() {}

    /// Waits until it is stored that an alert is taken.
    package func take(_ id: String) async -> TakingOutcome {
        await withCheckedContinuation { continuation in
            let wake = content.withLock { content -> (@Sendable () -> Void)? in
                guard !content.hasEnded, content.orders.count < Self.ordersMax, let wake = content.wake else {
                    return nil
                }
                content.orders.append(Order(id: id, answer: continuation))
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
