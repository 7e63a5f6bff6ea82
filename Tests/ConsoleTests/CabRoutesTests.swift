import Fleet
import Foundation
import Geo
import HTTPTypes
import Messages
import Store
import Testing

@testable import Console
@testable import Gateway

@Suite("Phones in the cab, over HTTP")
struct CabRoutesTests {
    private let stage: Stage
    private let fixture: ConsoleFixture

    init() throws {
        stage = try Stage(roads: false)
        fixture = try ConsoleFixture(stage, authentication: .required)
        try stage.beginCabs()
    }

    private static let editor: HTTPFields = [.authorization: "Bearer edit-me"]
    private static let viewer: HTTPFields = [.authorization: "Bearer view-me"]

    private func code(of vehicle: String) async throws -> String {
        let link = try await fixture.get(
            "/api/v1/vehicles/\(vehicle)/cab-links", method: .post, headers: Self.editor
        ).object
        let path = try #require(link["path"] as? String)
        #expect(path.hasPrefix("/cab#"))
        return String(path.dropFirst("/cab#".count))
    }

    private func pair(_ code: String) async throws -> Answer {
        try await fixture.get("/api/v1/cab/pairing", method: .post, body: #"{"code": "\#(code)"}"#)
    }

    private func phone(of vehicle: String) async throws -> HTTPFields {
        let token = try #require(try await pair(try await code(of: vehicle)).object["token"] as? String)
        return [.authorization: "Bearer \(token)"]
    }

    @Test("A code is exchanged for one token, which speaks for its vehicle and opens nothing else")
    func pairing() async throws {
        let code = try await code(of: "T42")
        let paired = try await pair(code)
        #expect(paired.status == .ok)
        #expect(try paired.object["vehicle"] as? String == "T42")
        #expect(try await pair(code).status == .gone)
        let token = try #require(try paired.object["token"] as? String)
        let headers: HTTPFields = [.authorization: "Bearer \(token)"]
        #expect(try await fixture.get("/api/v1/cab", headers: headers).object["vehicle"] as? String == "T42")
        for path in ["/api/v1/vehicles", "/api/v1/vehicles/T42", "/api/v1/status", "/metrics"] {
            #expect(try await fixture.get(path, headers: headers).status == .unauthorized, "\(path)")
        }
        #expect(
            try await fixture.get("/api/v1/vehicles/T43/cab-links", method: .post, headers: headers).status
                == .unauthorized)
    }

    @Test(
        "A gateway that has not read its tokens yet tells no phone that it is not paired", arguments: ["", "/stream"])
    func beforeBegin(path: String) async throws {
        let fixture = try ConsoleFixture(Stage(roads: false))
        let headers: HTTPFields = [.authorization: "Bearer of-a-phone"]
        #expect(try await fixture.get("/api/v1/cab\(path)", headers: headers).status == .serviceUnavailable)
        try fixture.stage.beginCabs()
        #expect(try await fixture.get("/api/v1/cab\(path)", headers: headers).status == .unauthorized)
    }

    @Test("What is no code gives no token", arguments: ["", "AAAA", "edit-me"])
    func forged(code: String) async throws { #expect(try await pair(code).status == .gone) }

    @Test("A body that names no code is refused with what is expected")
    func badBody() async throws {
        let answer = try await fixture.get("/api/v1/cab/pairing", method: .post, body: "{}")
        #expect(answer.status == .unprocessableContent)
        #expect(try answer.message.contains("code"))
    }

    @Test("Tokens are listed without being told, and one that is revoked opens nothing at once")
    func revocation() async throws {
        let (first, second) = (try await phone(of: "T42"), try await phone(of: "T42"))
        let listed = try await fixture.get("/api/v1/vehicles/T42/cab-tokens", headers: Self.viewer)
        #expect(
            try listed.items.map { Set($0.keys) } == Array(repeating: ["id", "created_at", "expires_at"], count: 2))
        let id = try #require(try listed.items.first?["id"] as? Int)
        for (headers, status) in [(Self.viewer, 403), (Self.editor, 200), (Self.editor, 404)] {
            let answer = try await fixture.get("/api/v1/cab-tokens/\(id)", method: .delete, headers: headers)
            #expect(answer.status.code == status)
        }
        #expect(try await fixture.get("/api/v1/cab", headers: first).status == .unauthorized)
        #expect(try await fixture.get("/api/v1/cab", headers: second).status == .ok)
        #expect(try await fixture.get("/api/v1/vehicles/T43/cab-tokens", headers: Self.viewer).items.isEmpty)
    }

