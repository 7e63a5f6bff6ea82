import Fleet
import Geo
import Messages
import Testing

@testable import Wire

@Suite("What is wrong with a fence")
struct FenceErrorTests: FenceWriting {
    private static let aTime = "expected a time such as \"2026-11-21T06:00:00Z\", or seconds or milliseconds since 1970"
    private static let onEarth = "expected longitude from -180 to 180, then latitude from -90 to 90"
    private static let aRing = "expected four or more positions, the last the same as the first"
    private static let anExtent = "expected a length over 0 and up to 1000000 m"
    private static let aLength = "expected a length such as 200 or \"200 m\""
    private static let aShape = "Point, LineString, Polygon or MultiPolygon, got"
    private static let someHours =
        "expected texts such as {\"zone\": \"America/Detroit\", \"week\": \"Mo-Fr 06:00-18:00\"}"
    private static let aFeature = "expected a GeoJSON Feature, got"
    private static let radius = #""radius":200"#

    @Test(
        "What is not a Feature is said so",
        arguments: [
            ("", "\(aFeature) nothing"), ("NaN", "\(aFeature) text that is not JSON"),
            ("{", "\(aFeature) text that is not JSON"),
            (circle(#""dwell":NaN"#), "\(aFeature) text that is not JSON"),
            (circle(#""dwell":1e400"#), "\(aFeature) text that is not JSON"),
            ("\u{FEFF}" + circle(), "\(aFeature) text behind a byte order mark"),
            ("[]", "\(aFeature) a list"),
            ("7", "\(aFeature) 7"),
            ("null", "\(aFeature) null"), ("{}", "type: expected \"Feature\", got nothing"),
            (#"{"type":"FeatureCollection","features":[]}"#, "type: expected \"Feature\", got \"FeatureCollection\""),
            (#"{"type":"Point","coordinates":[2,1]}"#, "type: expected \"Feature\", got \"Point\""),
            (#"{"type":"Feature"}"#, "geometry: expected a \(aShape) nothing"),
            (#"{"type":"Feature","geometry":null}"#, "geometry: expected a \(aShape) nothing"),
            (#"{"type":"Feature","geometry":7}"#, "geometry.type: expected \(aShape) nothing"),
            (#"{"type":"Feature","geometry":{},"properties":[]}"#, "properties: expected an object, got a list"),
        ])
    func noFeature(payload: String, beginning: String) {
        #expect(Self.sentence(payload).hasPrefix(beginning))
    }

    @Test("Bytes that are not UTF-8 are said so")
    func invalidUTF8() {
        #expect(throws: GeoJSONError("", "\(Self.aFeature) binary data")) {
            try Fence(geoJSON: Array(#"{"type":""#.utf8) + [0xFF] + Array("\"}".utf8), id: "a")
        }
    }

    @Test(
        "A geometry that a fence cannot have is said where it is wrong",
        arguments: [
            (
                feature("MultiLineString", "[]"),
                ".type: expected \(aShape) \"MultiLineString\""
            ),
            (feature("point", "[2,1]"), ".type: expected \(aShape) \"point\""),
            (feature("Point", "null", radius), ".coordinates: expected a list of numbers, got nothing"),
            (point("[2]"), ".coordinates: expected [longitude, latitude], got a list"),
            (point("[2,null]"), ".coordinates: expected [longitude, latitude], got a list"),
            (point(#"["2","1"]"#), ".coordinates: expected [longitude, latitude], got a list"),
            (
                point("[42.5,-183]"),
                ".coordinates: \(onEarth), got [42.5, -183.0]"
            ),
            (point("[180.1,0]"), ".coordinates: \(onEarth), got [180.1, 0.0]"),
            (point("[1e308,0]"), ".coordinates: \(onEarth), got [1e+308, 0.0]"),
            (line("[[0,0]]"), ".coordinates: expected two or more positions, got 1"),
            (line("[0,0]"), ".coordinates[0]: expected [longitude, latitude], got 0"),
            (polygon(""), ".coordinates: expected a list of rings, got an empty list"),
            (polygon("7"), ".coordinates[0]: expected a list of positions, got 7"),
            (polygon("[0,0]"), ".coordinates[0][0]: expected [longitude, latitude], got 0"),
            (polygon("[]"), ".coordinates[0]: \(aRing), got 0"),
            (polygon("[[0,0],[1,0],[0,0]]"), ".coordinates[0]: \(aRing), got 3"),
            (
                polygon("[[0,0],[1,0],[1,1],[0,1]]"),
                ".coordinates[0]: expected the first position [0.0, 0.0] again as the last, got [0.0, 1.0]"
            ),
            (polygon(square + ",[[0,0],[1,0],[1,1],[0,95]]"), ".coordinates[1][3]: \(onEarth), got [0.0, 95.0]"),
            (feature("MultiPolygon", "[]"), ".coordinates: expected a list of polygons, got an empty list"),
            (feature("MultiPolygon", "[[\(square)],[7]]"), ".coordinates[1][0]: expected a list of positions, got 7"),
            (
                feature("MultiPolygon", #"[[[[0,0],[1,"1"],[1,1],[0,0]]]]"#),
                ".coordinates[0][0][1]: expected [longitude, latitude], got a list"
            ),
        ])
    func badGeometry(payload: String, beginning: String) {
        #expect(Self.sentence(payload).hasPrefix("geometry" + beginning))
    }

    @Test(
        "A Point needs a radius over 0, a LineString such a width",
        arguments: [
            (point("[2,1]", ""), "radius: \(aLength), got nothing"),
            (point("[2,1]", #""width":5"#), "radius: \(aLength), got nothing"),
            (point("[2,1]", #""radius":0"#), "radius: \(anExtent), got 0.0 m"),
            (point("[2,1]", #""radius":"-5 m""#), "radius: \(anExtent), got -5.0 m"),
            (
                point("[2,1]", #""radius":"big""#),
                "radius: \(aLength), got \"big\""
            ),
            (point("[2,1]", #""radius":[200]"#), "radius: \(aLength), got a list"),
            (line("[[0,0],[1,1]]", ""), "width: \(aLength), got nothing"),
            (line("[[0,0],[1,1]]", #""width":"0 ft""#), "width: \(anExtent), got 0.0 m"),
            (line("[[0,0],[1,1]]", #""width":"5 min""#), "width: \(aLength), got \"5 min\""),
        ])
    func badExtent(payload: String, beginning: String) {
        #expect(Self.sentence(payload).hasPrefix("properties." + beginning))
    }

    @Test(
        "A property that cannot be used is said where it is wrong",
        arguments: [
            (#""name":7"#, "name: expected a text of at most 200 characters, got 7"),
            (#""groups":"midwest""#, "groups: expected a list of texts, got \"midwest\""),
            (#""groups":["a",7]"#, "groups[1]: expected a text of 1 to 64 characters, got 7"),
            (#""groups":["a",""]"#, "groups[1]: expected a text of 1 to 64 characters, got \"\""),
            (
                #""vehicles":["T42","a/b"]"#,
                "vehicles[1]: expected a vehicle's id of 1 to 64 characters without / + #, got \"a/b\""
            ),
            (#""vehicles":{"T42":true}"#, "vehicles: expected a list of texts, got an object"),
            (#""dwell":0"#, "dwell: expected a duration over 0 and up to 3650 d, got 0"),
            (#""dwell":"0 min""#, "dwell: expected a duration over 0 and up to 3650 d, got \"0 min\""),
            (#""dwell":-5"#, "dwell: expected a duration over 0 and up to 3650 d, got -5"),
            (#""dwell":"4000 d""#, "dwell: expected a duration over 0 and up to 3650 d, got \"4000 d\""),
            (#""dwell":"5 miles""#, "dwell: expected a duration such as 300 or \"5 min\", got \"5 miles\""),
            (#""dwell":true"#, "dwell: expected a duration such as 300 or \"5 min\", got true"),
            (#""hysteresis":-1"#, "hysteresis: expected a length of 0 m or more, got -1"),
            (#""hysteresis":"5 min""#, "hysteresis: \(aLength), got \"5 min\""),
            (#""hours":"Mo-Fr""#, "hours: \(someHours), got \"Mo-Fr\""),
            (#""hours":{"zone":"UTC"}"#, "hours: expected texts such as {"),
            (
                #""hours":{"zone":"Mars","week":"24/7"}"#,
                "hours.zone: expected an IANA time zone such as America/Detroit, got \"Mars\""
            ),
            (
                #""hours":{"zone":"UTC","week":"Mo-Fr; PH off"}"#,
                "hours.week: expected days and times such as Mo-Fr 06:00-18:00; Sa 08:00-12:00, got \"PH\""
            ),
            (
                #""hours":{"zone":"UTC","week":""}"#,
                "hours.week: expected days and times such as Mo-Fr 06:00-18:00; Sa 08:00-12:00, got none"
            ),
            (#""valid_from":"tomorrow""#, "valid_from: \(aTime), got"),
            (#""valid_until":[]"#, "valid_until: \(aTime), got a list"),
            (#""valid_from":5,"valid_until":5"#, "valid_until: expected a time after valid_from, got 5"),
            (
                #""valid_from":"2026-11-21T00:00:00Z","valid_until":"2026-11-20T00:00:00Z""#,
                "valid_until: expected a time after valid_from, got \"2026-11-20T00:00:00Z\""
            ),
        ])
    func badProperties(properties: String, beginning: String) {
        #expect(Self.sentence(Self.circle(properties)).hasPrefix("properties.\(beginning)"))
    }

    @Test("Names, groups and vehicles are limited, and a problem shows no more than a line")
    func limits() throws {
        func texts(_ count: Int) -> String { (0..<count).map { "\"v\($0)\"" }.joined(separator: ",") }
        let name = String(repeating: "ö", count: 200)
        #expect(try Self.read(Self.circle("\"name\":\"\(name)\"")).name == name)
        let long = Self.problem(Self.circle("\"name\":\"\(name)ö\""))
        #expect(long?.text.hasSuffix("got \"" + String(repeating: "ö", count: 64) + "…\"") == true)
        for member in ["groups", "vehicles"] {
            #expect(Self.problem(Self.circle("\"\(member)\":[\(texts(1000))]")) == nil)
            #expect(
                Self.problem(Self.circle("\"\(member)\":[\(texts(1001))]"))?.description
                    == "properties.\(member): expected at most 1000 entries, got more"
            )
        }
        let zone = String(repeating: "z", count: 10_000)
        let hours = Self.problem(Self.circle("\"hours\":{\"zone\":\"\(zone)\",\"week\":\"24/7\"}"))
        #expect((hours?.text.count).map { $0 < 200 } == true)
    }

    @Test("A shape of 10,000 vertices is read, of one ring or of many; one more is too many")
    func vertices() throws {
        func curve(_ count: Int) -> [Coordinate] {
            (0..<count).map { Double($0) / 1e4 }.map { Self.at($0 * $0, $0) }
        }
        func positions(_ count: Int) -> String {
            curve(count).map { "[\($0.longitude),\($0.latitude)]" }.joined(separator: ",")
        }
        let closed = "[\(positions(10_000)),[0,0]]"
        #expect(try Self.read(Self.polygon(closed)).shape == .polygons([Polygon(outer: curve(10_000))]))
        let tooMany = "expected at most 10000 vertices, got more"
        #expect(
            Self.problem(Self.polygon("[\(positions(10_001)),[0,0]]"))
                == GeoJSONError("geometry.coordinates[0]", tooMany))
        #expect(
            Self.problem(Self.polygon("\(closed),\(Self.square)")) == GeoJSONError("geometry.coordinates[1]", tooMany))
        #expect(Self.problem(Self.line("[\(positions(10_000))]")) == nil)
        #expect(Self.problem(Self.line("[\(positions(10_001))]")) == GeoJSONError("geometry.coordinates", tooMany))
    }

    @Test("A million vertices fail, by their bytes or by their number")
    func aMillionVertices() {
        let wide = Self.polygon(
            "[" + Array(repeating: "[-83.751891,42.280597]", count: 1_000_000).joined(separator: ",") + "]")
        let narrow = Self.polygon("[" + Array(repeating: "[0,0]", count: 340_000).joined(separator: ",") + "]")
        #expect(
            Self.problem(wide)?.description
                == "expected at most 2097152 bytes (10000 vertices), got \(wide.utf8.count)"
        )
        #expect(Self.problem(narrow)?.text.hasPrefix("expected at most 10000 vertices") == true)
    }
}
