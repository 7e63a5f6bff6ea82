import Fleet
import Foundation
import Gateway
import Geo
import Messages
import NIOCore
import NIOPosix
import Store
import Testing

@testable import Console

@Suite("The stream on the wire")
struct StreamConnectionTests {
    private func stage() throws -> Stage {
        let stage = try Stage()
        try stage.fix("T1", 42.28, -83.75)
        return stage
    }

    @Test("It begins with a greeting and the vehicles, and an alert follows", .timeLimit(.minutes(5)))
    func alert() async throws {
        let stage = try stage()
        try await withRunning(try ConsoleFixture(stage).console) { port in
            let viewer = try await Viewer(port: port)
            let head = try await viewer.text { $0.contains("event: alerts") }
            #expect(head.contains("HTTP/1.1 200 OK"))
            #expect(head.lowercased().contains("content-type: text/event-stream"))
            let names = head.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("event: ") }.map {
                $0.dropFirst(7)
            }
            #expect(names.prefix(3) == ["hello", "vehicles", "alerts"])
            try stage.approachBridge("T2")
            let said = try await viewer.text { $0.contains("event: alert\n") && $0.contains("\"vehicle\":\"T2\"") }
            #expect(said.contains("id: "))
            try await viewer.close()
        }
    }

    @Test("Who comes back with the last id goes on after it", .timeLimit(.minutes(5)))
    func resume() async throws {
        let stage = try stage()
        try await withRunning(try ConsoleFixture(stage).console) { port in
            let viewer = try await Viewer(port: port)
            _ = try await viewer.text { $0.contains("event: hello") }
            try stage.approachBridge("T2")
            let heard = try await viewer.text { $0.contains("event: alert\n") }
            try await viewer.close()
            let id = try #require(heard.split(whereSeparator: \.isNewline).last { $0.hasPrefix("id: ") }).dropFirst(4)
            try stage.approachBridge("T3")
            let again = try await Viewer(port: port, headers: "Last-Event-ID: \(id)\r\n")
            let missed = try await again.text { $0.contains("event: alert\n") }
            #expect(missed.contains("\"vehicle\":\"T3\"") && !missed.contains("\"stage\":\"ahead\",\"vehicle\":\"T2\""))
            try await again.close()
        }
    }

    @Test(
        "So many may be open at once, of one address fewer, so that others are served; a closed one makes room",
        .timeLimit(.minutes(5)))
    func seats() async throws {
        let fixture = try ConsoleFixture(try stage())
        try await withRunning(fixture.console) { port in
            var viewers: [Viewer] = []
            for _ in 0..<ConsoleLimits.streamsOfPeer {
                viewers.append(try await Viewer(port: port))
                _ = try await viewers[viewers.count - 1].text { $0.contains("event: hello") }
            }
            let oneMore = try await Viewer(port: port)
            let answer = try await oneMore.text { $0.contains("open already") }
            #expect(answer.contains("503") && answer.lowercased().contains("retry-after"))
            #expect(answer.contains("\(ConsoleLimits.streamsOfPeer) streams of this address are open already"))
            for _ in ConsoleLimits.streamsOfPeer..<ConsoleLimits.streams {
                viewers.append(try await Viewer(port: port, from: "127.0.0.2"))
                _ = try await viewers[viewers.count - 1].text { $0.contains("event: hello") }
            }
            let another = try await Viewer(port: port, from: "127.0.0.3")
            let refusal = try await another.text { $0.contains("open already") }
            #expect(refusal.contains("503") && refusal.contains("\(ConsoleLimits.streams) streams are open already"))
            for viewer in [oneMore, another] { try await viewer.close() }
            try await viewers[0].close()
            // One that goes is noticed when it goes, not when the second sign of life has failed to reach it.
            let start = ContinuousClock.now
            var isOpen = false
            while !isOpen, .now - start < .seconds(20) {
                try await Task.sleep(for: .milliseconds(20))
                let viewer = try await Viewer(port: port)
                isOpen = try await viewer.text { $0.contains("event: hello") || $0.contains("503") }.contains("hello")
                try await viewer.close()
            }
            #expect(isOpen)
            for viewer in viewers.dropFirst() { try await viewer.close() }
        }
    }

    @Test(
        "A phone hears what is said to its vehicle and nothing of others, until its token is revoked",
        .timeLimit(.minutes(5)))
    func cab() async throws {
        let stage = try stage()
        try stage.beginCabs()
        let (token, headers) = try await pair(with: stage)
        try await withRunning(try ConsoleFixture(stage).console) { port in
            let phone = try await Viewer(port: port, path: "cab/stream", headers: headers)
            let head = try await phone.text { $0.contains("event: cab") }
            #expect(head.contains("HTTP/1.1 200 OK") && head.contains("\"vehicle\":\"T2\",\"state\":null"))
            try stage.approachBridge("T3")
            try stage.approachBridge("T2")
            let said = try await phone.text { $0.contains("event: alert\n") && $0.contains("\"text_now\"") }
            #expect(!said.contains("T3"), "\(said)")
            #expect(await stage.shared.cabs.revoke(token.id) == true)
            try await phone.ended()
        }
    }

    @Test(
        "More phones behind one address than it may have connections are told of their vehicles, and others there served",
        .timeLimit(.minutes(5)))
    func oneAddress() async throws {
        let stage = try stage()
        try stage.beginCabs()
        let (_, headers) = try await pair(with: stage)
        try await withRunning(try ConsoleFixture(stage).console) { port in
            var phones: [Viewer] = []
            for _ in 0...ConsoleLimits.connectionsOfPeer {
                let phone = try await Viewer(port: port, path: "cab/stream", headers: headers)
                _ = try await phone.text { $0.contains("event: cab") }
                phones.append(phone)
            }
            let other = try await Viewer(port: port, path: "cab", headers: headers)
            #expect(try await other.text { $0.contains("\r\n\r\n") }.contains("HTTP/1.1 200 OK"))
            for viewer in phones + [other] { try await viewer.close() }
        }
    }

    /// Pairs a phone with T2.
    ///
    /// - Returns: its token, and the header by which it shows that.
    private func pair(with stage: Stage) async throws -> (CabToken, headers: String) {
        let cabs = stage.shared.cabs
        let code = try #require(cabs.code(for: VehicleID("T2")!, at: .now)).text
        guard case .paired(let token, let secret) = await cabs.pair(code, at: .now) else {
            throw CocoaError(.featureUnsupported)
        }
        return (token, "Authorization: Bearer \(secret)\r\n")
    }

    @Test("When the console stops, streams end at once, also those that nobody reads", .timeLimit(.minutes(5)))
    func shutdown() async throws {
        let stage = try stage()
        let start = try await withRunning(try ConsoleFixture(stage).console) { port in
            let viewer = try await Viewer(port: port)
            _ = try await viewer.text { $0.contains("event: hello") }
            let sleeper = try await Viewer(port: port, reads: false)
            // More than the system's buffers on both sides take.
            let message = (
                kind: LiveMessage.Kind.alert, vehicle: VehicleID("T1")!,
                payload: [UInt8](repeating: 0x20, count: 1 << 20)
            )
            for _ in 0..<16 { stage.say([message]) }
            try await Task.sleep(for: .seconds(1))
            withExtendedLifetime((viewer, sleeper)) {}
            return ContinuousClock.now
        }
        // The patience with a reader who is only slow is three times as long.
        #expect(.now - start < .seconds(10))
    }
}

