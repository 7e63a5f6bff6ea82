import Clearances
import Fleet
import Geo
import HTTPTypes
import Messages
import Testing

@testable import Console

@Suite("What a clearance would lead to, over HTTP")
struct ClearancePreviewTests {
    /// A truck of 13'6" on its way along Washington Street, to the bridge of 10'6".
    private func fixture() throws -> ConsoleFixture {
        let stage = try Stage()
        try stage.approachBridge("T1")
        return try ConsoleFixture(stage)
    }

    private let road = "/api/v1/clearances/preview?lat=42.2803&lon=-83.7430"

    @Test("A new one names its road, the ways under it with their last turn-offs, and who is near and too high")
    func new() async throws {
        let fixture = try fixture()
        let answer = try await fixture.get("\(road)&clearance=9'6%22")
        #expect(answer.status == .ok, "\(answer.text)")
        let object = try answer.object
        #expect(object["usable"] as? Bool == true && object["verdict"] as? String == "too-low")
        #expect(object["road"] as? String == "E Washington Street")
        let approaches = try #require(object["approaches"] as? [[String: Any]])
        #expect(approaches.contains { ($0["detour"] as? [String: Any])?["turn_onto"] is String }, "\(answer.text)")
        let vehicles = try #require(object["vehicles"] as? [[String: Any]])
        #expect(vehicles.map { $0["vehicle"] as? String } == ["T1"])
        let features = (object["map"] as? [String: Any])?["features"] as? [Any]
        #expect(features?.isEmpty == false)
        // Nothing is in force of it.
        #expect(try await fixture.get("/api/v1/clearances/preview-none").status == .notFound)
        #expect(try await fixture.get("/api/v1/clearances?q=preview").items.isEmpty)
    }

    @Test("A correction says what it raises, and that nobody is told any more")
    func correction() async throws {
        let fixture = try fixture()
        let bridge = try #require(try await fixture.get("/api/v1/clearances?q=osm:way:1003").items.first)
        let (lat, lon) = (try #require(bridge["lat"] as? Double), try #require(bridge["lon"] as? Double))
        let answer = try await fixture.get(
            "/api/v1/clearances/preview?id=osm:way:1003&lat=\(lat)&lon=\(lon)&clearance=4.6&vehicle=T1")
        let object = try answer.object
        #expect(object["verdict"] as? String == "fits" && object["was"] as? Double == 3.2, "\(answer.text)")
        #expect((object["approaches"] as? [Any])?.isEmpty == true && (object["vehicles"] as? [Any])?.isEmpty == true)
        let before = try await fixture.get(
            "/api/v1/clearances/preview?id=osm:way:1003&lat=\(lat)&lon=\(lon)&clearance=3.0&vehicle=T1"
        ).object
        #expect((before["approaches"] as? [Any])?.count ?? 0 > 1)
    }

    @Test("A clearance whose id is preview can be replaced and removed, and what the fleet says of it is read")
    func clearanceOfThisName() async throws {
        let clearance = PointClearance(
            id: "preview", position: Coordinate(latitude: 42.5, longitude: -83), posted: "3 m")
        let stage = try Stage()
        try stage.take([.clearances([ClearanceChange(id: "preview", clearance: clearance)], at: stage.now)])
        let fixture = try ConsoleFixture(stage)
        let path = "/api/v1/clearances/preview"
        let body =
            #"{"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 2]}, "properties": {"clearance": 3}}"#
        // The gateway of this stage has not begun: a change that is let through is answered 503.
        #expect(try await fixture.put(path, body) == 503)
        #expect(try await fixture.put(path, body, headers: [.ifNoneMatch: "*"]) == 412)
        #expect(try await fixture.get(path, method: .delete).status == .serviceUnavailable)
        #expect(try await fixture.get("\(path)/evidence").status == .ok)
        #expect(try await fixture.get("\(path)?lat=42.5&lon=-83&clearance=3").object["usable"] is Bool)
    }

    @Test("Where no road is near, it says that straight lines are used")
    func straightLine() async throws {
        let answer = try await fixture().get("/api/v1/clearances/preview?lat=42.5&lon=-83&clearance=3")
        #expect(try (answer.object["note"] as? String)?.contains("straight line") == true, "\(answer.text)")
    }

    @Test(
        "What makes no clearance is refused with what is expected",
        arguments: [
            "?lat=42&lon=-83", "?lat=42&clearance=3", "?lat=42&lon=-83&clearance=tall", "?lat=99&lon=0&clearance=3",
        ])
    func refused(query: String) async throws {
        let answer = try await fixture().get("/api/v1/clearances/preview\(query)")
        #expect(answer.status == .badRequest)
        #expect(try answer.message.contains("expected"))
    }
}
