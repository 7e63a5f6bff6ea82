import Dispatch
import Foundation

/// A thread that runs only while it is told to, so that a call can stand still anywhere and go on later.
final class Coroutine: @unchecked Sendable {
    private let resumed = DispatchSemaphore(value: 0)
    private let paused = DispatchSemaphore(value: 0)
    private(set) var isOver = false
    private var thread: Thread?

    init(_ body: @escaping @Sendable (Coroutine) -> Void) {
        let thread = Thread { [self] in
            resumed.wait()
            body(self)
            isOver = true
            paused.signal()
        }
        // As the gateway's.
        thread.stackSize = 16 << 20
        self.thread = thread
        thread.start()
    }

    /// Runs it until it pauses or is over.
    func resume() {
        precondition(!isOver, "a coroutine that is over cannot go on")
        resumed.signal()
        paused.wait()
    }

    /// Whether it is what calls this.
    var isCurrent: Bool { Thread.current === thread }

    /// Gives the turn back; called by what it runs.
    func pause() {
        paused.signal()
        resumed.wait()
    }
}
