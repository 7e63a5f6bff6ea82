import Clearances
import Fleet
import Foundation
import Gateway
import Geo
import HTTPTypes
import Hummingbird
import Logging
import Messages
import Roads
import Testing

@testable import Console

@Suite("The description of the API")
struct OpenAPITests {
    typealias Object = [String: Any]

    private static func document() async throws -> Object {
        try await ConsoleFixture().get("/api/v1/openapi.json").object
    }

    private static func operations(_ document: Object) -> [(path: String, method: String, operation: Object)] {
        (document["paths"] as? [String: [String: Object]] ?? [:]).flatMap { path, methods in
            methods.map { (path, $0.key, $0.value) }
        }
    }

    @Test("has every route that there is, and no other")
    func routes() async throws {
        let stage = try Stage(roads: false)
        let router = ConsoleRouter(
            settings: ConsoleSettings(map: .init(library: "/nowhere")), tokens: nil, configuration: stage.configuration,
            shared: stage.shared, descriptions: try DescriptionRoutes(), logger: .init(label: "console"))
        let served = router.build().routes.filter { $0.method != .head && $0.path.description.hasPrefix("/api/") }.map {
            let path = $0.path.description.dropFirst("/api/v1".count).replacing(/:(\w+)/) { "{\($0.1)}" }
            return "\($0.method.rawValue.lowercased()) \(path)"
        }
        let described = Self.operations(try await Self.document()).map { "\($0.method) \($0.path)" }
        // Within the route of all clearances.
        #expect(Set(served).union(["get /clearances/preview"]) == Set(described))
        #expect(described.count == 46)
    }

