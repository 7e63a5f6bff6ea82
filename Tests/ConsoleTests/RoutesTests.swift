import Foundation
import Gateway
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import Console

@Suite("The console's routes")
struct RoutesTests {
    @Test("healthz answers ok before the gateway has begun, ready or not")
    func health() async throws {
        try await ConsoleFixture().console.application.test(.router) { client in
            try await client.execute(uri: "/healthz", method: .get) { response in
                #expect(response.status == .ok)
                #expect(String(buffer: response.body) == "ok")
            }
        }
    }

    @Test("healthz is 503 with the reason while the gateway thread does not go on, and it is not ready either")
    func stuck() async throws {
        let clock = Mutex(ContinuousClock.now)
        let readiness = Readiness(now: { clock.withLock(\.self) })
        readiness.heartbeat.beat()
        clock.withLock { $0 += .seconds(11) }
        let router = Router(context: ConsoleContext.self)
        HealthRoutes(readiness: readiness).add(to: router)
        try await Application(router: router).test(.router) { client in
            for path in ["/healthz", "/readyz"] {
                try await client.execute(uri: path, method: .get) { response in
                    #expect(response.status == .serviceUnavailable)
                    #expect(String(buffer: response.body).contains("the gateway has not gone on for 11 s"))
                }
            }
        }
    }

    @Test("readyz is 503 with every problem until the gateway does its work, then 200")
    func ready() async throws {
        let fixture = try ConsoleFixture()
        try await fixture.console.application.test(.router) { client in
            try await client.execute(uri: "/readyz", method: .get) { response in
                #expect(response.status == .serviceUnavailable)
                let answer = try JSONDecoder().decode(ReadyAnswer.self, from: Data(String(buffer: response.body).utf8))
                #expect(answer == ReadyAnswer(ready: false, problems: fixture.readiness.problems, degraded: []))
                #expect(answer.problems.count == Readiness.Condition.allCases.count)
            }
            for condition in Readiness.Condition.allCases { fixture.readiness.set(condition, true) }
            try await client.execute(uri: "/readyz", method: .get) { response in
                #expect(response.status == .ok)
                let answer = try JSONDecoder().decode(ReadyAnswer.self, from: Data(String(buffer: response.body).utf8))
                #expect(answer == ReadyAnswer(ready: true, problems: [], degraded: []))
                #expect(response.headers[.contentType] == "application/json")
            }
            fixture.readiness.set(RetainedDelivery.exactTopics)
            try await client.execute(uri: "/readyz", method: .get) { response in
                #expect(response.status == .ok)
                let answer = try JSONDecoder().decode(ReadyAnswer.self, from: Data(String(buffer: response.body).utf8))
                #expect(answer.ready && answer.degraded == fixture.readiness.degradations)
                #expect(answer.degraded.count == 1)
            }
        }
    }

    @Test("retained inputs that the broker has lost are told by the status, and are no problem but a degradation")
    func retainedMissing() async throws {
        let fixture = try ConsoleFixture()
        for condition in Readiness.Condition.allCases { fixture.readiness.set(condition, true) }
        fixture.metrics.retainedMissing.set(7)
        fixture.readiness.setRetainedMissing(7)
        try await fixture.console.application.test(.router) { client in
            try await client.execute(uri: "/api/v1/status", method: .get) { response in
                let status = try JSONSerialization.jsonObject(with: Data(String(buffer: response.body).utf8))
                let members = try #require(status as? [String: Any])
                #expect(members["retained_missing"] as? Int == 7 && members["ready"] as? Bool == true)
                let degraded = try #require(members["degraded"] as? [String])
                #expect(degraded.count == 1 && degraded[0].contains("has lost 7 retained inputs"))
            }
        }
    }

    private struct ReadyAnswer: Codable, Equatable {
        var ready: Bool
        var problems: [String]
        var degraded: [String]
    }

