import HTTPTypes
import Store
import Testing

@testable import Console

@Suite("While the store fails")
struct StoreOutageRoutesTests {
    @Test(
        "What only the store knows is answered 503, with the time to ask again",
        arguments: [
            "events", "visits", "handling", "report", "alerts?state=all",
        ])
    func history(path: String) async throws {
        let address = try #require(PostgreSQLAddress("postgresql://nobody@127.0.0.1:1/fleet"))
        let fixture = try ConsoleFixture(store: .postgreSQL(address))
        let answer = try await fixture.get("/api/v1/\(path)")
        #expect(answer.status == .serviceUnavailable, "\(answer.text)")
        #expect(answer.headers[.retryAfter] == "10")
        #expect(answer.headers[.contentType] == "application/problem+json")
        #expect(try answer.message == "The store cannot be used now.")
    }
}
