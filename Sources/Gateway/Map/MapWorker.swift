import Broker
import Fleet
import Foundation
import Synchronization

/// Does the work on the map on other threads, so that no pass waits for it.
final class MapWorker: Sendable {
    private let waker: Waker
    private let made = Mutex<[MapWork.Result]>([])
    /// How many pieces have been begun and not been taken.
    private let underWayCount = Atomic(0)

    /// - Parameter waker: wakes whoever takes what has been made.
    init(waker: Waker) { self.waker = waker }

    /// Begins one piece; the engine has at most two under way.
    func begin(_ work: MapWork) {
        underWayCount.add(1, ordering: .relaxed)
        Self.start {
            let result = work.result(share: Self.share)
            self.made.withLock { $0.append(result) }
            self.waker.wake()
        }
    }

    /// Half of the cores: the others are for messages, and for the broker.
    private static let threadCount = min(8, max(2, ProcessInfo.processInfo.activeProcessorCount / 2))

    private static func share(_ body: @escaping @Sendable () -> Void) {
        let others = DispatchGroup()
        for _ in 1..<threadCount {
            others.enter()
            start {
                body()
                others.leave()
            }
        }
        body()
        others.wait()
    }

    private static func start(_ body: @escaping @Sendable () -> Void) {
        let thread = Thread(block: body)
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

    /// Whether something has been begun and not been taken.
    var isUnderWay: Bool { underWayCount.load(ordering: .relaxed) > 0 }

    func takeResult() -> MapWork.Result? {
        guard let result = made.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return nil }
        underWayCount.subtract(1, ordering: .relaxed)
        return result
    }
}
