import Synchronization

/// Counts the streams of one kind that are open, and lets no more open than may be.
final class OpenStreams: Sendable {
    /// One of them; free again with its last reference, also where a response was made and never sent.
    final class Permit: Sendable {
        private let streams: OpenStreams
        /// Nil: it counts for no address.
        private let peer: [UInt8]?

        fileprivate init(_ streams: OpenStreams, _ peer: [UInt8]?) {
            self.streams = streams
            self.peer = peer
        }

        deinit {
            if let peer { streams.peers.close(peer) }
            streams.open.wrappingSubtract(1, ordering: .relaxed)
        }
    }

    /// As many are open as may be.
    enum LimitError: Error, Equatable {
        case all(max: Int)
        case ofPeer(max: Int)
    }

    private let max: Int
    private let maxOfPeer: Int
    private let open = Atomic<Int>(0)
    private let peers: PeerConnections

    /// - Parameter maxOfPeer: how many of them one address may hold.
    init(max: Int, maxOfPeer: Int) {
        self.max = max
        self.maxOfPeer = maxOfPeer
        peers = PeerConnections(max: maxOfPeer)
    }

    var count: Int { open.load(ordering: .relaxed) }

    /// - Parameter peer: the address that asks; nil: not known, and not limited.
    func permit(of peer: [UInt8]?) throws(LimitError) -> Permit {
        if let peer, !peers.open(peer) { throw .ofPeer(max: maxOfPeer) }
        guard open.wrappingAdd(1, ordering: .relaxed).newValue > max else { return Permit(self, peer) }
        open.wrappingSubtract(1, ordering: .relaxed)
        if let peer { peers.close(peer) }
        throw .all(max: max)
    }
}
