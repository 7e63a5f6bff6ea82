import Dispatch
import Foundation
import Synchronization

/// SIGHUP, from the moment on at which this is made: until then it ends the program, which a service manager takes for a clean
/// end. What is ordered before it can be carried out is carried out once it can.
final class HangupSignal: Sendable {
    private struct Orders {
        /// Nil: it cannot be carried out yet.
        var action: (@Sendable () -> Void)?
        var isWaiting = false
    }

    private let orders = Mutex(Orders())
    /// Serial: one order is carried out after the other.
    private let queue = DispatchQueue(label: "hangups")
    private let source: DispatchSource

    init() {
        signal(SIGHUP, SIG_IGN)
        // Dispatch returns no other.
        source = DispatchSource.makeSignalSource(signal: SIGHUP, queue: queue) as! DispatchSource
        source.setEventHandler { self.take() }
        source.resume()
    }

    /// Has each order carried out so, on a queue of its own.
    func handle(_ action: @escaping @Sendable () -> Void) {
        let isWaiting = orders.withLock { orders in
            orders.action = action
            return orders.isWaiting
        }
        if isWaiting { queue.async(execute: action) }
    }

    func cancel() { source.cancel() }

    private func take() {
        let action = orders.withLock { orders in
            if orders.action == nil { orders.isWaiting = true }
            return orders.action
        }
        action?()
    }
}
