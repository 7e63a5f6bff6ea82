import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import Console

@Suite("Connections of one address")
struct PeerConnectionTests {
    private let peers = PeerConnections(max: ConsoleLimits.connectionsOfPeer)

    private func connect(from address: String) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handlers: Listener.channelHandlers(peers))
        channel.remoteAddress = try SocketAddress(ipAddress: address, port: 50_000)
        channel.pipeline.fireChannelActive()
        channel.embeddedEventLoop.run()
        return channel
    }

    /// Whether the console has not closed it.
    private func isOpen(_ channel: EmbeddedChannel) -> Bool {
        var isClosed = false
        channel.closeFuture.assumeIsolated().whenComplete { _ in isClosed = true }
        channel.embeddedEventLoop.run()
        return !isClosed
    }

    @Test("are so many at most; what is beyond is closed at once, and other addresses are served meanwhile")
    func limit() throws {
        var held = try (0..<ConsoleLimits.connectionsOfPeer).map { _ in try connect(from: "192.0.2.1") }
        #expect(held.allSatisfy(isOpen))
        #expect(try !isOpen(connect(from: "192.0.2.1")))
        #expect(try isOpen(connect(from: "192.0.2.2")))
        // One that ends makes room for another, and one that was refused does not.
        held.removeLast().pipeline.fireChannelInactive()
        let next = try connect(from: "192.0.2.1")
        #expect(isOpen(next))
        #expect(try !isOpen(connect(from: "192.0.2.1")))
    }

    @Test("do not count while they hold an event stream; those that do have limits of their own")
    func streams() throws {
        let held = try (0..<ConsoleLimits.connectionsOfPeer).map { _ in try connect(from: "192.0.2.1") }
        let head = HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream"])
        held[0].writeAndFlush(HTTPResponsePart.head(head), promise: nil)
        let next = try connect(from: "192.0.2.1")
        #expect(isOpen(held[0]) && isOpen(next))
        #expect(try !isOpen(connect(from: "192.0.2.1")))
        // There is none left for it.
        held[0].writeAndFlush(HTTPResponsePart.end(nil), promise: nil)
        #expect(!isOpen(held[0]) && isOpen(next))
    }

    @Test("that have answered without an event stream count as before")
    func answered() throws {
        let held = try (0..<ConsoleLimits.connectionsOfPeer).map { _ in try connect(from: "192.0.2.1") }
        let head = HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"])
        for part in [HTTPResponsePart.head(head), .end(nil)] { held[0].writeAndFlush(part, promise: nil) }
        #expect(isOpen(held[0]))
        #expect(try !isOpen(connect(from: "192.0.2.1")))
    }

    @Test(
        "are counted by IPv4 address, however it is written, and by IPv6 network",
        arguments: [
            ("10.0.0.7", "10.0.0.7", true), ("10.0.0.7", "10.0.0.8", false), ("10.0.0.7", "::ffff:10.0.0.7", true),
            ("::ffff:10.0.0.7", "::ffff:10.0.0.8", false), ("2001:db8::1", "2001:db8::2", true),
            ("2001:db8:0:1::1", "2001:db8:0:2::1", false), ("::1", "127.0.0.1", false),
        ])
    func networks(one: String, other: String, isSame: Bool) throws {
        let peers = try [one, other].map { try SocketAddress(ipAddress: $0, port: 1).peer }
        #expect((peers[0] == peers[1]) == isSame)
    }
}
