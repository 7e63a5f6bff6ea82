import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import Console

@Suite("The listener of the health checks")
struct HealthListenerTests {
    private static let address = NetworkAddress(host: "127.0.0.1", port: 0)

    @Test(
        "answers health checks and metrics, and nothing else; metrics want a token where the console does",
        arguments: [
            ("/healthz", nil, 200), ("/readyz", nil, 503), ("/metrics", nil, 401), ("/metrics", "Bearer view-me", 200),
            ("/", nil, 404), ("/api/v1/status", "Bearer edit-me", 404),
        ] as [(String, String?, Int)])
    func routes(path: String, authorization: String?, status: Int) async throws {
        let console = try ConsoleFixture(authentication: .required, health: Self.address).console
        let health = try #require(console.health)
        try await health.application.test(.router) { client in
            let headers: HTTPFields = authorization.map { [.authorization: $0] } ?? [:]
            try await client.execute(uri: path, method: .get, headers: headers) { response in
                #expect(response.status.code == status)
            }
        }
    }

    @Test("is there only where it is set")
    func absent() throws {
        #expect(try ConsoleFixture().console.health == nil)
    }

    @Test("a port that is taken is an error that names its setting")
    func takenPort() async throws {
        try await withRunning(ConsoleFixture().console) { port in
            let taken = NetworkAddress(host: "127.0.0.1", port: port)
            let health = try #require(try ConsoleFixture(health: taken).console.health)
            let error = await #expect(throws: PortUnavailableError.self) { try await health.run() }
            #expect(error?.description.hasSuffix("set another console.health") == true)
        }
    }
}
