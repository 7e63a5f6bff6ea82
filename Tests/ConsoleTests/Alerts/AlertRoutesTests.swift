import Fleet
import Foundation
import Gateway
import HTTPTypes
import Messages
import Store
import Testing

@testable import Console

@Suite("Alerts and history over HTTP")
struct AlertRoutesTests {
    @Test("Open alerts have the worst first, and say how far it is now")
    func open() async throws {
        let stage = try Stage()
        for vehicle in ["T1", "T2"] { try stage.approachBridge(vehicle) }
        let fixture = try ConsoleFixture(stage)
        let items = try await fixture.get("/api/v1/alerts").items
        #expect(Set(items.compactMap { $0["vehicle"] as? String }) == ["T1", "T2"])
        let distances = items.compactMap { ($0["now"] as? [String: Any])?["distance"] as? Double }
        #expect(distances == distances.sorted() && distances.count == 2)
        #expect(try await fixture.get("/api/v1/alerts?vehicle=T2").items.count == 1)
        let first = try await fixture.get("/api/v1/alerts?limit=1").object
        let next = try #require(first["next"] as? String)
        let second = try await fixture.get("/api/v1/alerts?limit=1&cursor=\(next)").object
        #expect(second["next"] is NSNull)
        #expect(try await fixture.get("/api/v1/alerts?cursor=x").status == .badRequest)
        #expect(try await fixture.get("/api/v1/alerts?order=desc").status == .badRequest)
    }

