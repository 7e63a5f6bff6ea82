import Broker
import Fleet
import Foundation
import Synchronization

/// Does the work on the map on other threads, so that no pass waits for it.
final class MapWorker: Sendable {
    private let waker: Waker
    private let made = Mutex<[MapWork.Result]>([])

    /// - Parameter waker: wakes whoever takes what has been made.
    init(waker: Waker) { self.waker = waker }

    /// Begins one piece; the engine has at most two under way.
    func begin(_ work: MapWork) {
        let thread = Thread {
            let result = work.result()
            self.made.withLock { $0.append(result) }
            self.waker.wake()
        }
        thread.name = "map"
        // Chains of low bridges are followed by recursion.
        thread.stackSize = 16 << 20
        thread.qualityOfService = .utility
        thread.start()
    }

    /// Waits until a piece is made.
    func wait(until deadline: ContinuousClock.Instant) {
        while made.withLock(\.isEmpty), ContinuousClock.now < deadline { Thread.sleep(forTimeInterval: 0.001) }
    }

    func takeResult() -> MapWork.Result? { made.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}
