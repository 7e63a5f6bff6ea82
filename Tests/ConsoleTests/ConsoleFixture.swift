import Foundation
import Gateway
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import ServiceLifecycle
import Store

@testable import Console

/// A console with the tokens `view-me` and `edit-me`, and what it reads from.
struct ConsoleFixture {
    let stage: Stage
    let console: Console

    var metrics: GatewayMetrics { stage.shared.metrics }
    var readiness: Readiness { stage.shared.readiness }

    init(
        _ stage: Stage? = nil, host: String = "127.0.0.1", port: Int = 0,
        authentication: ConsoleSettings.Authentication = .remote, map: ConsoleSettings.Map = .init(library: "/nowhere"),
        health: NetworkAddress? = nil, store: StoreLocation? = nil
    ) throws {
        self.stage = try stage ?? Stage(roads: false)
        let file = FileManager.default.temporaryDirectory.appending(path: "tokens-\(UUID().uuidString)")
        try Data("viewer view-me\neditor edit-me\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var configuration = self.stage.configuration
        configuration.location = store ?? configuration.location
        console = try Console(
            settings: ConsoleSettings(
                listen: NetworkAddress(host: host, port: port), authentication: authentication, tokensFile: file.path,
                map: map, health: health),
            configuration: configuration, shared: self.stage.shared,
            logger: Logger(label: "console") { _ in SwiftLogNoOpLogHandler() })
    }

    /// One answer, without a socket.
    func get(
        _ path: String, method: HTTPRequest.Method = .get, headers: HTTPFields = [:], body: String? = nil
    ) async throws -> Answer {
        try await console.application.test(.router) { client in
            let body = body.map { ByteBuffer(string: $0) }
            return try await client.execute(uri: path, method: method, headers: headers, body: body) { response in
                Answer(
                    status: response.status, headers: response.headers, bytes: Array(response.body.readableBytesView))
            }
        }
    }

    /// The status of a change, without a socket.
    func put(_ path: String, _ body: String, headers: HTTPFields = [:]) async throws -> Int {
        try await console.application.test(.router) { client in
            try await client.execute(uri: path, method: .put, headers: headers, body: ByteBuffer(string: body)) {
                $0.status.code
            }
        }
    }
}

struct Answer {
    var status: HTTPResponse.Status
    var headers: HTTPFields
    var bytes: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// - Throws: where it is no JSON object.
    var object: [String: Any] {
        get throws {
            let value = try JSONSerialization.jsonObject(with: Data(bytes))
            guard let object = value as? [String: Any] else { throw CocoaError(.propertyListReadCorrupt) }
            return object
        }
    }

    var items: [[String: Any]] { get throws { try object["items"] as? [[String: Any]] ?? [] } }
    var features: [[String: Any]] { get throws { try object["features"] as? [[String: Any]] ?? [] } }
    var message: String { get throws { (try object["error"] as? [String: Any])?["message"] as? String ?? "" } }
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
