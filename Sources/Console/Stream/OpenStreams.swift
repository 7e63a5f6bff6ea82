import Synchronization

/// Counts the streams of one kind that are open, and lets no more open than may be.
final class OpenStreams: Sendable {
    /// One of them; free again with its last reference, also where a response was made and never sent.
    final class Permit: Sendable {
        private let streams: OpenStreams

        fileprivate init(_ streams: OpenStreams) { self.streams = streams }

        deinit { streams.open.wrappingSubtract(1, ordering: .relaxed) }
    }

    let max: Int
    private let open = Atomic<Int>(0)

    init(max: Int) { self.max = max }

    var count: Int { open.load(ordering: .relaxed) }

    /// Nil where all are taken.
    func permit() -> Permit? {
        guard open.wrappingAdd(1, ordering: .relaxed).newValue > max else { return Permit(self) }
        open.wrappingSubtract(1, ordering: .relaxed)
        return nil
    }
}
