import DequeModule
import Fleet
import Messages
import Synchronization

/// The newest messages of this run, for streams: written by the gateway thread, read by any number of others.
///
/// Who comes back after a lost connection goes on after the last number it has heard, as long as that is still here.
package final class LiveMessages: Sendable {
    /// An hour of a large fleet's alerts and events, and some 5 MB of them.
    static let countMax = 10_000

    private struct Content {
        var messages: Deque<LiveMessage> = []
        var newest: UInt64 = 0
        var listeners: [UInt64: AsyncStream<Void>.Continuation] = [:]
        var listenersSoFar: UInt64 = 0
    }

    private let content = Mutex(Content())

    init() {}

    /// The number of the newest message; 0: there was none yet.
    package var newest: UInt64 { content.withLock(\.newest) }

    /// Those after a number, oldest first; nil where some of them are here no longer, or the number is of another run.
    package func after(_ number: UInt64) -> [LiveMessage]? {
        content.withLock { content in
            guard number <= content.newest else { return nil }
            let missing = Int(content.newest - number)
            guard missing <= content.messages.count else { return nil }
            return Array(content.messages.suffix(missing))
        }
    }

    /// Yields whenever there is something new; many at once yield once.
    package func news() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id = content.withLock { content in
            content.listenersSoFar += 1
            content.listeners[content.listenersSoFar] = continuation
            return content.listenersSoFar
        }
        continuation.onTermination = { [weak self] _ in
            self?.content.withLock { _ = $0.listeners.removeValue(forKey: id) }
        }
        return stream
    }

    /// Called by the gateway thread once they are committed.
    func add(_ messages: [(kind: LiveMessage.Kind, vehicle: VehicleID, payload: [UInt8])]) {
        guard !messages.isEmpty else { return }
        let listeners = content.withLock { content in
            for (kind, vehicle, payload) in messages {
                content.newest += 1
                content.messages.append(
                    LiveMessage(number: content.newest, kind: kind, vehicle: vehicle, payload: payload))
            }
            content.messages.removeFirst(max(0, content.messages.count - Self.countMax))
            return Array(content.listeners.values)
        }
        for listener in listeners { listener.yield() }
    }

    /// Removes the messages of a vehicle of which nothing may be kept any more from all streams; the others keep their
    /// numbers.
    func forget(_ vehicle: VehicleID) {
        content.withLock { content in
            for index in content.messages.indices where content.messages[index].vehicle == vehicle {
                content.messages[index].payload = []
            }
        }
    }
}