/// A connection that asks for a stream.
private final class Viewer: Sendable {
    private let channel: any Channel
    private let chunks: Chunks

    private final class Chunks: ChannelInboundHandler, @unchecked Sendable {
        typealias InboundIn = ByteBuffer
        // Sendable: the text is used under the lock.
        private let lock = NSLock()
        private var heard = ""

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let chunk = String(buffer: unwrapInboundIn(data))
            lock.withLock { heard += chunk }
        }

        var text: String { lock.withLock { heard } }
        func clear() { lock.withLock { heard = "" } }
    }

    /// - Parameter address: of this machine, from which it asks.
    init(
        port: Int, path: String = "stream", headers: String = "", from address: String = "127.0.0.1", reads: Bool = true
    ) async throws {
        let chunks = Chunks()
        self.chunks = chunks
        channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(to: try SocketAddress(ipAddress: address, port: 0))
            .channelOption(.autoRead, value: reads)
            .channelInitializer { channel in channel.pipeline.addHandler(chunks) }
            .connect(host: "127.0.0.1", port: port).get()
        let request = "GET /api/v1/\(path) HTTP/1.1\r\nHost: localhost\r\n\(headers)\r\n"
        try await channel.writeAndFlush(ByteBuffer(string: request))
    }

    /// What came since the last call, once it is enough.
    func text(_ isEnough: (String) -> Bool) async throws -> String {
        for _ in 0..<2000 {
            let text = chunks.text
            if isEnough(text) {
                chunks.clear()
                return text
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("nothing more came: \(chunks.text.suffix(500))")
        return chunks.text
    }

    func close() async throws { try await channel.close() }

    /// Waits until the other side has closed, or has ended its answer.
    func ended() async throws { _ = try await text { $0.hasSuffix("0\r\n\r\n") } }
}
