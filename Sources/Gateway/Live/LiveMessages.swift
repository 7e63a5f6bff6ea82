import DequeModule
import Fleet
package import Messages
import Synchronization

/// The newest messages of this run, for streams: written by the gateway thread, read by any number of others.
///
/// Who comes back after a lost connection goes on after the last number it has heard, as long as that is still here.
package final class LiveMessages: Sendable {
    /// An hour of a large fleet's alerts and events.
    static let countMax = 10_000
    /// Of their payloads: an alert has up to some kilobytes.
    static let bytesMax = 8 << 20

    private struct Content {
        var messages: Deque<LiveMessage> = []
        /// Of the payloads of `messages`.
        var bytes = 0
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

    /// The newest of its kind about a vehicle whose payload is as wanted; nil: it is here no longer, or never was.
    package func newest(
        _ kind: LiveMessage.Kind, of vehicle: VehicleID, where isWanted: ([UInt8]) -> Bool
    ) -> LiveMessage? {
        let all = content.withLock(\.messages)
        return all.last { $0.kind == kind && $0.vehicle == vehicle && isWanted($0.payload) }
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
                    LiveMessage(number: content.newest, kind: kind, vehicle: vehicle, payload: Self.compact(payload)))
                content.bytes += payload.count
            }
            while content.messages.count > Self.countMax || content.bytes > Self.bytesMax {
                guard let oldest = content.messages.popFirst() else { break }
                content.bytes -= oldest.payload.count
            }
            return Array(content.listeners.values)
        }
        for listener in listeners { listener.yield() }
    }

    /// Some were said and are not here: who comes back after a lost connection cannot go on after one before them.
    func breakOff() {
        content.withLock { content in
            content.newest += 1
            (content.messages, content.bytes) = ([], 0)
        }
    }

    /// Removes the messages of a vehicle of which nothing may be kept any more from all streams; the others keep their
    /// numbers.
    func forget(_ vehicle: VehicleID) {
        content.withLock { content in
            for index in content.messages.indices where content.messages[index].vehicle == vehicle {
                content.bytes -= content.messages[index].payload.count
                content.messages[index].payload = []
            }
        }
    }

    /// What has grown while it was written has room for up to twice as much, which would be kept with it.
    private static func compact(_ payload: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: payload.count) { buffer, count in
            count = buffer.initialize(fromContentsOf: payload)
        }
    }
}
