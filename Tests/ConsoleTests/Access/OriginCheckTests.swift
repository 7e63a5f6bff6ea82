import HTTPTypes
import Testing

@testable import Console

@Suite("Origin check")
struct OriginCheckTests {
    /// The answer to a request whose `Host` is `localhost`.
    private func status(_ method: HTTPRequest.Method, origin: String?) async throws -> HTTPResponse.Status {
        let headers: HTTPFields = origin.map { [HTTPField.Name("Origin")!: $0] } ?? [:]
        return try await ConsoleFixture().get("/api/v1/vehicles/T1/profile", method: method, headers: headers).status
    }

    @Test(
        "a change that another site's page asks for is refused",
        arguments: [
            "http://evil.example", "https://evil.example", "http://localhost:9000", "http://localhost.evil.example",
            "http://127.0.0.1", "null", "localhost", "", "http://evil.example://localhost",
        ], [.post, .put, .patch, .delete] as [HTTPRequest.Method])
    func foreign(origin: String, method: HTTPRequest.Method) async throws {
        #expect(try await status(method, origin: origin) == .forbidden)
    }

    @Test(
        "a change from the console's own page, by TLS too, and from a program that is no browser is not",
        arguments: ["http://localhost", "https://localhost", "HTTP://LOCALHOST", nil])
    func own(origin: String?) async throws {
        // Here there is no broker.
        #expect(try await status(.delete, origin: origin) == .serviceUnavailable)
    }

    @Test("reading is up to the browser, which shows another site nothing of it")
    func reading() async throws {
        let origin: HTTPFields = [HTTPField.Name("Origin")!: "http://evil.example"]
        let answer = try await ConsoleFixture().get("/api/v1/status", headers: origin)
        #expect(answer.status == .ok)
        #expect(answer.headers[HTTPField.Name("Access-Control-Allow-Origin")!] == nil)
    }
}
