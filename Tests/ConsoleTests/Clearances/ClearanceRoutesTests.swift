import Clearances
import Fleet
import Geo
import HTTPTypes
import Messages
import Roads
import Testing
import Wire

@testable import Console

@Suite("Clearances over HTTP")
struct ClearanceRoutesTests {
    private static let demo = ["osm:way:1003", "osm:way:1008", "osm:way:1014", "osm:way:1031"]

    @Test(
        "Verdicts are for a height, and choose among clearances",
        arguments: [
            ("", demo), ("height=4.2&verdict=too-low", ["osm:way:1003", "osm:way:1031"]),
            ("height=13'6%22&verdict=fits", ["osm:way:1008"]),
            ("height=13%20ft&verdict=fits", ["osm:way:1008", "osm:way:1014"]),
            ("height=4.2&verdict=unknown", ["osm:way:1014"]), ("height=3.2&verdict=too-low", ["osm:way:1031"]),
            ("height=3.201&verdict=too-low", ["osm:way:1003", "osm:way:1031"]),
            ("vehicle=T42&verdict=too-low", ["osm:way:1003", "osm:way:1031"]),
            ("q=huron", ["osm:way:1008"]), ("q=Parking", ["osm:way:1031"]), ("standing=in-force", demo),
            ("standing=unsnapped", []), ("bbox=-83.7492,42.278,-83.7486,42.279", ["osm:way:1031"]),
        ])
    func choice(query: String, ids: [String]) async throws {
        let stage = try Stage()
        try stage.tellHeight("T42")
        let answer = try await ConsoleFixture(stage).get("/api/v1/clearances?\(query)")
        #expect(try answer.items.compactMap { $0["id"] as? String } == ids, "\(answer.text)")
    }

    @Test(
        "A question that makes no sense is said to",
        arguments: ["verdict=too-low", "height=0", "height=99", "height=tall", "height=4&vehicle=T1", "vehicle=a%2Fb"])
    func bad(query: String) async throws {
        #expect(try await ConsoleFixture().get("/api/v1/clearances?\(query)").status == .badRequest)
    }

    @Test("A clearance of dispatch says so, and can be changed from its Feature")
    func entered() async throws {
        let stage = try Stage()
        let place = Coordinate(latitude: 42.280597, longitude: -83.751891)
        let survey = PointClearance(
            id: "osm:way:1003", position: place, posted: "10'2\"", name: "Railroad", approach: [270, 90],
            source: "survey",
            date: "2026-05-01")
        var far = PointClearance(
            id: "far", position: Coordinate(latitude: 10, longitude: 10), posted: "3 m", author: "Desk 2")
        far.expiry = stage.now.adding(3_600)
        try stage.take([
            .clearances(
                [ClearanceChange(id: survey.id, clearance: survey), ClearanceChange(id: "far", clearance: far)],
                at: stage.now)
        ])
        let fixture = try ConsoleFixture(stage)
        let object = try await fixture.get("/api/v1/clearances/osm:way:1003?height=3.1").object
        #expect(object["origin"] as? String == "topic" && object["source"] as? String == "survey")
        #expect(object["height"] as? Double == 3.09 && object["verdict"] as? String == "too-low")
        #expect(object["road"] as? String == "W Washington Street")
        #expect(try await fixture.get("/api/v1/clearances?standing=unsnapped").items.count == 1)
        let feature = try await fixture.get("/api/v1/clearances/far?format=geojson")
        let read = try PointClearance(geoJSON: feature.bytes, id: "far")
        #expect(read.reading == far.reading && read.position == far.position && read.source == far.source)
        #expect(read.author == far.author && read.expiry == far.expiry)
    }

    @Test("Each member of an entered clearance belongs to its version; its Feature has road and passage as entered")
    func enteredVersion() async throws {
        let stage = try Stage()
        let fixture = try ConsoleFixture(stage)
        let place = Coordinate(latitude: 42.280597, longitude: -83.751891)
        var clearance = PointClearance(id: "a", position: place, posted: "10'2\"", road: "Washington")
        var versions: [String] = []
        func enter() async throws {
            try stage.take([.clearances([ClearanceChange(id: "a", clearance: clearance)], at: stage.now)])
            let answer = try await fixture.get("/api/v1/clearances/a?format=geojson")
            let read = try PointClearance(geoJSON: answer.bytes, id: "a")
            #expect(read.road == clearance.road && read.passage == clearance.passage)
            versions.append(String(try #require(answer.headers[.eTag]?.split(separator: "-").first)))
        }
        try await enter()
        clearance.road = "W Washington Street"
        try await enter()
        clearance.detours = [Coordinate(latitude: 42.28, longitude: -83.74)]
        try await enter()
        clearance.passage = .over
        try await enter()
        #expect(Set(versions).count == 4, "\(versions)")
        try await enter()
        #expect(versions[4] == versions[3])
    }

    @Test("Without a road file the entered ones are all there are, judged by straight line")
    func withoutRoads() async throws {
        let clearance = PointClearance(
            id: "a", position: Coordinate(latitude: 1, longitude: 1), posted: "3 m", road: "B 3")
        let items = try await ConsoleFixture(Stage(roads: false, clearances: [clearance])).get("/api/v1/clearances")
            .items
        #expect(items.count == 1)
        #expect(items[0]["standing"] as? String == "unsnapped" && items[0]["origin"] as? String == "file")
        #expect(items[0]["road"] as? String == "B 3")
    }
}
