import Synchronization

/// Lets one task at a time through for each key, in the order in which they came.
final class KeyedLock<Key: Hashable & Sendable>: Sendable {
    /// Those that wait, by key; the key of a task that is through has a place here, too.
    private let waiting = Mutex<[Key: [CheckedContinuation<Void, Never>]]>([:])

    func withLock<Success: Sendable, Failure: Error>(
        _ key: Key, _ body: () async throws(Failure) -> Success
    ) async throws(Failure) -> Success {
        await acquire(key)
        defer { release(key) }
        return try await body()
    }

    private func acquire(_ key: Key) async {
        await withCheckedContinuation { continuation in
            let isFree = waiting.withLock { waiting in
                let isFree = waiting[key] == nil
                if isFree { waiting[key] = [] } else { waiting[key]?.append(continuation) }
                return isFree
            }
            if isFree { continuation.resume() }
        }
    }

    private func release(_ key: Key) {
        let next = waiting.withLock { waiting in
            let isLast = waiting[key]?.isEmpty ?? true
            let next = isLast ? nil : waiting[key]?.removeFirst()
            if isLast { waiting[key] = nil }
            return next
        }
        next?.resume()
    }
}