    @Test(
        "A page goes on behind the last alert of the one before, also where that has ended meanwhile",
        arguments: [("open", 43), ("taken", 43), ("untaken", 100)])
    func pages(state: String, seconds: Int) async throws {
        let stage = try Stage()
        for vehicle in ["T1", "T2"] { try stage.driveTo(vehicle, seconds: seconds) }
        let fixture = try ConsoleFixture(stage)
        func handle(_ id: String, _ status: String) async throws -> Int {
            try await fixture.put("/api/v1/alerts/\(id)/handling", #"{"status": "\#(status)", "by": "Desk 1"}"#)
        }
        if state == "taken" {
            for alert in try await fixture.get("/api/v1/alerts").items {
                #expect(try await handle(try #require(alert["id"] as? String), "taken") == 200)
            }
        }
        let first = try await fixture.get("/api/v1/alerts?state=\(state)&limit=1")
        let alert = try #require(try first.items.first)
        let vehicle = try #require(alert["vehicle"] as? String)
        let next = try #require(try first.object["next"] as? String)
        if state == "open" {
            try stage.report(.profile(HeightProfile(height: 250)), from: vehicle)
        } else {
            #expect(try await handle(try #require(alert["id"] as? String), "closed") == 200)
        }
        let second = try await fixture.get("/api/v1/alerts?state=\(state)&limit=1&cursor=\(next)")
        #expect(try second.items.map { $0["vehicle"] as? String } == [vehicle == "T1" ? "T2" : "T1"], "\(second.text)")
        #expect(try second.object["next"] is NSNull)
        #expect(try await fixture.get("/api/v1/alerts?state=\(state)&cursor=1").status == .badRequest)
    }

    @Test("A cursor of alerts is read as it was written, and sorts by the first rank that differs, then by the id")
    func cursor() throws {
        let ranks: [[Double]] = [[-3, 0, 12.25], [-3, 1, 2], [-2, 0, 1e-7], [-2, 0, 1e-7]]
        let cursors = ranks.enumerated().map { AlertCursor($0.element, id: "a\($0.offset)") }
        for cursor in cursors { #expect(AlertCursor(cursor.description) == cursor) }
        #expect(cursors.reversed().sorted() == cursors)
        for text in ["", "a", "1,x,a", "-"] { #expect(AlertCursor(text) == nil, "\(text)") }
    }

    @Test(
        "On a map an alert is its clearance, its last turn-off, the detour, where it was told and where the truck is")
    func features() async throws {
        let stage = try Stage()
        try stage.approachBridge("T1")
        let features = try await ConsoleFixture(stage).get("/api/v1/alerts?format=geojson").features
        let kinds = features.compactMap { ($0["properties"] as? [String: Any])?["kind"] as? String }
        #expect(kinds == ["clearance", "detour", "detour-line", "told", "vehicle"])
        let types = features.compactMap { ($0["geometry"] as? [String: Any])?["type"] as? String }
        #expect(types == ["Point", "Point", "LineString", "Point", "Point"])
    }

    @Test(
        "Within bounds are those of which a part lies there",
        arguments: [("clearance", 0), ("detour", 1), ("detour-line", 2), ("told", 3), ("vehicle", 4)])
    func bounds(kind: String, place: Int) async throws {
        let stage = try Stage()
        try stage.approachBridge("T1")
        let fixture = try ConsoleFixture(stage)
        let part = try await fixture.get("/api/v1/alerts?format=geojson").features[place]
        let geometry = try #require(part["geometry"] as? [String: Any])
        let longLine = geometry["coordinates"] as? [[Double]]
        let corner = try #require(longLine.map { $0[$0.count / 2] } ?? geometry["coordinates"] as? [Double])
        let (lon, lat) = (corner[0], corner[1])
        let near = "\(lon - 1e-5),\(lat - 1e-5),\(lon + 1e-5),\(lat + 1e-5)"
        #expect(try await fixture.get("/api/v1/alerts?bbox=\(near)").items.count == 1, "\(kind)")
        #expect(try await fixture.get("/api/v1/alerts?bbox=\(lon + 1),\(lat),\(lon + 2),\(lat)").items.isEmpty)
        #expect(try await fixture.get("/api/v1/alerts?state=all&bbox=\(near)").status == .badRequest)
    }

    @Test("The history has what was published, byte for byte, from either end")
    func history() async throws {
        // Of fences that name it a truck is told that it is outside.
        let vehicles = ["T1", "T2"].compactMap { VehicleID($0) }
        let fences = [Fence.circle("a", 42.2806, -83.7519), .circle("b", 42.5, -83.7)].map { fence in
            var fence = fence
            fence.vehicles = vehicles
            return fence
        }
        let stage = try Stage(fences: fences)
        try stage.approachBridge("T1")
        try stage.approachBridge("T2")
        let fixture = try ConsoleFixture(stage)
        let said = try #require(stage.shared.messages.after(0)).filter { $0.kind == .alert }
        let all = try await fixture.get("/api/v1/alerts?state=all")
        for message in said { #expect(all.text.contains(String(decoding: message.payload, as: UTF8.self))) }
        let ids = try all.items.compactMap { $0["id"] as? String }
        let reversed = try await fixture.get("/api/v1/alerts?state=all&order=desc").items.compactMap {
            $0["id"] as? String
        }
        #expect(ids.count == 2 && reversed == ids.reversed())

        var (events, cursor): ([String], String?) = ([], nil)
        repeat {
            let path = "/api/v1/events?fence=b&order=desc&limit=1" + (cursor.map { "&cursor=\($0)" } ?? "")
            let answer = try await fixture.get(path)
            events += try answer.items.compactMap { $0["vehicle"] as? String }
            cursor = try answer.object["next"] as? String
        } while cursor != nil
        #expect(events == ["T2", "T1"])
        #expect(try await fixture.get("/api/v1/events?vehicle=T1").items.count == 2)
        let from = "2026-11-18T11:07:20Z"
        #expect(
            try await fixture.get("/api/v1/events?from=\(from)").items.allSatisfy { $0["vehicle"] as? String == "T2" })
        let features = try await fixture.get("/api/v1/events?format=geojson&vehicle=T1").features
        #expect(features.count == 2 && features.allSatisfy { $0["geometry"] is [String: Any] })

        let csv = try await fixture.get("/api/v1/events?fence=b&order=desc&limit=1", headers: [.accept: "text/csv"])
        let rows = csv.text.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        let headings = "time,vehicle,type,what,id,sequence,bridge,fence,by,text,lat,lon"
        #expect(csv.headers[.contentType] == "text/csv" && rows.first?.joined(separator: ",") == headings)
        #expect(
            rows.count == 2 && rows[1].count == 12 && [rows[1][1], rows[1][2], rows[1][7]] == ["T2", "event", "b"])
        let link = try #require(csv.headers[HTTPField.Name("Link")!])
        let next = try #require(link.firstMatch(of: /<(.+)>; rel="next"/)?.1)
        let more = try await fixture.get(String(next) + "&format=csv").text
        #expect(more.contains(",T1,event,") && !more.contains(",T2,"))
        let told = try await fixture.get("/api/v1/alerts?state=all&format=csv").text.split(separator: "\n")
        #expect(told.count == 3 && told[1].contains(",T1,alert,"))
        #expect(try await fixture.get("/api/v1/alerts?format=csv").status == .badRequest)
    }

    @Test("A table of one fence looks through so many events, and its Link leads to those behind them")
    func rareFence() async throws {
        let stage = try Stage(roads: false)
        let vehicle = try #require(VehicleID("T1"))
        let count = HistoryCSV.pagesMax * StoreLimits.standard.historyLooks + 1
        let events = (1...count).map { number in
            HistoryEntry(
                id: "\(number)", sequence: 1, vehicle: vehicle, type: .event, time: stage.now.adding(Double(number)),
                payload: Array(#"{"fence":{"id":"\#(number == count ? "rare" : "other")"}}"#.utf8))
        }
        let store = try Store(path: stage.configuration.store)
        _ = try store.commit(StoreBatch(time: stage.now, history: events))
        try store.close()
        let fixture = try ConsoleFixture(stage)
        let first = try await fixture.get("/api/v1/events?format=csv&fence=rare")
        #expect(first.text.split(separator: "\n").count == 1)
        let link = try #require(first.headers[HTTPField.Name("Link")!])
        let next = try #require(link.firstMatch(of: /<(.+)>; rel="next"/)?.1)
        let second = try await fixture.get(String(next))
        #expect(second.text.contains(",rare,") && second.headers[HTTPField.Name("Link")!] == nil, "\(second.text)")
    }

    @Test(
        "What is no time, no order or no cursor is said to be none",
        arguments: ["from=yesterday", "order=up", "cursor=1", "fence=a&vehicle=a/b", "state=all"])
    func bad(query: String) async throws {
        #expect(try await ConsoleFixture().get("/api/v1/events?\(query)").status == .badRequest)
    }
}