    @Test("metrics shows what the gateway counts, in Prometheus' text format")
    func metrics() async throws {
        let fixture = try ConsoleFixture()
        fixture.metrics.fixes.add(42)
        try await fixture.console.application.test(.router) { client in
            try await client.execute(uri: "/metrics", method: .get) { response in
                #expect(response.status == .ok)
                #expect(response.headers[.contentType] == "text/plain; version=0.0.4; charset=utf-8")
                #expect(String(buffer: response.body).hasPrefix(MetricsText.render(fixture.metrics.families)))
                #expect(String(buffer: response.body).contains("\nheadroom_streams 0\n"))
                #expect(String(buffer: response.body).contains("\nheadroom_fixes_total 42\n"))
            }
        }
    }

    @Test(
        "a path that leads nowhere is a 404 in JSON",
        arguments: ["/assets/nothing", "/nowhere", "/metrics/x", "/api/v1/nothing"])
    func notFound(path: String) async throws {
        try await ConsoleFixture().console.application.test(.router) { client in
            try await client.execute(uri: path, method: .get) { response in
                #expect(response.status == .notFound)
                #expect(response.headers[.contentType] == "application/problem+json")
                let problem =
                    #"{"detail":"Not Found.","error":{"message":"Not Found."},"status":404,"title":"Not Found"}"#
                #expect(String(buffer: response.body) == problem + "\n")
            }
        }
    }

    @Test(
        "every answer, an error too, tells a browser to load nothing, keep nothing and show it in no frame",
        arguments: ["/healthz", "/readyz", "/metrics", "/nowhere"])
    func securityHeaders(path: String) async throws {
        try await ConsoleFixture().console.application.test(.router) { client in
            try await client.execute(uri: path, method: .get) { response in
                #expect(response.headers[.contentSecurityPolicy] == "default-src 'none'; frame-ancestors 'none'")
                #expect(response.headers[.xContentTypeOptions] == "nosniff")
                #expect(response.headers[.cacheControl] == "no-store")
            }
        }
    }

    @Test("HEAD is answered as GET, without the body")
    func head() async throws {
        try await ConsoleFixture().console.application.test(.router) { client in
            try await client.execute(uri: "/healthz", method: .head) { response in
                #expect(response.status == .ok)
                #expect(response.body.readableBytes == 0)
            }
        }
    }

    @Test(
        "a body over the limit is refused by what it says of itself",
        arguments: [(ConsoleLimits.body, HTTPResponse.Status.ok), (ConsoleLimits.body + 1, .contentTooLarge)])
    func bodyLimit(bytes: Int, status: HTTPResponse.Status) async throws {
        try await ConsoleFixture().console.application.test(.router) { client in
            let body = ByteBuffer(repeating: 0x20, count: bytes)
            try await client.execute(uri: "/healthz", method: .get, body: body) { response in
                #expect(response.status == status)
            }
        }
    }

    @Test(
        "a body over the limit that does not say so is refused while it is read",
        arguments: [
            ("alerts/1/handling", HTTPRequest.Method.put), ("cab/pairing", .post), ("fences/a", .put),
        ])
    func unannouncedBody(path: String, method: HTTPRequest.Method) async throws {
        let head = HTTPRequest(method: method, scheme: "http", authority: "localhost", path: "/api/v1/\(path)")
        let body = RequestBody(buffer: ByteBuffer(repeating: 0x20, count: ConsoleLimits.body + 1))
        let source = ApplicationRequestContextSource(
            channel: NIOAsyncTestingChannel(), logger: Logger(label: "console") { _ in SwiftLogNoOpLogHandler() })
        let response = try await ConsoleFixture().console.application.responder.respond(
            to: Request(head: head, body: body), context: ConsoleContext(source: source))
        #expect(response.status == .contentTooLarge)
    }

    @Test("a second Host is refused")
    func secondHost() async throws {
        try await ConsoleFixture().console.application.test(.router) { client in
            let headers: HTTPFields = [HTTPField.Name("Host")!: "localhost"]
            try await client.execute(uri: "/healthz", method: .get, headers: headers) { response in
                #expect(response.status == .badRequest)
            }
        }
    }
}
