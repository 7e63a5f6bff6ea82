import Foundation

/// A thread that does one piece of work at a time for another thread, which waits for it.
///
/// Sendable, because `work` and `result` are touched by one thread at a time: the semaphores hand them over.
final class ShardThread: @unchecked Sendable {
    private let isDue = DispatchSemaphore(value: 0)
    private let isDone = DispatchSemaphore(value: 0)
    /// Nil: the thread is to end.
    private var work: (() throws -> Void)?
    private var result: Result<Void, any Error> = .success(())

    init(name: String) {
        let thread = Thread { self.serve() }
        thread.name = name
        // As the gateway's: chains of low bridges are followed by recursion.
        thread.stackSize = 16 << 20
        thread.start()
    }

    private func serve() {
        repeat { isDue.wait() } while doWork()
    }

    /// Holds nothing of the work when it says that it is done: what the work has borrowed is given back then.
    ///
    /// - Returns: whether there was any.
    private func doWork() -> Bool {
        do {
            guard let work = take() else { return false }
            result = Result { try work() }
        }
        isDone.signal()
        return true
    }

    private func take() -> (() throws -> Void)? {
        defer { work = nil }
        return work
    }

    /// Has `body` done on the thread, and waits for it.
    func run<Value>(_ body: () throws -> Value) throws -> Value {
        try withoutActuallyEscaping(body) { body in
            var value: Value?
            begin { value = try body() }
            try wait()
            return value!
        }
    }

    /// Has the thread do `work`; `wait` is to follow before anything else.
    func begin(_ work: @escaping () throws -> Void) {
        self.work = work
        isDue.signal()
    }

    /// Waits until the work is done, and throws what it threw.
    func wait() throws {
        isDone.wait()
        try result.get()
    }

    /// Ends the thread, which must have nothing to do.
    func end() { isDue.signal() }
}
