import Gateway
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Testing

@testable import Console

@Suite("Who needs a token")
struct AuthenticationTests {
    @Test(
        "remote asks beyond loopback, required everywhere, none nowhere",
        arguments: [
            ("127.0.0.1", false), ("127.8.0.1", false), ("localhost", false), ("LOCALHOST", false), ("::1", false),
            ("0.0.0.0", true), ("::", true), ("192.168.1.5", true), ("gateway.example.com", true),
            ("127.evil.example", true),
        ])
    func inForce(host: String, remote: Bool) {
        let listen = NetworkAddress(host: host, port: 8080)
        #expect(ConsoleSettings(listen: listen, authentication: .remote).needsToken == remote)
        #expect(ConsoleSettings(listen: listen, authentication: .required).needsToken)
        #expect(!ConsoleSettings(listen: listen, authentication: .none).needsToken)
    }

    @Test(
        "metrics wants a viewer's token, and an editor's will do",
        arguments: [
            (nil, .unauthorized, "Bearer"),
            ("Bearer view-me", .ok, nil), ("bearer view-me", .ok, nil), ("Bearer edit-me", .ok, nil),
            ("Bearer view-m", .unauthorized, #"Bearer error="invalid_token""#),
            ("Bearer view-me-view-me", .unauthorized, #"Bearer error="invalid_token""#),
            ("Bearer viewer", .unauthorized, #"Bearer error="invalid_token""#),
            ("Bearer ", .unauthorized, "Bearer"), ("Basic view-me", .unauthorized, "Bearer"),
            ("view-me", .unauthorized, "Bearer"),
        ] as [(String?, HTTPResponse.Status, String?)])
    func metrics(authorization: String?, status: HTTPResponse.Status, challenge: String?) async throws {
        try await ConsoleFixture(authentication: .required).console.application.test(.router) { client in
            let headers: HTTPFields = authorization.map { [.authorization: $0] } ?? [:]
            try await client.execute(uri: "/metrics", method: .get, headers: headers) { response in
                #expect(response.status == status)
                #expect(response.headers[.wwwAuthenticate] == challenge)
                #expect(String(buffer: response.body).contains("headroom_") == (status == .ok))
            }
        }
    }

    @Test("a token below the door's role is known and not enough")
    func role() async throws {
        let tokens = try TokenList(text: "viewer view-me\neditor edit-me", file: "tokens")
        let router = Router()
        router.add(middleware: BearerToken(tokens: tokens, role: .editor))
        router.put("fence") { _, _ in "changed" }
        try await Application(router: router).test(.router) { client in
            for (token, status) in [("view-me", HTTPResponse.Status.forbidden), ("edit-me", .ok)] {
                let headers: HTTPFields = [.authorization: "Bearer \(token)"]
                try await client.execute(uri: "/fence", method: .put, headers: headers) { response in
                    #expect(response.status == status)
                }
            }
        }
    }

    @Test("health is open to all, whoever needs a token", arguments: ["/healthz", "/readyz"])
    func open(path: String) async throws {
        try await ConsoleFixture(host: "0.0.0.0").console.application.test(.router) { client in
            try await client.execute(uri: path, method: .get) { response in
                #expect(response.status != .unauthorized)
            }
            try await client.execute(uri: "/metrics", method: .get) { response in
                #expect(response.status == .unauthorized)
            }
        }
    }

    @Test("where tokens are needed and none are to be had, the console does not start")
    func noTokens() throws {
        let stage = try Stage(roads: false)
        let fixture = { (settings: ConsoleSettings) in
            try Console(
                settings: settings, configuration: stage.configuration, shared: stage.shared,
                logger: .init(label: "console"))
        }
        #expect(throws: ConsoleSettingsError.tokensNeeded(host: "0.0.0.0")) {
            try fixture(ConsoleSettings(listen: NetworkAddress(host: "0.0.0.0", port: 8080)))
        }
        #expect(throws: ConsoleSettingsError.tokensUnreadable(file: "/nowhere/tokens")) {
            try fixture(ConsoleSettings(tokensFile: "/nowhere/tokens"))
        }
        #expect(throws: Never.self) { try fixture(ConsoleSettings()) }
    }
}