    @Test("leads nowhere with no reference, and describes nothing that nobody refers to")
    func references() async throws {
        let document = try await Self.document()
        let check = SchemaCheck(document: document)
        var found: Set<String> = []
        func walk(_ value: Any) {
            if let object = value as? Object {
                if let reference = object["$ref"] as? String { found.insert(reference) }
                object.values.forEach(walk)
            } else if let list = value as? [Any] {
                list.forEach(walk)
            }
        }
        walk(document)
        for reference in found { #expect(check.resolved(reference)["missing"] == nil, "\(reference)") }
        let components = try #require(document["components"] as? [String: Object])
        for (kind, entries) in components where kind != "securitySchemes" {
            for name in entries.keys { #expect(found.contains("#/components/\(kind)/\(name)"), "\(kind)/\(name)") }
        }
        let ids = Self.operations(document).compactMap { $0.operation["operationId"] as? String }
        #expect(Set(ids).count == Self.operations(document).count)
    }

    @Test("names the parameters that are known, and only those")
    func parameters() async throws {
        let document = try await Self.document()
        let check = SchemaCheck(document: document)
        let fixture = try ConsoleFixture()
        for (path, method, operation) in Self.operations(document) {
            let parameters = (operation["parameters"] as? [Object] ?? []).map { parameter in
                (parameter["$ref"] as? String).map(check.resolved) ?? parameter
            }
            let names = parameters.filter { $0["in"] as? String == "query" }.compactMap { $0["name"] as? String }
            // Documents take any; what a phone reads wants a phone's token first.
            let isPhones = path == "/cab" || path.hasPrefix("/cab/") && path != "/cab/pairing"
            guard !isPhones, !["/openapi.json", "/asyncapi.json"].contains(path) else { continue }
            let httpMethod = try #require(HTTPRequest.Method(method.uppercased()))
            let place = "/api/v1" + path.replacing(/\{[^}]+\}/) { _ in "5" }
            // A value that is wrong for all that have a kind, so that no answer begins; what is asked is who refuses it.
            for name in names {
                let answer = try await fixture.get("\(place)?\(name)=%E2%98%83&nonsense=1", method: httpMethod)
                #expect(
                    try answer.message.hasPrefix("There is no parameter nonsense"), "\(path) \(name): \(answer.text)")
            }
            let none = try await fixture.get("\(place)?nonsense=1", method: httpMethod)
            let known = names.isEmpty ? "there is none" : names.sorted().joined(separator: ", ")
            #expect(
                try none.message == "There is no parameter nonsense here; those known: \(known).", "\(method) \(path)")
        }
    }

    @Test("gives each error the type of a problem")
    func errorTypes() async throws {
        let document = try await Self.document()
        let check = SchemaCheck(document: document)
        for (path, method, operation) in Self.operations(document) {
            for (status, response) in operation["responses"] as? [String: Object] ?? [:] where status >= "400" {
                let response = (response["$ref"] as? String).map(check.resolved) ?? response
                let content = response["content"] as? Object
                #expect(content?.keys.sorted() == ["application/problem+json"], "\(method) \(path) \(status)")
            }
        }
    }

    /// A stage on which everything that can be seen is to be seen.
    private static func fullStage() async throws -> Stage {
        let line = [(42.28, -83.75), (42.29, -83.75)].map { Coordinate(latitude: $0.0, longitude: $0.1) }
        let corridor = Fence(
            id: "line", shape: .corridor(Corridor(line: line, width: 30)), groups: ["a"], vehicles: [VehicleID("T1")!],
            dwell: 60, hours: try WeeklyHours(zone: "America/Detroit", week: "Mo-Fr"),
            validUntil: Timestamp(milliseconds: 1_900_000_000_000))
        let stage = try Stage(fences: [.circle("yard", 42.2803, -83.7374, radius: 900), corridor])
        for minute in 0..<12 { try stage.fix("T2", 42.2803, -83.7374, after: minute == 0 ? 1 : 60) }
        try stage.approachBridge("T1")
        try stage.report(.presence(.online), from: "T1")
        let alert = try #require(stage.shared.messages.after(0)?.first { $0.kind == .alert })
        let id = try #require(
            (JSONSerialization.jsonObject(with: Data(alert.payload)) as? Object)?["id"] as? String)
        try stage.report(.acknowledgement(.alert(id: id, sequence: 1)), from: "T1")
        let destination = Coordinate(latitude: 42.2807, longitude: -83.7545)
        try stage.report(.route(.waypoints([destination])), from: "T2")
        let open = await stage.shared.view.snapshot().openAlerts[0].alert.message.id
        _ = await stage.shared.handling.put(
            HandlingRequest(
                alert: open, vehicle: VehicleID("T1")!, status: .taken, by: "Desk 1", note: nil,
                isExpected: { _ in true }))
        try stage.fix("T42", 42.28, -83.73)
        try VehicleTrackTests.store(stage, [0, 1, 2])
        let far = PointClearance(
            id: "far", position: Coordinate(latitude: 1, longitude: 1), posted: "3 m", date: "2026")
        try stage.take([.clearances([ClearanceChange(id: "far", clearance: far)], at: stage.now)])
        return stage
    }

    @Test(
        "fits what is really answered, member by member",
        arguments: [
            "/status", "/vehicles", "/vehicles/T1", "/vehicles/T2", "/vehicles/T42/track", "/vehicles/T2/route",
            "/vehicles/T1/explain", "/vehicles/T42/explain?units=metric",
            "/fences", "/fences/yard", "/fences/line",
            "/clearances", "/clearances?vehicle=T1", "/clearances/far", "/clearances/osm:way:1014?height=4",
            "/clearances/preview?lat=42.2803&lon=-83.7430&clearance=3", "/alerts",
            "/alerts?state=all", "/alerts?state=taken", "/events", "/visits", "/handling",
            "/report",
        ])
    func answers(path: String) async throws {
        let fixture = try ConsoleFixture(try await Self.fullStage())
        let document = try await fixture.get("/api/v1/openapi.json").object
        let paths = try #require(document["paths"] as? [String: [String: Object]])
        let plain = String(path.prefix { $0 != "?" })
        let described = try #require(
            paths[plain] ?? paths[plain.replacing(/\/(fences|clearances)\/.*/) { "/\($0.1)/{id}" }]
                ?? paths[plain.replacing(/\/vehicles\/[^\/]+/) { _ in "/vehicles/{vehicle}" }])
        let response = try #require((described["get"]?["responses"] as? [String: Object])?["200"])
        let content = try #require(response["content"] as? [String: Object])
        for (type, media) in content where type.hasSuffix("json") {
            let answer = try await fixture.get("/api/v1\(path)", headers: [.accept: type])
            #expect(answer.headers[.contentType] == type)
            let schema = try #require(media["schema"] as? Object)
            #expect(
                SchemaCheck(document: document).problems(try answer.object, schema) == [], "\(answer.text.prefix(3000))"
            )
            // An empty list fits anything.
            let isList = try answer.object["next"] != nil
            #expect(try !isList || !(answer.items + answer.features).isEmpty)
        }
    }

    @Test("says of an error what is really said")
    func errors() async throws {
        let fixture = try ConsoleFixture()
        let document = try await fixture.get("/api/v1/openapi.json").object
        for path in ["/vehicles/none", "/vehicles?limit=0"] {
            let answer = try await fixture.get("/api/v1\(path)")
            let problems = SchemaCheck(document: document)
                .problems(try answer.object, ["$ref": "#/components/schemas/Problem"])
            #expect(problems.isEmpty, "\(problems)")
        }
    }

    @Test(
        "The check that is used here finds what is wrong",
        arguments: [
            (#"{"a": 1}"#, 0), (#"{"a": "x"}"#, 1), (#"{}"#, 1), (#"{"a": 1, "b": 2}"#, 1), (#"{"a": 11}"#, 1),
            (#"{"a": 1, "c": ["x", null]}"#, 0), (#"{"a": 1, "c": ["y"]}"#, 1), (#"{"a": true}"#, 1), (#"[]"#, 1),
        ])
    func check(json: String, count: Int) throws {
        let schema: Object = [
            "type": "object", "required": ["a"],
            "properties": [
                "a": ["type": "integer", "maximum": 10.0],
                "c": ["type": "array", "items": ["anyOf": [["const": "x"], ["type": "null"]]]],
            ],
        ]
        let value = try JSONSerialization.jsonObject(with: Data(json.utf8))
        #expect(SchemaCheck(document: [:]).problems(value, schema).count == count)
    }
}
