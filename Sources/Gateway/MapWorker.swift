import Broker
import Fleet
import Foundation
import Synchronization

/// Does the work on the map on another thread, one piece after the other, so that no pass waits for it.
final class MapWorker: Sendable {
    private let waker: Waker
    private let made = Mutex<MapWork.Result?>(nil)

    /// - Parameter waker: wakes whoever takes what has been made.
    init(waker: Waker) { self.waker = waker }

    /// Call again only once the result of the piece before has been taken.
    func begin(_ work: MapWork) {
        let thread = Thread {
            let result = work.result()
            self.made.withLock { $0 = result }
            self.waker.wake()
        }
        thread.name = "map"
        // Chains of low bridges are followed by recursion.
        thread.stackSize = 16 << 20
        thread.qualityOfService = .utility
        thread.start()
    }

    /// Waits until it is made.
    func wait(until deadline: ContinuousClock.Instant) {
        while made.withLock({ $0 == nil }), ContinuousClock.now < deadline { Thread.sleep(forTimeInterval: 0.001) }
    }

    func takeResult() -> MapWork.Result? { made.withLock { $0.take() } }
}
