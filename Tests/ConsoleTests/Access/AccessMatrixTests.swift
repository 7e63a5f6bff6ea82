import HTTPTypes
import Hummingbird
import Logging
import Testing

@testable import Console

/// Every operation that is described and every other route that there is, asked for by everybody.
@Suite("Who may do what")
struct AccessMatrixTests {
    private enum Caller: CaseIterable {
        case nobody, viewer, editor

        var headers: HTTPFields {
            switch self {
            case .nobody: [:]
            case .viewer: [.authorization: "Bearer view-me"]
            case .editor: [.authorization: "Bearer edit-me"]
            }
        }
    }

    private enum Access {
        case open, reading, changing
        /// For phones alone that are paired with a vehicle.
        case cab

        /// Nil: the request passes to its route.
        func refusal(of caller: Caller) -> HTTPResponse.Status? {
            switch (self, caller) {
            case (.cab, _): .unauthorized
            case (.open, _), (_, .editor), (.reading, .viewer): nil
            case (_, .nobody): .unauthorized
            case (.changing, .viewer): .forbidden
            }
        }
    }

    private func expect(
        _ method: HTTPRequest.Method, _ path: String, _ access: Access, in fixture: ConsoleFixture,
        answers: Set<Int>? = nil
    ) async throws {
        for caller in Caller.allCases {
            let status = try await fixture.get(path, method: method, headers: caller.headers).status
            if let refusal = access.refusal(of: caller) {
                #expect(status == refusal, "\(method) \(path) by \(caller)")
            } else {
                #expect(![.unauthorized, .forbidden].contains(status), "\(method) \(path) by \(caller)")
                if let answers { #expect(answers.contains(status.code), "\(method) \(path) by \(caller): \(status)") }
            }
        }
    }

    @Test("An operation asks for a token; a viewer's reads, an editor's changes too, and neither speaks for a vehicle")
    func operations() async throws {
        let fixture = try ConsoleFixture(authentication: .required)
        try fixture.stage.beginCabs()
        let document = try await fixture.get("/api/v1/openapi.json", headers: Caller.viewer.headers).object
        let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
        #expect(!paths.isEmpty)
        for (path, operations) in paths {
            for (name, operation) in operations {
                let method = try #require(HTTPRequest.Method(name.uppercased()))
                let responses = try #require(operation["responses"] as? [String: Any])
                // What is asked for is wrong, so that no stream begins: what counts is who refuses it.
                let place = "/api/v1" + path.replacing(/\{[^}]+\}/) { _ in "5" } + "?nonsense=1"
                let access = Self.access(to: path, method)
                try await expect(
                    method, place, access, in: fixture, answers: Set(responses.keys.compactMap { Int($0) }))
                if method == .get { try await expect(.head, place, access, in: fixture) }
            }
        }
    }

    private static func access(to path: String, _ method: HTTPRequest.Method) -> Access {
        if path == "/cab/pairing" { return .open }
        if path == "/cab" || path.hasPrefix("/cab/") { return .cab }
        return method == .get ? .reading : .changing
    }

    @Test("The page and the health checks are open to all, and every other route outside of the API needs a token")
    func pages() async throws {
        let fixture = try ConsoleFixture(authentication: .required)
        try fixture.stage.beginCabs()
        let router = ConsoleRouter(
            settings: ConsoleSettings(map: .init(library: "/nowhere")), tokens: nil,
            configuration: fixture.stage.configuration, shared: fixture.stage.shared,
            descriptions: try DescriptionRoutes(), logger: Logger(label: "console"))
        let routes = router.build().routes.filter { !$0.path.description.hasPrefix("/api/") }
        #expect(routes.count > 3)
        for route in routes {
            let path = route.path.description
            let isOpen = ["/", "/assets/**", "/cab", "/cab/**", "/healthz", "/readyz"].contains(path)
            let place = path.replacing("**", with: "console.js")
            try await expect(route.method, place, isOpen ? .open : .reading, in: fixture)
        }
    }
}
