import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import Console

@Suite("Requests that are sent slowly")
struct RequestTimeoutTests {
    private let loop = EmbeddedEventLoop()
    private let channel: EmbeddedChannel

    init() throws {
        channel = EmbeddedChannel(handlers: Listener.channelHandlers(PeerConnections(max: 1)), loop: loop)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    private func send(_ part: HTTPRequestPart) throws { try channel.writeInbound(part) }

    private static let head = HTTPRequestPart.head(
        HTTPRequest(method: .put, scheme: "http", authority: "localhost", path: "/"))

    @Test("a connection whose first head does not come is closed")
    func head() {
        loop.advanceTime(by: ConsoleLimits.headPatience - .seconds(1))
        #expect(channel.isActive)
        loop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test("a connection whose body does not end is closed, however often a byte of it comes")
    func body() throws {
        try send(Self.head)
        for _ in 0..<5 {
            loop.advanceTime(by: .seconds(10))
            try send(.body(ByteBuffer(string: "x")))
        }
        #expect(channel.isActive)
        loop.advanceTime(by: .seconds(10))
        #expect(!channel.isActive)
    }

    @Test("a request that has come may take its time to be answered")
    func answer() throws {
        try send(Self.head)
        try send(.end(nil))
        loop.advanceTime(by: .hours(1))
        #expect(channel.isActive)
    }

    @Test("a console that stops waits a second for the rest of a request")
    func quiescing() throws {
        try send(Self.head)
        channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        loop.advanceTime(by: .milliseconds(999))
        #expect(channel.isActive)
        loop.advanceTime(by: .milliseconds(1))
        #expect(!channel.isActive)
    }
}
