import Synchronization

/// The newest of the values that are worked out from something that changes rarely.
final class Cached<Key: Equatable & Sendable, Value: Sendable>: Sendable {
    private let newest = Mutex<(key: Key, value: Value)?>(nil)

    /// What was worked out for this key, or is now; who asks meanwhile waits for it, and does not do it again.
    func value(for key: Key, _ make: () -> Value) -> Value {
        newest.withLock { newest in
            if let newest, newest.key == key { return newest.value }
            let value = make()
            newest = (key, value)
            return value
        }
    }
}
