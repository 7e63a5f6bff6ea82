import Clearances
import Geo
import RoadImport
import Roads
import Testing
import Wire

@Suite("Clearances from GeoJSON")
struct ClearanceFeatureTests {
    private static func feature(_ properties: String, id: String = "\"id\": \"a\",") -> String {
        """
        {"type": "Feature", \(id) "geometry": {"type": "Point", "coordinates": [-83.751891, 42.280597]},
         "properties": {\(properties)}}
        """
    }

    @Test("a feature as the contract has it")
    func contract() throws {
        let read = try ClearanceSheet.read(
            Self.feature(
                """
                "clearance": "10'6\\"", "name": "Ann Arbor Railroad", "road": "W Washington St", "approach": [270, 90],
                "detours": [[-83.7489, 42.2808]], "source": "survey", "date": "2026-05-01", "author": "Desk 2", "surveyor": {"features": []}
                """))
        #expect(
            read.clearances == [
                PointClearance(
                    id: "a", position: Coordinate(latitude: 42.280597, longitude: -83.751891), posted: "10'6\"",
                    name: "Ann Arbor Railroad", road: "W Washington St", approach: [270, 90],
                    detours: [Coordinate(latitude: 42.2808, longitude: -83.7489)], source: "survey",
                    date: "2026-05-01", author: "Desk 2")
            ])
    }

    @Test(
        "a number is metres, to the digit",
        arguments: [("4.35", 435), ("3", 300), ("3.0", 300), ("4.1e0", 410), ("2.999", 299)])
    func numbers(number: String, centimetres: Int) throws {
        let read = try ClearanceSheet.read(Self.feature("\"clearance\": \(number)"))
        #expect(read.clearances.first?.reading == .limit(centimetres))
    }

    @Test(
        "the id stands at the top or among the properties, as text or number",
        arguments: [
            ("\"id\": 12,", "", "12"), ("", "\"id\": \"b\",", "b"), ("", "\"id\": 7,", "7"),
            ("\"id\": \"top\",", "\"id\": \"below\",", "top"), ("", "", "local:42.28060,-83.75189"),
        ])
    func identifiers(top: String, below: String, id: String) throws {
        let read = try ClearanceSheet.read(Self.feature("\(below) \"clearance\": 3", id: top))
        #expect(read.clearances.map(\.id) == [id])
    }

    @Test(
        "a bad feature is rejected by its reason, with its line, and the others stay",
        arguments: [
            (#"{"type": "Feature", "id": "x", "geometry": null, "properties": {"clearance": 3}}"#, .noPoint),
            (
                #"{"type": "Feature", "geometry": {"type": "LineString", "coordinates": [[1, 2], [3, 4]]}, "properties": {}}"#,
                .noPoint
            ),
            (#"{"type": "Feature", "geometry": {"type": "Point", "coordinates": [1]}, "properties": {}}"#, .position),
            (
                #"{"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 95]}, "properties": {"clearance": 3}}"#,
                .positionRange
            ),
            (feature("\"name\": \"b\"", id: ""), .missing), (feature("\"clearance\": null", id: ""), .missing),
            (feature("\"clearance\": 0", id: ""), .notPositive),
            (feature("\"clearance\": \"0.0 m\"", id: ""), .notPositive),
            (feature("\"clearance\": [3]", id: ""), .value), (feature("\"clearance\": true", id: ""), .value),
            (feature("\"clearance\": \"abc\"", id: "\"id\": \"osm:way:1\","), .value),
            (feature("\"clearance\": \"3;~2\"", id: "\"id\": \"osm:node:1\","), .value),
            (feature("\"clearance\": 3", id: "\"id\": \"a#\","), .identifier),
            (feature("\"clearance\": 3"), .duplicate),
            (feature("\"clearance\": 3, \"approach\": [-90]", id: ""), .approach),
            (feature("\"clearance\": 3, \"passage\": \"beside\"", id: ""), .passage),
            (feature("\"clearance\": 3, \"detours\": [[8, 49], [8, 99]]", id: ""), .position),
            (feature("\"clearance\": 3, \"valid_until\": \"2026-12-01T00:00:00Z\"", id: ""), .validity),
            (feature("\"clearance\": 3, \"valid_until\": \"soon\"", id: ""), .validity),
            (#"{"type": "Fence"}"#, .noFeature), (#"[1, 2]"#, .noFeature), (#"{"type" "Feature"}"#, .noFeature),
            ("5", .noFeature), ("null", .noFeature), (#""x, y""#, .noFeature), ("-1.5e3", .noFeature),
            ("}", .noFeature),
        ] as [(String, ClearanceRejection)])
    func rejects(bad: String, reason: ClearanceRejection) throws {
        let good = Self.feature("\"clearance\": 3.2")
        let read = try ClearanceSheet.read(
            "{\"type\": \"FeatureCollection\",\n\"features\": [\n\(good),\n\(bad),\n\(Self.feature("\"clearance\": 4", id: "\"id\": \"c\","))\n]}"
        )
        #expect(read.values == ["a=3.2", "c=4"])
        #expect(read.reasons == [reason])
        #expect(read.rejects.first?.line == 5)
    }

    @Test("a file's clearance with an end is rejected, with the reason; null says nothing")
    func end() throws {
        let read = try ClearanceSheet.read(
            Self.feature("\"clearance\": 3, \"valid_until\": \"2026-12-01\"") + "\n"
                + Self.feature("\"clearance\": 4, \"valid_until\": null", id: "\"id\": \"b\","))
        #expect(read.values == ["b=4"])
        #expect(
            read.rejects.map(\.message) == [
                "valid_until in a file: properties.valid_until: expected none in a file (only an entry of a topic can end), "
                    + "got \"2026-12-01\""
            ])
    }

    @Test("what stands among the features and is none is rejected with its line")
    func noFeatures() throws {
        let read = try ClearanceSheet.read(
            #"{"type": "FeatureCollection", "features": [5,null,"# + "\n\"x\",\(Self.feature("\"clearance\": 3.2"))]}")
        #expect(read.values == ["a=3.2"])
        #expect(read.rejects.map(\.line) == [1, 1, 2])
        #expect(read.rejects.map(\.raw) == ["5", "null", "\"x\""])
        #expect(read.rejects.first?.message == "no GeoJSON Feature: expected a GeoJSON Feature, got 5")
    }

    @Test("a text that cannot be read is kept as unknown, but under an id of the map's it must not replace a height")
    func unreadable() throws {
        let rows =
            "lat,lon,clearance,id\n1,2,abc,a\n1,3,abc,osm:way:1\n1,4,none,osm:way:2\n1,5,3.2, osm:way:3\n1,6,320,osm:way:4\n"
        let read = try ClearanceSheet.read(rows)
        #expect(read.values == ["a=abc", "osm:way:2=none", "osm:way:3=3.2"])
        #expect(
            read.rejects.map(\.message)
                == [#""abc""#, "320"].map {
                    #"clearance that cannot be read: expected 1-10 m, as 3.2, "3.2 m" or "10'6\"", got \#($0)"#
                })
    }

    @Test(
        "of dispatch, a clearance that cannot be read or cannot be true is refused with what is expected and what was got",
        arguments: [
            (#""10'6'""#, #""10'6'""#), (#""abc""#, #""abc""#), (#""~3.2""#, #""~3.2""#), ("320", "320"),
            (#""320""#, "320"),
            ("true", "true"), ("[3.2]", "a list"), (#"{"m": 3.2}"#, "an object"), ("0", "0"), ("-3", "-3"),
            ("0.99", "0.99"),
            ("10.01", "10.01"), (#""below_default""#, #""below_default""#), (#""3.2;abc""#, #""3.2;abc""#),
            (#""10' 6 3/2\"""#, #""10' 6 3/2"""#),
        ])
    func refused(clearance: String, got: String) {
        let problem = #expect(throws: GeoJSONError.self) {
            try PointClearance(geoJSON: Array(Self.feature("\"clearance\": \(clearance)").utf8), id: "a")
        }
        #expect(problem?.place == "properties.clearance")
        #expect(
            problem.map { "\($0)" }
                == #"properties.clearance: expected 1-10 m, as 3.2, "3.2 m" or "10'6\"", got \#(got)"#)
    }

    @Test("of dispatch, no clearance at all is refused too", arguments: ["null", #""""#, #"" ""#])
    func missing(clearance: String) {
        let problem = #expect(throws: GeoJSONError.self) {
            try PointClearance(geoJSON: Array(Self.feature("\"clearance\": \(clearance)").utf8), id: "a")
        }
        #expect(problem?.description.hasSuffix(", got nothing") == true)
    }

    @Test("a detour's point beyond the ranges of latitude and longitude is refused by its place")
    func detourRange() {
        let feature = Self.feature("\"clearance\": 3.2, \"detours\": [[8, 49], [8, 99]]")
        let problem = #expect(throws: GeoJSONError.self) {
            try PointClearance(geoJSON: Array(feature.utf8), id: "a")
        }
        #expect(
            problem.map { "\($0)" }
                == "properties.detours[1]: expected longitude from -180 to 180, then latitude from -90 to 90, got [8.0, 99.0]"
        )
    }

    @Test(
        "of dispatch, what can be read is taken, also the word that there is no limit",
        arguments: [
            (#""3.2""#, .limit(320)), ("3.2", .limit(320)), ("1", .limit(100)), ("10", .limit(1000)),
            (#""10'6\"""#, .limit(320)), (#""10' 6 1/2\"""#, .limit(321)), (#""10'6½\"""#, .limit(321)),
            (#""3.3;4.2""#, .limit(330)), (#""none""#, .legalDefault), (#""unsigned""#, .legalDefault),
        ] as [(String, ClearanceReading)])
    func taken(clearance: String, reading: ClearanceReading) throws {
        let feature = Array(Self.feature("\"clearance\": \(clearance)").utf8)
        #expect(try PointClearance(geoJSON: feature, id: "a").reading == reading)
    }

    @Test("features one a line are read like a collection, with a record separator before each or without")
    func lines() throws {
        let lines = ["a", "b"].map { Self.feature("\"clearance\": 3", id: "\"id\": \"\($0)\",") }
        #expect(try ClearanceSheet.read(lines.joined(separator: "\n")).clearances.map(\.id) == ["a", "b"])
        let sequence = lines.map { "\u{1E}\($0)\n" }.joined()
        #expect(try ClearanceSheet.read(sequence).clearances.map(\.id) == ["a", "b"])
    }

    @Test(
        "what is not GeoJSON is refused as a whole, and the message says what makes it",
        arguments: [
            "lat,lon,clearance\n1,2,3\n", "", "[1, 2]", "{\"type\": \"FeatureCollection\", \"features\": [",
            "{\"a\": 1}",
        ])
    func foreign(content: String) throws {
        let error = #expect(throws: FileError.self) {
            try ClearanceSheet.withFile(Array(content.utf8)) { try ClearanceFile.readGeoJSON([$0]) }
        }
        #expect(error?.reason.hasPrefix("line 1: ") == true)
        #expect(error?.reason.contains("headroom clearances convert") == true)
    }

    @Test("a rejected feature is known by its id: the one that it says, or that of its source and place")
    func rejectedID() throws {
        let features = [
            Self.feature("\"clearance\": \"nine\"", id: "\"id\": \"osm:way:1\","),
            Self.feature("\"clearance\": [3]"), Self.feature("\"clearance\": 0", id: ""), #"{"type": "Fence"}"#,
        ]
        let read = try ClearanceSheet.read(
            #"{"type": "FeatureCollection", "features": [\#(features.joined(separator: ", "))]}"#)
        #expect(read.rejects.map(\.id) == ["osm:way:1", "a", "local:42.28060,-83.75189", nil])
    }

    @Test("members that mean nothing are listed, misspelt ones with what was meant")
    func unknownMembers() {
        let feature = #"""
            {"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},
             "properties":{"clearance":"10'6\"","aproach":[270],"colour":"red"}}
            """#
        #expect(PointClearance.unknownMembers(inGeoJSON: Array(feature.utf8)) == ["aproach (approach?)", "colour"])
    }
}
