import Fleet
import Foundation
import Geo
import HTTPTypes
import Messages
import Testing
import Wire

@testable import Console

@Suite("Fences over HTTP")
struct FenceRoutesTests {
    private static let shapes: [Shape] = [
        .circle(Circle(center: Coordinate(latitude: 42.28, longitude: -83.75), radius: 123.456)),
        .corridor(
            Corridor(
                line: [
                    Coordinate(latitude: 1.123456789, longitude: 179.99), Coordinate(latitude: 1.2, longitude: -179.99),
                ],
                width: 50)),
        .polygons([
            Polygon(
                outer: [(0, 0), (0, 10), (10, 10), (10, 0)].map { Coordinate(latitude: $0.0, longitude: $0.1) },
                holes: [[(2, 2), (2, 3), (3, 3)].map { Coordinate(latitude: $0.0, longitude: $0.1) }])
        ]),
        .polygons(
            [0.0, 20].map { west in
                Polygon(outer: [(0, 0), (0, 1), (1, 0)].map { Coordinate(latitude: $0.0, longitude: west + $0.1) })
            }),
    ]

    @Test("The Feature of a fence is read as the same fence again", arguments: shapes)
    func feature(shape: Shape) async throws {
        let fence = Fence(
            id: "f 1", name: "Hof \"Süd\"", shape: shape, groups: ["midwest"],
            vehicles: [try #require(VehicleID("T1"))],
            dwell: 300, hysteresis: 20.5, hours: try WeeklyHours(zone: "America/Detroit", week: "Mo-Fr 06:00-18:00"),
            validFrom: Timestamp(milliseconds: 1_700_000_000_123),
            validUntil: Timestamp(milliseconds: 1_900_000_000_000))
        let fixture = try ConsoleFixture(Stage(roads: false, fences: [fence]))
        let answer = try await fixture.get("/api/v1/fences/f%201?format=geojson")
        #expect(try Fence(geoJSON: answer.bytes, id: "f 1") == fence)
        let listed = try await fixture.get("/api/v1/fences?format=geojson").features
        let data = try JSONSerialization.data(withJSONObject: listed[0])
        #expect(try Fence(geoJSON: Array(data)).shape == fence.shape)
    }

    @Test("A list says of each whose it is, when, where from, and how many are inside")
    func list() async throws {
        let stage = try Stage(roads: false, fences: [.circle("yard", 42.28, -83.75)])
        let entered = Fence.circle("site", 42.5, -83.75)
        try stage.take([.fences([FenceChange(id: "site", fence: entered)], at: stage.now)])
        for second in 0..<20 {
            try stage.fix("T1", 42.28, -83.75, after: Double(second))
        }
        let items = try await ConsoleFixture(stage).get("/api/v1/fences").items
        #expect(items.compactMap { $0["id"] as? String } == ["site", "yard"])
        #expect(items.compactMap { $0["origin"] as? String } == ["topic", "file"])
        #expect(items.compactMap { $0["kind"] as? String } == ["circle", "circle"])
        #expect(items.compactMap { $0["inside"] as? Int } == [0, 1])
        let bounds = try #require(items[1]["bounds"] as? [Double])
        #expect(bounds[0] < -83.75 && bounds[1] < 42.28 && bounds[2] > -83.75 && bounds[3] > 42.28)
    }

    @Test(
        "Box, group and search choose among fences",
        arguments: [
            ("bbox=179.5,0,-179.5,2", ["line"]), ("bbox=0,0,1,1", ["two"]), ("bbox=5,5,6,6", []),
            ("bbox=20.2,0.2,20.3,0.3", ["two"]), ("group=midwest", ["yard"]), ("group=mid", []), ("q=LINE", ["line"]),
            ("q=fence+y", ["yard"]), ("", ["line", "two", "yard"]),
        ])
    func choice(query: String, ids: [String]) async throws {
        let fences = [
            Fence(id: "line", shape: Self.shapes[1]), Fence(id: "two", shape: Self.shapes[3]),
            .circle("yard", 42.28, -83.75, groups: ["midwest"]),
        ]
        let items = try await ConsoleFixture(Stage(roads: false, fences: fences)).get("/api/v1/fences?\(query)").items
        #expect(items.compactMap { $0["id"] as? String } == ids)
    }

    @Test(
        "A gateway of a cluster that has no queue says so, and not that there are no fences and clearances",
        arguments: [
            (.get, "fences"), (.get, "fences/yard"), (.put, "fences/yard"), (.delete, "fences/yard"),
            (.delete, "fences"), (.get, "clearances"), (.get, "clearances/low"), (.put, "clearances/low"),
            (.delete, "clearances/low"),
        ] as [(HTTPRequest.Method, String)])
    func withoutQueue(method: HTTPRequest.Method, path: String) async throws {
        let stage = try Stage(roads: false, fences: [.circle("yard", 42.28, -83.75)])
        stage.hasNoQueue = true
        let properties = path.hasPrefix("fences") ? #""radius": 9"# : #""clearance": 3"#
        let body =
            #"{"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 2]}, "properties": {\#(properties)}}"#
        let answer = try await ConsoleFixture(stage).get(
            "/api/v1/\(path)", method: method, body: method == .put ? body : nil)
        #expect(answer.status == .serviceUnavailable)
        #expect(try answer.message.contains("none of the cluster's queues"))
    }

    @Test("Ids that differ in their bytes alone, by an ä of one code point and one of two, are of two fences")
    func spellings() async throws {
        let (composed, decomposed) = ("/api/v1/fences/Geb%C3%A4ude", "/api/v1/fences/Geba%CC%88ude")
        let fences = ["Geb\u{E4}ude", "Geba\u{308}ude"].map { Fence.circle($0, 42.5, -83.75) }
        let stage = try Stage(roads: false)
        try stage.take([.fences([FenceChange(id: fences[0].id, fence: fences[0])], at: stage.now)])
        let fixture = try ConsoleFixture(stage)
        #expect(try await fixture.get(composed).status == .ok)
        #expect(try await fixture.get(decomposed).status == .notFound)
        #expect(try await fixture.get(decomposed, method: .delete).status == .notFound)
        // The gateway of this stage has not begun: a change that is let through is answered 503.
        #expect(try await fixture.get(composed, method: .delete).status == .serviceUnavailable)
        let both = try ConsoleFixture(Stage(roads: false, fences: fences))
        #expect(try await both.get(decomposed).status == .ok)
        #expect(try await both.get("/api/v1/fences").items.count == 2)
    }

    @Test("A fence that is not there is not found")
    func unknown() async throws {
        #expect(try await ConsoleFixture().get("/api/v1/fences/none").status == .notFound)
    }
}