    @Test("A phone reads the state of its vehicle as it is published")
    func state() async throws {
        let headers = try await phone(of: "T1")
        #expect(try await fixture.get("/api/v1/cab", headers: headers).object["state"] is NSNull)
        try stage.fix("T1", 42.28, -83.74)
        let state = try #require(
            try await fixture.get("/api/v1/cab", headers: headers).object["state"] as? [String: Any])
        #expect(state["vehicle"] as? String == "T1" && state["type"] as? String == "state")
        let answer = try await fixture.get("/api/v1/cab", headers: headers).object
        let height = try #require(answer["height"] as? [String: Any])
        #expect(height["status"] as? String == "assumed" && height["units"] != nil && height["groups"] != nil)
        #expect((answer["alerts"] as? [Any])?.isEmpty == true)
    }

    @Test("Past its validity a phone still reads the height that was said, beside the larger one that counts")
    func reportedHeight() async throws {
        let headers = try await phone(of: "T1")
        func height() async throws -> [String: Any] {
            try #require(try await fixture.get("/api/v1/cab", headers: headers).object["height"] as? [String: Any])
        }
        try stage.fix("T1", 42.28, -83.74)
        #expect(try await height()["reported"] is NSNull)
        try stage.report(.profile(HeightProfile(height: 366, source: "driver", validFor: 100)), from: "T1")
        #expect(try await height()["reported"] as? Double == 3.66)
        try stage.fix("T1", 42.28, -83.74, after: 150)
        let stale = try await height()
        #expect(stale["status"] as? String == "stale" && stale["value"] as? Double == 4.12)
        #expect(stale["reported"] as? Double == 3.66)
    }

    @Test("A phone reads the roads round its vehicle, a feature for each class, and nothing without a position")
    func roads() async throws {
        let stage = try Stage()
        let fixture = try ConsoleFixture(stage, authentication: .required)
        try stage.beginCabs()
        let link = try await fixture.get(
            "/api/v1/vehicles/T1/cab-links", method: .post, headers: Self.editor
        ).object
        let code = try #require(link["path"] as? String).dropFirst("/cab#".count)
        let paired = try await fixture.get("/api/v1/cab/pairing", method: .post, body: #"{"code": "\#(code)"}"#).object
        let headers: HTTPFields = [.authorization: "Bearer \(try #require(paired["token"] as? String))"]
        #expect(try await fixture.get("/api/v1/cab/roads", headers: headers).status == .notFound)

        try stage.fix("T1", 42.2803, -83.7374)
        let features = try #require(
            try await fixture.get("/api/v1/cab/roads", headers: headers).object["features"] as? [[String: Any]])
        #expect(!features.isEmpty)
        let classes = features.compactMap { ($0["properties"] as? [String: Any])?["class"] as? String }
        #expect(classes.count == Set(classes).count && !classes.contains("service"), "\(classes)")
        let here = Coordinate(latitude: 42.2803, longitude: -83.7374)
        for (roadClass, feature) in zip(classes, features) {
            let geometry = try #require(feature["geometry"] as? [String: Any])
            let lines = try #require(geometry["coordinates"] as? [[[Double]]])
            #expect(lines.allSatisfy { $0.count > 1 }, "\(roadClass)")
            let nearest = lines.joined().map { here.distance(to: Coordinate(latitude: $0[1], longitude: $0[0])) }.min()
            #expect(try #require(nearest) < 3_500, "\(roadClass)")
        }
    }

    @Test("A link names the address that the browser reached the console by, and comes as a QR code")
    func link() async throws {
        let path = "/api/v1/vehicles/T42/cab-links"
        let bare = try await fixture.get(path, method: .post, headers: Self.editor).object
        #expect(bare["link"] is NSNull && bare["qr"] is NSNull)
        var headers = Self.editor
        headers[.origin] = "https://localhost"
        let named = try await fixture.get(path, method: .post, headers: headers)
        let link = try #require(try named.object["link"] as? String, "\(named.text)")
        #expect(link.hasPrefix("https://localhost/cab#"))
        #expect(try (named.object["qr"] as? String)?.hasPrefix("<svg") == true)
    }

    @Test(
        "A parameter that is not known is refused, whatever a phone sends",
        arguments: [("fixes", HTTPRequest.Method.post), ("ack", .post), ("profile", .put)])
    func unknownParameter(path: String, method: HTTPRequest.Method) async throws {
        let headers = try await phone(of: "T1")
        let answer = try await fixture.get(
            "/api/v1/cab/\(path)?dry_run=1", method: method, headers: headers, body: "[]")
        #expect(answer.status == .badRequest)
        #expect(try answer.message.contains("dry_run"))
    }

    @Test(
        "What cannot be read is refused before it is published",
        arguments: [
            ("fixes", HTTPRequest.Method.post, "[]"), ("fixes", .post, "nonsense"), ("profile", .put, "[1]"),
            ("consent", .put, "{\"status\": 1}"), ("presence", .put, "perhaps"), ("ack", .post, "{}"),
            ("ack", .post, ""),
        ])
    func badInput(path: String, method: HTTPRequest.Method, body: String) async throws {
        let headers = try await phone(of: "T1")
        let answer = try await fixture.get("/api/v1/cab/\(path)", method: method, headers: headers, body: body)
        #expect(answer.status == .unprocessableContent, "\(answer.text)")
    }
}
