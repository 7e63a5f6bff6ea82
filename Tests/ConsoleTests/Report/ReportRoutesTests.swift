import Fleet
import Foundation
import HTTPTypes
import Messages
import Testing
import Wire

@testable import Console
@testable import Gateway

@Suite("The report of a span of time")
struct ReportRoutesTests {
    private let stage: Stage
    private let fixture: ConsoleFixture

    /// One truck is told, acknowledges and is taken, another one passes under.
    init() async throws {
        stage = try Stage()
        fixture = try ConsoleFixture(stage)
        try stage.approachBridge("T1")
        let id = try #require(try await fixture.get("/api/v1/alerts").items.first?["id"] as? String)
        try stage.report(.acknowledgement(.alert(id: id, sequence: 1)), from: "T1")
        #expect(try await fixture.put("/api/v1/alerts/\(id)/handling", #"{"status": "taken", "by": "Desk 1"}"#) == 200)
        try stage.driveTo("T2", seconds: 112)
        try stage.take([], after: 1)
    }

    private func counts(_ object: Any?) -> [Int?] {
        let counts = object as? [String: Any] ?? [:]
        return ["alerts", "stops", "passed", "acknowledged", "taken"].map { counts[$0] as? Int }
    }

    @Test(
        "It counts alerts by what became of them, by day, hour, bridge and vehicle, and says who passed and how far ahead"
    )
    func counted() async throws {
        let report = try await fixture.get("/api/v1/report").object
        #expect(counts(report["total"]) == [2, 1, 1, 1, 1])
        let vehicles = report["vehicles"] as? [[String: Any]] ?? []
        #expect(vehicles.map { $0["vehicle"] as? String } == ["T1", "T2"])
        #expect(counts(vehicles.last) == [1, 1, 1, 0, 0])
        let bridges = report["bridges"] as? [[String: Any]] ?? []
        #expect(bridges.map { $0["posted"] as? String } == ["10'6\""] && counts(bridges[0]) == [2, 1, 1, 1, 1])
        #expect((report["days"] as? [[String: Any]])?.map { $0["day"] as? String } == ["2026-11-18"])
        #expect((report["messages"] as? [String: Int])?["passed"] == 1)
        #expect((report["passes"] as? [[String: Any]])?.map { $0["vehicle"] as? String } == ["T2"])
        let distance = (report["lead"] as? [String: [String: Double]])?["distance"]?["median"] ?? 0
        #expect((300...4_000).contains(distance))
    }

    @Test("It says for how long a vehicle was not warned and why, up to now and no further")
    func blindTime() async throws {
        func seconds() async throws -> [String: Double] {
            let day = "from=2026-11-18T00:00:00Z&to=2026-11-19T00:00:00Z"
            let blind = try await fixture.get("/api/v1/report?\(day)").object["blind_time"] as? [[String: Any]] ?? []
            return Dictionary(
                uniqueKeysWithValues: blind.flatMap { vehicle in
                    (vehicle["spots"] as? [[String: Any]] ?? []).map { spot in
                        ("\(vehicle["vehicle"] ?? "") \(spot["spot"] ?? "")", spot["seconds"] as? Double ?? 0)
                    }
                })
        }
        // While T2 drove, nothing came from T1. A position is stale after a minute.
        #expect(try await seconds().keys.allSatisfy { $0 == "T1 stale-position" })
        try stage.take([], after: 360)
        let blind = try await seconds()
        #expect(Set(blind.keys) == ["T1 stale-position", "T2 stale-position"])
        let time = try #require(blind["T2 stale-position"])
        #expect((200...360).contains(time), "\(blind)")
        try stage.take([], after: 100)
        #expect(try await seconds()["T2 stale-position"] == time + 100)
        let csv = try await fixture.get("/api/v1/report?format=csv").text
        #expect(csv.contains("\nvehicle,T2,,1,0,1,1,0,0,0,\(Int(time) + 100)\n"), "\(csv)")
        let text = try await fixture.get("/api/v1/report?format=text").text
        #expect(text.contains("Not warned: for how long, and because of what\nT"), "\(text)")
    }

    @Test("Of a clearance it says how many were alerted, who passed under it, and how tall the tallest of them is")
    func evidence() async throws {
        let id = try #require(
            (try await fixture.get("/api/v1/report").object["bridges"] as? [[String: Any]])?.first?["id"] as? String)
        let evidence = try await fixture.get("/api/v1/clearances/\(id)/evidence").object
        #expect(evidence["alerts"] as? Int == 2 && evidence["passes"] as? Int == 1)
        for name in ["last_pass", "tallest_pass"] {
            let pass = evidence[name] as? [String: Any]
            #expect(pass?["vehicle"] as? String == "T2" && pass?["height"] as? Double ?? 0 > 3.2, "\(evidence)")
        }
        let before = try await fixture.get("/api/v1/clearances/\(id)/evidence?to=2026-11-01T00:00:00Z").object
        #expect(before["alerts"] as? Int == 0 && before["last_pass"] is NSNull)
        #expect(try await fixture.get("/api/v1/clearances/nowhere/evidence").status == .notFound)
    }

    @Test(
        "Two halves of a span have together what the whole has, wherever it is halved",
        arguments: [5.0, 20, 40, 80, 110, 113, 140])
    func halves(secondsBefore: Double) async throws {
        let middle = RFC3339.text(stage.now.adding(-secondsBefore))
        func total(_ from: String, _ to: String) async throws -> [Int] {
            let report = try await fixture.get("/api/v1/report?from=\(from)&to=\(to)").object
            return counts(report["total"]).map { $0 ?? -1 }
        }
        let before = try await total("2026-11-18T00:00:00Z", middle)
        let after = try await total(middle, "2026-11-19T00:00:00Z")
        #expect(zip(before, after).map { $0 + $1 } == [2, 1, 1, 1, 1], "\(before), \(after)")
    }

    @Test("It is CSV and text where these are wanted, and holds nothing of another time")
    func formats() async throws {
        let csv = try await fixture.get("/api/v1/report", headers: [.accept: "text/csv"])
        let lines = csv.text.split(separator: "\n")
        #expect(csv.headers[.contentType] == "text/csv")
        #expect(lines.first == "part,key,name,alerts,notices,stops,passed,cleared,acknowledged,taken,blind_seconds")
        #expect(lines.contains("vehicle,T2,,1,0,1,1,0,0,0,0"), "\(csv.text)")
        let text = try await fixture.get("/api/v1/report?format=text").text
        #expect(text.contains("Passed under\n"), "\(text)")
        let before = try await fixture.get("/api/v1/report?to=2026-11-01T00:00:00Z").object
        #expect(counts(before["total"]) == [0, 0, 0, 0, 0] && before["lead"] is NSNull)
        #expect(try await fixture.get("/api/v1/report?from=2027-11-01T00:00:00Z").status == .badRequest)
    }
}
