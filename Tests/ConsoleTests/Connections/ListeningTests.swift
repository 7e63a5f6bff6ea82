import HTTPTypes
import HummingbirdTesting
import Logging
import NIOCore
import ServiceLifecycle
import Testing

@testable import Console

@Suite("Listening", .timeLimit(.minutes(5)))
struct ListeningTests {
    @Test("with port 0 the console tells the port it got, to all who wait")
    func freePort() async throws {
        let console = try ConsoleFixture().console
        async let early = console.port
        let port = try await withRunning(console) { $0 }
        #expect(port > 0)
        let waited = try await (early, console.port)
        #expect(waited == (port, port))
    }

    @Test("a port that is taken is an error that names host and port, for who runs and for who waits")
    func takenPort() async throws {
        try await withRunning(ConsoleFixture().console) { port in
            let second = try ConsoleFixture(port: port).console
            let expected = PortUnavailableError(host: "127.0.0.1", port: port, reason: "Address already in use")
            await #expect(throws: expected) { try await second.run() }
            await #expect(throws: expected) { try await second.port }
            #expect(expected.description.hasPrefix("cannot listen on 127.0.0.1:\(port): Address already in use"))
        }
    }

    @Test("a service group with the console ends with the same error")
    func takenPortInGroup() async throws {
        try await withRunning(ConsoleFixture().console) { port in
            let second = try ConsoleFixture(port: port).console
            await #expect(throws: PortUnavailableError.self) { try await withRunning(second) { $0 } }
            let group = ServiceGroup(services: [try ConsoleFixture(port: port).console], logger: Logger(label: "x"))
            await #expect(throws: PortUnavailableError.self) { try await group.run() }
        }
    }

    @Test("a host that is not this machine's cannot be listened on, whatever the cause")
    func foreignHost() async throws {
        for host in ["192.0.2.1", "nowhere.invalid"] {
            let console = try ConsoleFixture(host: host, authentication: .none).console
            let error = await #expect(throws: PortUnavailableError.self) { try await console.run() }
            #expect(error?.host == host)
        }
    }

    @Test("who waits for a port may give up")
    func givingUp() async throws {
        let console = try ConsoleFixture().console
        let waiting = Task { try await console.port }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test("graceful shutdown closes connections that idle")
    func shutdown() async throws {
        let console = try ConsoleFixture().console
        let client = try await withRunning(console) { port in
            let client = TestClient(host: "127.0.0.1", port: port)
            client.connect()
            let response = try await client.get("/healthz", headers: [HTTPField.Name("Host")!: "localhost"])
            #expect(response.status == .ok)
            return client
        }
        try await client.shutdown()
    }

    @Test("the whole answer stands on the wire")
    func live() async throws {
        try await ConsoleFixture().console.application.test(.live) { client in
            try await client.execute(uri: "/metrics", method: .get) { response in
                #expect(response.status == .ok)
                #expect(response.headers[.contentLength] == "\(response.body.readableBytes)")
                #expect(String(buffer: response.body).hasPrefix("# HELP headroom_messages_received_total"))
            }
        }
    }

    @Test("a head over the limit is refused")
    func largeHead() async throws {
        let large = String(repeating: "x", count: ConsoleLimits.head + 1)
        let status = try await withRunning(ConsoleFixture().console) { port in
            try await wireStatus("/healthz", host: "localhost", headers: [.cookie: large], port: port)
        }
        #expect(status == .badRequest)
    }
}
