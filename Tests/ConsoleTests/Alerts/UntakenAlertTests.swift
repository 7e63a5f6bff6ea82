import Fleet
import Foundation
import Gateway
import HTTPTypes
import Messages
import Testing

@testable import Console

@Suite("Alerts that a dispatcher has to take")
struct UntakenAlertTests {
    private func stages(_ fixture: ConsoleFixture) async throws -> [String?] {
        try await fixture.get("/api/v1/alerts?state=untaken").items.map { $0["stage"] as? String }
    }

    @Test("A stop is one until its driver acknowledges it, a passed bridge is one whatever the driver says")
    func comesAndGoes() async throws {
        let stage = try Stage()
        let fixture = try ConsoleFixture(stage)
        try stage.driveTo("T1", seconds: 60)
        #expect(try await stages(fixture) == [])
        try stage.driveTo("T2", seconds: 100)
        #expect(try await stages(fixture) == ["stop"])
        let open = try #require(try await fixture.get("/api/v1/alerts?vehicle=T2").items.first)
        let (id, sequence) = (try #require(open["id"] as? String), try #require(open["sequence"] as? Int))
        try stage.report(.acknowledgement(.alert(id: id, sequence: sequence - 1)), from: "T2")
        #expect(try await stages(fixture) == ["stop"])
        try stage.report(.acknowledgement(.alert(id: id, sequence: sequence)), from: "T2")
        #expect(try await stages(fixture) == [])
        try stage.driveTo("T3", seconds: 112)
        #expect(try await stages(fixture) == ["passed"])
        let features = try await fixture.get("/api/v1/alerts?state=untaken&format=geojson").features
        #expect((features.first?["geometry"] as? [String: Any])?["type"] as? String == "Point")
    }

    @Test("A stream tells them at its begin and whenever they change")
    func stream() async throws {
        let stage = try Stage()
        var layer = UntakenLayer()
        func count() async throws -> Int? {
            guard let event = layer.event(await stage.shared.view.snapshot()) else { return nil }
            return (try JSONSerialization.jsonObject(with: Data(event.data)) as? [String: Any])?["count"] as? Int
        }
        #expect(try await count() == 0)
        #expect(try await count() == nil)
        try stage.driveTo("T1", seconds: 112)
        #expect(try await count() == 1)
        // A vehicle of which nothing may be kept.
        try stage.report(.consent(Consent(.denied)), from: "T1")
        #expect(try await count() == 0)
    }

    @Test("A stop that nobody answers for a minute escalates; one that is taken does not")
    func escalation() async throws {
        let stage = try Stage()
        let fixture = try ConsoleFixture(stage)
        try stage.driveTo("T1", seconds: 100)
        let first = try #require(try await fixture.get("/api/v1/alerts?state=untaken").items.first)
        #expect(first["escalated_at"] is NSNull)
        let id = try #require(first["id"] as? String)
        let body = #"{"status": "taken", "by": "Desk 1"}"#
        #expect(try await fixture.put("/api/v1/alerts/\(id)/handling", body) == 200)
        try stage.driveTo("T2", seconds: 100)
        #expect(
            try await fixture.get("/api/v1/alerts?state=untaken").items.map { $0["escalated_at"] is NSNull } == [true])
        try stage.take([], after: 61)
        let later = try await fixture.get("/api/v1/alerts?state=untaken").items
        #expect(later.map { $0["vehicle"] as? String } == ["T2"] && later.first?["escalated_at"] is String)
    }

    @Test("How an alert stands now is what the driver was told, with the distance of now, in units of one's own")
    func text() async throws {
        let stage = try Stage()
        try stage.approachBridge("T1")
        let fixture = try ConsoleFixture(stage)
        let told = try #require(try await fixture.get("/api/v1/alerts").items.first?["text"] as? String)
        #expect(told.hasPrefix("Low bridge 10'6\" on ") && told.contains(" mi. Leave at "))
        let imperial = try await fixture.get("/api/v1/alerts?units=imperial").items.first?["text_now"] as? String
        let metric = try await fixture.get("/api/v1/alerts?units=metric").items.first?["text_now"] as? String
        func words(_ text: String?) -> String? {
            text?.replacing(/[0-9.]+ (mi|ft|km|m)\b/) { _ in "…" }
        }
        #expect(words(imperial) == words(told) && words(metric) == words(told))
        #expect(metric?.contains(" km. Leave at ") == true, "\(metric ?? "")")
    }
}
