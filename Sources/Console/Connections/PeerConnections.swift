import Glibc
import HTTPTypes
import NIOCore
import NIOHTTPTypes
import Synchronization

/// How many connections each address holds, so that no single one holds all that there are.
final class PeerConnections: Sendable {
    private let max: Int
    private let counts = Mutex<[[UInt8]: Int]>([:])

    init(max: Int) { self.max = max }

    /// - Returns: whether there was one left for it.
    func open(_ peer: [UInt8]) -> Bool {
        counts.withLock { counts in
            guard counts[peer, default: 0] < max else { return false }
            counts[peer, default: 0] += 1
            return true
        }
    }

    func close(_ peer: [UInt8]) {
        counts.withLock { counts in
            let left = counts[peer, default: 0] - 1
            counts[peer] = left > 0 ? left : nil
        }
    }
}

/// Closes a connection at once whose peer holds as many as it may. While it holds an event stream it does not count.
final class PeerConnectionLimit: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = Any
    typealias OutboundIn = HTTPResponsePart

    private let connections: PeerConnections
    /// Whose connection is counted here; nil: it is not.
    private var peer: [UInt8]?

    init(_ connections: PeerConnections) { self.connections = connections }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { open(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        open(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        release()
        context.fireChannelInactive()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        context.write(data, promise: promise)
        switch unwrapOutboundIn(data) {
        case .head(let head) where head.headerFields[.contentType] == EventStreamResponse.contentType: release()
        case .end: open(context)
        case .head, .body: break
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { release() }

    private func open(_ context: ChannelHandlerContext) {
        guard peer == nil, let address = context.remoteAddress?.peer else { return }
        if connections.open(address) { peer = address } else { context.close(promise: nil) }
    }

    private func release() {
        if let peer { connections.close(peer) }
        peer = nil
    }
}

extension SocketAddress {
    /// What stands for one peer: an IPv4 address, also where it is written as IPv6 (RFC 4291 §2.5.5.2), or the 64 bits of an
    /// IPv6 address that name its network, in which a host may take any address. Nil where it is neither.
    var peer: [UInt8]? {
        guard let text = ipAddress else { return nil }
        if let bytes = addressBytes(text, AF_INET, count: 4) { return bytes }
        guard let bytes = addressBytes(text, AF_INET6, count: 16) else { return nil }
        let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10...11].allSatisfy { $0 == 0xFF }
        return isMapped ? Array(bytes.suffix(4)) : Array(bytes.prefix(8))
    }
}
