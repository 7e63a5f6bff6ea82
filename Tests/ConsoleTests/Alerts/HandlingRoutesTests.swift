import Fleet
import Foundation
import HTTPTypes
import Logging
import Messages
import Store
import Testing

@testable import Console
@testable import Gateway

@Suite("What dispatchers do about an alert, over HTTP")
struct HandlingRoutesTests {
    private let stage: Stage
    private let fixture: ConsoleFixture
    private let id: String
    private var path: String { "/api/v1/alerts/\(id)/handling" }

    init() async throws {
        stage = try Stage()
        fixture = try ConsoleFixture(stage)
        try stage.approachBridge("T1")
        id = try #require(try await fixture.get("/api/v1/alerts").items.first?["id"] as? String)
    }

    private func put(_ status: String, by name: String, note: String = "", headers: HTTPFields = [:]) async throws
        -> Int
    {
        try await fixture.put(
            path, #"{"status": "\#(status)", "by": "\#(name)", "note": "\#(note)"}"#, headers: headers)
    }

    private func state() async throws -> [String?] {
        try await fixture.get("/api/v1/alerts?state=taken").items.map { $0["by"] as? String }
    }

    @Test("An open alert is taken, noted about, handed over and closed; each stands in the history, and on the alert")
    func life() async throws {
        #expect(try await fixture.get(path).status == .notFound)
        #expect(try await put("taken", by: "Desk 1") == 200)
        #expect(try await put("taken", by: "Desk 1", note: "Called") == 200)
        let alert = try #require(try await fixture.get("/api/v1/alerts").items.first)
        #expect((alert["handling"] as? [String: Any])?["note"] as? String == "Called")
        let detail = try await fixture.get("/api/v1/vehicles/T1").object["alerts"] as? [[String: Any]]
        #expect((detail?.first?["handling"] as? [String: Any])?["by"] as? String == "Desk 1")
        #expect(try await put("taken", by: "Desk 2") == 200)
        #expect(try await state() == ["Desk 2"])
        #expect(try await put("closed", by: "Desk 2") == 200)
        #expect(try await state() == [])
        let log = try await fixture.get("/api/v1/handling?vehicle=T1").items
        let told = log.map { "\($0["status"] as? String ?? "") \($0["by"] as? String ?? "")" }
        #expect(told == ["taken Desk 1", "taken Desk 1", "taken Desk 2", "closed Desk 2"])
        #expect(try await fixture.get("/api/v1/handling?format=geojson").features.count == 4)
    }

    @Test("Of two dispatchers who change the same, the second is told that somebody was faster")
    func conditions() async throws {
        let (untaken, tag): (HTTPFields, HTTPFields)
        untaken = [.ifNoneMatch: "*"]
        #expect(try await put("taken", by: "Desk 1", headers: untaken) == 200)
        #expect(try await put("taken", by: "Desk 2", headers: untaken) == 412)
        let answer = try await fixture.get(path)
        tag = [.ifMatch: try #require(answer.headers[.eTag])]
        #expect(try await put("taken", by: "Desk 2", headers: tag) == 200)
        #expect(try await put("closed", by: "Desk 1", headers: tag) == 412)
        let sequence = try #require(try await fixture.get(path).object["sequence"] as? Int)
        #expect(try await put("closed", by: "Desk 2", headers: [.ifMatch: "\"\(sequence)\""]) == 200)
        #expect(try await put("closed", by: "Desk 2", headers: tag) == 412)
    }

    @Test(
        "A body that is no handling is refused with what is expected",
        arguments: [
            "", "{}", #"{"status": "given", "by": "Desk 1"}"#, #"{"status": "taken"}"#,
            #"{"status": "taken", "by": " "}"#,
            #"{"status": "taken", "by": "A\nnn"}"#,
            #"{"status": "taken", "by": "\#(String(repeating: "A", count: 101))"}"#,
            #"{"status": "taken", "by": "Desk 1", "note": "\#(String(repeating: "A", count: 501))"}"#,
        ])
    func badBody(body: String) async throws {
        #expect(try await fixture.put(path, body) == 422)
        #expect(try await state() == [])
    }

    @Test("An alert that nobody knows cannot be taken, and where the gateway has ended nobody is told that one is")
    func unavailable() async throws {
        let body = #"{"status": "taken", "by": "Desk 1"}"#
        #expect(try await fixture.put("/api/v1/alerts/none/handling", body) == 404)
        stage.shared.handling.end()
        #expect(try await fixture.put(path, body) == 503)
    }

    @Test("A stream tells who sees to what at its begin and whenever that changes, and each change as it is made")
    func stream() async throws {
        var layer = HandlingLayer()
        func names() async throws -> [String?]? {
            guard let event = layer.event(await stage.shared.view.snapshot()) else { return nil }
            let object = try JSONSerialization.jsonObject(with: Data(event.data)) as? [String: Any]
            return (object?["alerts"] as? [[String: Any]])?.map { $0["by"] as? String }
        }
        #expect(try await names() == [])
        #expect(try await names() == nil)
        #expect(try await put("taken", by: "Desk 1") == 200)
        #expect(try await names() == ["Desk 1"])
        #expect(stage.shared.messages.after(0)?.last?.kind == .handling)
        // A vehicle of which nothing may be kept.
        try stage.report(.consent(Consent(.denied)), from: "T1")
        #expect(try await names() == [])
        #expect(try await fixture.get("/api/v1/handling").items.isEmpty)
    }

    @Test("What a driver acknowledges is kept for as long as the alert's messages")
    func acknowledgement() async throws {
        try stage.report(.acknowledgement(.alert(id: id, sequence: 1)), from: "T1")
        try stage.report(.acknowledgement(.alert(id: "another", sequence: 1)), from: "T1")
        let reader = HistoryReader(stage.configuration.location, logger: .init(label: "console"))
        let filter = HistoryFilter(kind: .acknowledgement, vehicle: nil, order: .oldestFirst)
        #expect(try await reader.page(filter, limit: 10).entries.map(\.id) == [id])
    }
}
