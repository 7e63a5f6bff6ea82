import Fleet
import Foundation
import Geo
import HTTPTypes
import Messages
import Testing

@testable import Console

@Suite("Vehicles over HTTP")
struct VehicleRoutesTests {
    /// One truck before the demo's bridge that is told, one far away on an island beyond the antimeridian.
    private func fixture() throws -> ConsoleFixture {
        let stage = try Stage(fences: [.circle("yard", 42.2803, -83.7374, radius: 500)])
        try stage.approachBridge("T42")
        try stage.fix("T70", -17.8, -179.9)
        return try ConsoleFixture(stage)
    }

    @Test("A list shows where each is, what is known of it and what threatens it")
    func summary() async throws {
        let items = try await fixture().get("/api/v1/vehicles").items
        #expect(items.compactMap { $0["vehicle"] as? String } == ["T42", "T70"])
        let told = items[0]
        #expect(told["stage"] as? String == "ahead")
        #expect((told["alerts"] as? [[String: Any]])?.first?["stage"] as? String == "ahead")
        #expect(told["course"] as? Double == 270)
        let height = try #require(told["height"] as? [String: Any])
        #expect(height["value"] as? Double == 4.12 && height["source"] as? String == "driver")
        #expect((items[1]["height"] as? [String: Any])?["status"] as? String == "assumed")
        #expect(items[1]["blind"] as? [String] == ["off-network"])
    }

    @Test(
        "A box holds what is in it, across the antimeridian too",
        arguments: [
            ("-83.8,42.2,-83.7,42.3", ["T42"]), ("179,-18,-179,-17", ["T70"]), ("170,-20,190,-10", ["T70"]),
            ("-190,-20,-170,-10", ["T70"]), ("-180,-90,180,90", ["T42", "T70"]), ("-540,-90,540,90", ["T42", "T70"]),
            ("0,0,10,10", []), ("-179.8,-18,179.8,-17", []),
        ])
    func box(bbox: String, vehicles: [String]) async throws {
        let items = try await fixture().get("/api/v1/vehicles?bbox=\(bbox)").items
        #expect(items.compactMap { $0["vehicle"] as? String } == vehicles)
    }

    @Test(
        "What is wrong with a question is said, with what is expected",
        arguments: [
            ("bbox=1,2,3", "bbox: expected west,south,east,north"), ("bbox=0,10,10,0", "bbox: expected west"),
            ("bbox=0,0,10,91", "bbox: expected west"), ("bbox=a,0,10,1", "bbox: expected west"),
            ("bbox=nan,0,1,1", "bbox: expected west"),
            ("limit=0", "limit: expected a whole number from 1 to 1000, got \"0\"."),
            ("limit=1001", "limit: expected a whole number"),
            ("format=xml", "format: expected one of json, geojson, got \"xml\"."),
            ("vehicel=T42", "There is no parameter vehicel here"),
            ("q=a&q=b", "q: expected one value, got two"), ("q=%zz", "an invalid escape"),
        ])
    func bad(query: String, message: String) async throws {
        let answer = try await fixture().get("/api/v1/vehicles?\(query)")
        #expect(answer.status == .badRequest)
        let said = try answer.message
        #expect(said.contains(message), "\(said)")
    }

