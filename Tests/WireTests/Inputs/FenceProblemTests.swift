import Fleet
import Geo
import Messages
import Testing

@testable import Wire

@Suite("What is wrong with a fence")
struct FenceProblemTests: FenceWriting {
    private static let radius = #""radius":200"#

    @Test(
        "What is no Feature is said so",
        arguments: [
            ("", "this is not JSON"), ("NaN", "this is not JSON"), ("{", "this is not JSON"),
            (circle(#""dwell":NaN"#), "this is not JSON"), (circle(#""dwell":1e400"#), "this is not JSON"),
            ("\u{FEFF}" + circle(), "payloads are JSON; this looks like text behind a byte order mark"),
            ("[]", "this is a list; a GeoJSON Feature"),
            ("7", "this is 7;"),
            ("null", "this is null;"), ("{}", "type: it is missing; \"Feature\" would be right"),
            (#"{"type":"FeatureCollection","features":[]}"#, "type: \"FeatureCollection\" is no fence; \"Feature\""),
            (#"{"type":"Point","coordinates":[2,1]}"#, "type: \"Point\" is no fence"),
            (#"{"type":"Feature"}"#, "geometry: it is missing; a Point, LineString,"),
            (#"{"type":"Feature","geometry":null}"#, "geometry: it is missing"),
            (#"{"type":"Feature","geometry":7}"#, "geometry.type: it is missing; Point, "),
            (#"{"type":"Feature","geometry":{},"properties":[]}"#, "properties: a list is no object"),
        ])
    func noFeature(payload: String, beginning: String) {
        #expect(Self.sentence(payload).hasPrefix(beginning))
    }

    @Test("Bytes that are no UTF-8 are said so")
    func invalidUTF8() {
        #expect(throws: FenceProblem("", "payloads are JSON; this looks like binary data")) {
            try Fence(geoJSON: Array(#"{"type":""#.utf8) + [0xFF] + Array("\"}".utf8), id: "a")
        }
    }

    @Test(
        "A geometry that is no fence's is said where it is wrong",
        arguments: [
            (
                feature("MultiLineString", "[]"),
                ".type: \"MultiLineString\" is no shape of a fence; Point, LineString, Polygon"
            ),
            (feature("point", "[2,1]"), ".type: \"point\" is no shape of a fence"),
            (feature("Point", "null", radius), ".coordinates: it is missing; a list of numbers"),
            (point("[2]"), ".coordinates: a list is no position; [longitude, latitude] would be"),
            (point("[2,null]"), ".coordinates: a list is no position"),
            (point(#"["2","1"]"#), ".coordinates: a list is no position"),
            (
                point("[42.5,-183]"),
                ".coordinates: [42.5, -183.0] is not on the earth; longitude (-180 to 180) comes first"
            ),
            (point("[180.1,0]"), ".coordinates: [180.1, 0.0] is not on the earth"),
            (point("[1e308,0]"), ".coordinates: [1e+308, 0.0] is not on the earth"),
            (line("[[0,0]]"), ".coordinates: 1 positions make no line; two or more would"),
            (line("[0,0]"), ".coordinates[0]: 0 is no position"),
            (polygon(""), ".coordinates: it is empty; a list of rings would be right"),
            (polygon("7"), ".coordinates[0]: 7 is no list; positions stand in one"),
            (polygon("[0,0]"), ".coordinates[0][0]: 0 is no position"),
            (polygon("[]"), ".coordinates[0]: 0 positions make no ring; four would, of which the last is"),
            (polygon("[[0,0],[1,0],[0,0]]"), ".coordinates[0]: 3 positions make no ring"),
            (polygon("[[0,0],[1,0],[1,1],[0,1]]"), ".coordinates[0]: its last position is not its first; a ring that"),
            (polygon(square + ",[[0,0],[1,0],[1,1],[0,95]]"), ".coordinates[1][3]: [0.0, 95.0] is not on the earth"),
            (feature("MultiPolygon", "[]"), ".coordinates: it is empty; a list of polygons would be right"),
            (feature("MultiPolygon", "[[\(square)],[7]]"), ".coordinates[1][0]: 7 is no list"),
            (
                feature("MultiPolygon", #"[[[[0,0],[1,"1"],[1,1],[0,0]]]]"#),
                ".coordinates[0][0][1]: a list is no position"
            ),
        ])
    func badGeometry(payload: String, beginning: String) {
        #expect(Self.sentence(payload).hasPrefix("geometry" + beginning))
    }

    @Test(
        "A Point needs a radius over 0, a LineString such a width",
        arguments: [
            (point("[2,1]", ""), "radius: it is missing; a Point needs one, a number of metres or a text such as"),
            (point("[2,1]", #""width":5"#), "radius: it is missing"),
            (point("[2,1]", #""radius":0"#), "radius: the radius is 0.0 m; it must be over 0 and at most 1000000 m"),
            (point("[2,1]", #""radius":"-5 m""#), "radius: the radius is -5.0 m; it must be over 0"),
            (
                point("[2,1]", #""radius":"big""#),
                "radius: \"big\" is no length; a number of metres would be, or a text"
            ),
            (point("[2,1]", #""radius":[200]"#), "radius: a list is no length"),
            (line("[[0,0],[1,1]]", ""), "width: it is missing; a LineString needs one"),
            (line("[[0,0],[1,1]]", #""width":"0 ft""#), "width: the width is 0.0 m; it must be over 0"),
            (line("[[0,0],[1,1]]", #""width":"5 min""#), "width: \"5 min\" is no length"),
        ])
    func badExtent(payload: String, beginning: String) {
        #expect(Self.sentence(payload).hasPrefix("properties." + beginning))
    }

    @Test(
        "A property that cannot be used is said where it is wrong",
        arguments: [
            (#""name":7"#, "name: 7 is no name; a text of at most 200 characters would be"),
            (#""groups":"midwest""#, "groups: \"midwest\" is no list; a list of texts would be"),
            (#""groups":["a",7]"#, "groups[1]: 7 is no group; a text of 1 to 64 characters would be"),
            (#""groups":["a",""]"#, "groups[1]: \"\" is no group"),
            (
                #""vehicles":["T42","a/b"]"#,
                "vehicles[1]: \"a/b\" is no vehicle; a text of 1 to 64 characters without / + #"
            ),
            (#""vehicles":{"T42":true}"#, "vehicles: an object is no list"),
            (#""dwell":0"#, "dwell: 0 is too short or too long; it must be over 0"),
            (#""dwell":"0 min""#, "dwell: \"0 min\" is too short"), (#""dwell":-5"#, "dwell: -5 is too short"),
            (#""dwell":"4000 d""#, "dwell: \"4000 d\" is too short or too long"),
            (#""dwell":"5 miles""#, "dwell: \"5 miles\" is no duration; a number of seconds would be, or"),
            (#""dwell":true"#, "dwell: true is no duration"),
            (#""hysteresis":-1"#, "hysteresis: -1.0 m is below 0; 0 or more would be right"),
            (#""hysteresis":"5 min""#, "hysteresis: \"5 min\" is no length"),
            (#""hours":"Mo-Fr""#, "hours: its zone or week is no text; "),
            (#""hours":{"zone":"UTC"}"#, "hours: its zone or"),
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
            (#""valid_from":"tomorrow""#, "valid_from: \"tomorrow\" is no time; RFC 3339 would be"),
            (#""valid_until":[]"#, "valid_until: a list is no time"),
            (#""valid_from":5,"valid_until":5"#, "valid_until: it is not after valid_from"),
            (
                #""valid_from":"2026-11-21T00:00:00Z","valid_until":"2026-11-20T00:00:00Z""#,
                "valid_until: it is not after"
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
        #expect(long?.text.hasPrefix("\"" + String(repeating: "ö", count: 64) + "…\" is no name") == true)
        for member in ["groups", "vehicles"] {
            #expect(Self.problem(Self.circle("\"\(member)\":[\(texts(1000))]")) == nil)
            #expect(
                Self.problem(Self.circle("\"\(member)\":[\(texts(1001))]"))?.description
                    == "properties.\(member): it has more than 1000 entries; a group that holds them all would be right"
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
        let tooMany = "there are more than 10000 vertices; a simpler shape would be right"
        #expect(
            Self.problem(Self.polygon("[\(positions(10_001)),[0,0]]"))
                == FenceProblem("geometry.coordinates[0]", tooMany))
        #expect(
            Self.problem(Self.polygon("\(closed),\(Self.square)")) == FenceProblem("geometry.coordinates[1]", tooMany))
        #expect(Self.problem(Self.line("[\(positions(10_000))]")) == nil)
        #expect(Self.problem(Self.line("[\(positions(10_001))]")) == FenceProblem("geometry.coordinates", tooMany))
    }

    @Test("A million vertices fail at once, by their bytes or by their number")
    func aMillionVertices() {
        let wide = Self.polygon(
            "[" + Array(repeating: "[-83.751891,42.280597]", count: 1_000_000).joined(separator: ",") + "]")
        let narrow = Self.polygon("[" + Array(repeating: "[0,0]", count: 340_000).joined(separator: ",") + "]")
        let clock = ContinuousClock()
        var problems: [FenceProblem?] = []
        let time = clock.measure { problems = [Self.problem(wide), Self.problem(narrow)] }
        #expect(
            problems[0]?.description
                == "a Feature of \(wide.utf8.count) bytes is too large; there may be 2097152, enough for 10000 vertices"
        )
        #expect(problems[1]?.text.hasPrefix("there are more than 10000 vertices") == true)
        #expect(time < .seconds(2))
    }
}
