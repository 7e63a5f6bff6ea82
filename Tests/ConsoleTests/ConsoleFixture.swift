import Console
import Foundation
import Gateway
import HTTPTypes
import HummingbirdTesting
import Logging
import ServiceLifecycle

/// A console with the tokens `view-me` and `edit-me`, and what it reads from.
struct ConsoleFixture {
    let metrics = GatewayMetrics(version: "1.2.3")
    let readiness = Readiness()
    let console: Console

    init(
        host: String = "127.0.0.1", port: Int = 0, authentication: ConsoleSettings.Authentication = .remote
    ) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "tokens-\(UUID().uuidString)")
        try Data("viewer view-me\neditor edit-me\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        console = try Console(
            settings: ConsoleSettings(
                host: host, port: port, authentication: authentication, tokensFile: file.path),
            metrics: metrics, readiness: readiness, logger: Logger(label: "console") { _ in SwiftLogNoOpLogHandler() })
    }
}

/// Runs `console`, waits for its port, and shuts it down gracefully after `body`.
func withRunning<Value: Sendable>(
    _ console: Console, _ body: @Sendable (_ port: Int) async throws -> Value
) async throws -> Value {
    let services = ServiceGroup(services: [console], logger: Logger(label: "console") { _ in SwiftLogNoOpLogHandler() })
    async let run: Void = services.run()
    let result: Result<Value, any Error>
    do { result = .success(try await body(try await console.port)) } catch { result = .failure(error) }
    await services.triggerGracefulShutdown()
    try await run
    return try result.get()
}

/// The status of one GET over a connection of its own.
func wireStatus(
    _ path: String, host: String?, headers: HTTPFields = [:], port: Int
) async throws -> HTTPResponse.Status {
    try await TestClient.withClient(host: "127.0.0.1", port: port) { client in
        try await client.execute(TestClient.Request(path, method: .get, authority: host, headers: headers)).status
    }
}
