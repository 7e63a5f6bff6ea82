import Synchronization

/// What other threads ask the gateway thread to do.
final class OrderQueue<Order: Sendable>: Sendable {
    enum Entry {
        case added
        /// As many wait as may.
        case full
        /// The gateway has not begun or has ended.
        case closed
    }

    private struct Content {
        var orders: [Order] = []
        var hasEnded = false
        var wake: (@Sendable () -> Void)?
    }

    private let limit: Int
    private let content = Mutex(Content())

    /// - Parameter limit: the most that wait at once.
    init(limit: Int) { self.limit = limit }

    func add(_ order: Order) -> Entry {
        let (entry, wake) = content.withLock { content -> (Entry, (@Sendable () -> Void)?) in
            guard !content.hasEnded, let wake = content.wake else { return (.closed, nil) }
            guard content.orders.count < limit else { return (.full, nil) }
            content.orders.append(order)
            return (.added, wake)
        }
        wake?()
        return entry
    }

    // MARK: The gateway thread

    /// - Parameter wake: ends the wait of the gateway thread; from any thread.
    func begin(_ wake: @escaping @Sendable () -> Void) { content.withLock { $0.wake = wake } }

    var isAwaited: Bool { content.withLock { !$0.orders.isEmpty } }

    /// What waits, and waits here no longer.
    func take() -> [Order] {
        content.withLock { content in
            defer { content.orders = [] }
            return content.orders
        }
    }

    /// Nothing more is added.
    func end() { content.withLock { $0.hasEnded = true } }
}