    @Test(
        "Pages follow each other without a gap and without a repeat, whatever ids are like", arguments: [1, 2, 3, 100])
    func pages(limit: Int) async throws {
        let stage = try Stage(roads: false)
        let ids = ["A", "a b", "a&b", "ä", "T 1", "T1", "T10", "T2", "ÿ", "漢", "z%41"]
        for (index, id) in ids.enumerated() { try stage.fix(id, Double(index), 10) }
        let fixture = try ConsoleFixture(stage)
        var (seen, cursor): ([String], String?) = ([], nil)
        repeat {
            var path = "/api/v1/vehicles?limit=\(limit)"
            if let cursor {
                path += "&cursor=" + (try #require(cursor.addingPercentEncoding(withAllowedCharacters: .alphanumerics)))
            }
            let answer = try await fixture.get(path)
            seen += try answer.items.compactMap { $0["vehicle"] as? String }
            #expect(try answer.items.count <= limit)
            cursor = try answer.object["next"] as? String
        } while cursor != nil
        #expect(seen == ["A", "T 1", "T1", "T2", "T10", "a b", "a&b", "z%41", "ä", "ÿ", "漢"])
    }

    @Test(
        "A group and a stage select the vehicles of that group, and those whose worst alarm is at that stage",
        arguments: [
            ("group=north", ["T70"]), ("group=nort", []), ("stage=ahead", ["T42"]), ("stage=stop", []),
            ("group=north&stage=ahead", []), ("group=&stage=", ["T42", "T70"]),
        ])
    func selection(query: String, vehicles: [String]) async throws {
        let fixture = try fixture()
        var profile = HeightProfile(height: 412, source: "driver", units: .imperial)
        profile.groups = ["north", "midwest"]
        try fixture.stage.report(.profile(profile), from: "T70")
        let items = try await fixture.get("/api/v1/vehicles?\(query)").items
        #expect(items.compactMap { $0["vehicle"] as? String } == vehicles)
    }

    @Test("A search finds a part of an id, in either case")
    func search() async throws {
        let items = try await fixture().get("/api/v1/vehicles?q=t4").items
        #expect(items.compactMap { $0["vehicle"] as? String } == ["T42"])
    }

    @Test(
        "A search finds trucks by the bridge or street that they are alerted of, and by the fence that they are in",
        arguments: ["ann%20arbor%20railroad", "w%20WASHINGTON", "s%201st", "fence%20yard"])
    func searchByPlace(text: String) async throws {
        let items = try await fixture().get("/api/v1/vehicles?q=\(text)").items
        #expect(items.compactMap { $0["vehicle"] as? String } == ["T42"])
    }

    @Test("One vehicle is shown with its height, alerts, fences and regions")
    func detail() async throws {
        let object = try await fixture().get("/api/v1/vehicles/T42").object
        let height = try #require(object["height"] as? [String: Any])
        #expect(height["effective"] as? Double == 4.2 && height["margin"] as? Double == 0.077)
        let alert = try #require((object["alerts"] as? [[String: Any]])?.first)
        #expect((alert["clearance"] as? [String: Any])?["id"] as? String == "osm:way:1003")
        #expect((alert["now"] as? [String: Any])?["distance"] as? Double ?? 0 < alert["distance"] as? Double ?? 0)
        #expect(alert["told_at"] is [String: Any])
        #expect((object["fences"] as? [[String: Any]])?.first?["name"] as? String == "Fence yard")
        let regions = try #require(object["regions"] as? [String: Any])
        #expect(regions["limit"] as? Int == 20)
        #expect(((regions["items"] as? [[String: Any]]) ?? []).contains { $0["kind"] as? String == "clearance" })
    }

    @Test(
        "A vehicle that was never heard of, or may not be kept, is not found", arguments: ["T9", "T42", "a%2Fb", "%zz"])
    func unknown(id: String) async throws {
        let fixture = try fixture()
        try fixture.stage.report(.consent(Consent(.denied)), from: "T42")
        let answer = try await fixture.get("/api/v1/vehicles/\(id)")
        #expect(answer.status == (id == "%zz" ? .badRequest : .notFound))
        #expect(try await fixture.get("/api/v1/vehicles").items.compactMap { $0["vehicle"] as? String } == ["T70"])
        #expect(try await fixture.get("/api/v1/alerts").items.isEmpty)
    }

    @Test("GeoJSON is asked for by Accept or by format")
    func geoJSON() async throws {
        let fixture = try fixture()
        let accepted = try await fixture.get(
            "/api/v1/vehicles", headers: [.accept: "application/geo+json, application/json;q=0.5"])
        #expect(accepted.headers[.contentType] == "application/geo+json")
        let asked = try await fixture.get("/api/v1/vehicles?format=geojson")
        #expect(asked.bytes == accepted.bytes)
        #expect(try asked.object["type"] as? String == "FeatureCollection")
        let geometry = try #require(try asked.features.first?["geometry"] as? [String: Any])
        #expect(geometry["type"] as? String == "Point")
        #expect((geometry["coordinates"] as? [Double])?.first == -83.7373435)
        let one = try await fixture.get("/api/v1/vehicles/T42?format=geojson").object
        #expect(one["type"] as? String == "Feature" && one["id"] as? String == "T42")
    }

    @Test("What has not changed is not sent again")
    func notModified() async throws {
        let fixture = try fixture()
        for path in ["vehicles", "fences", "clearances", "alerts", "events", "status", "vehicles/T42"] {
            let tag = try #require(try await fixture.get("/api/v1/\(path)").headers[.eTag])
            let again = try await fixture.get("/api/v1/\(path)", headers: [.ifNoneMatch: tag])
            #expect(again.status == .notModified && again.bytes.isEmpty, "\(path)")
            #expect(again.headers[.eTag] == tag)
        }
    }
}
