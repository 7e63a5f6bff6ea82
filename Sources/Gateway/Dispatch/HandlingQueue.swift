/// Takes what dispatchers do about alerts from other threads to the gateway thread, and brings back what became of it.
package final class HandlingQueue: Sendable {
    /// The most that wait at once; beyond, `unavailable`.
    static let ordersMax = 1_000

    struct Order {
        var request: HandlingRequest
        var answer: Answer<HandlingOutcome>
    }

    private let orders = OrderQueue<Order>(limit: ordersMax)

    init() {}

    /// Waits until it is stored, or refused.
    package func put(_ request: HandlingRequest) async -> HandlingOutcome {
        await withCheckedContinuation { continuation in
            if orders.add(Order(request: request, answer: Answer(continuation))) != .added {
                continuation.resume(returning: .unavailable)
            }
        }
    }

    // MARK: The gateway thread

    /// - Parameter wake: ends the wait of the gateway thread; from any thread.
    func begin(_ wake: @escaping @Sendable () -> Void) { orders.begin(wake) }

    func takeOrders() -> [Order] { orders.take() }

    /// Nothing that waits is done.
    func refuse() { for order in orders.take() { order.answer.resume(returning: .unavailable) } }

    /// Nobody waits for a gateway that has ended.
    func end() {
        orders.end()
        refuse()
    }
}
