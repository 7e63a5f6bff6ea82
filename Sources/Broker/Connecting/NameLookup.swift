import Foundation
import Synchronization

/// Asks the name service for the addresses of a host, on a thread of its own: getaddrinfo(3) waits as long as resolv.conf lets it,
/// and nothing interrupts it.
///
/// A lookup that is given up goes on until the name service answers or is given up itself, 30 s with the usual settings.
final class NameLookup: Sendable {
    private let answer = Mutex<Result<[Address], BrokerError>?>(nil)

    /// - Parameter waker: told once there is an answer.
    init(host: String, port: Int, waker: Waker) {
        Thread.detachNewThread {
            let found = Result { () throws(BrokerError) in try Address.resolve(host: host, port: port) }
            self.answer.withLock { $0 = found }
            waker.wake()
        }
    }

    /// Nil: there is no answer yet.
    ///
    /// - Throws: `BrokerError.Code.nameNotResolved`.
    func addresses() throws(BrokerError) -> [Address]? { try answer.withLock(\.self)?.get() }
}
