import CMosquitto
import Glibc
import Synchronization

/// Ends another thread's `poll` early. Outlives the connection it belongs to, so that a late `wake()` does no harm.
package final class Waker: Sendable {
    /// An eventfd: a counter that is readable while it is not zero.
    private let descriptor: CInt
    private let watched = Mutex<[CInt]>([])

    package init() {
        descriptor = eventfd(0, CInt(EFD_NONBLOCK | EFD_CLOEXEC))
        precondition(descriptor >= 0, "no descriptor is left for an eventfd: raise the limit on open files")
    }

    deinit { close(descriptor) }

    /// Ends the present `poll`, or else the next one. May be called from any thread, as often as one likes.
    package func wake() {
        var one: UInt64 = 1
        // It fails only where the counter is full, and then the thread is awake anyway.
        _ = write(descriptor, &one, MemoryLayout.size(ofValue: one))
    }

    /// Has each `poll` end, too, as soon as there is something to read from these.
    package func watch(_ descriptors: [CInt]) { watched.withLock { $0 = descriptors } }

    /// Waits for `descriptor`, where it is not -1, and for `wake()`; returns what poll(2) says of `descriptor`.
    func wait(for descriptor: CInt, _ wants: CInt, _ timeout: Duration) -> CInt {
        var descriptors = [
            pollfd(fd: self.descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: descriptor, events: Int16(wants), revents: 0),
        ]
        for other in watched.withLock(\.self) {
            descriptors.append(pollfd(fd: other, events: Int16(POLLIN), revents: 0))
        }
        // A signal ends the wait like a wake.
        guard poll(&descriptors, nfds_t(descriptors.count), timeout.pollMilliseconds) > 0 else { return 0 }
        if descriptors[0].revents != 0 { rest() }
        return CInt(descriptors[1].revents)
    }

    /// Forgets the calls so far.
    private func rest() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout.size(ofValue: count))
    }
}

extension Duration {
    /// As poll(2) takes it: rounded up, so that a short wait is not a busy one, and never negative, which means for ever.
    var pollMilliseconds: CInt {
        CInt((min(max(self, .zero), .seconds(1_000_000)) / .milliseconds(1)).rounded(.up))
    }
}
