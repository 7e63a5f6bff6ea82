import Fleet
import Geo
import Messages
import Testing

@testable import Wire

@Suite("Fences as GeoJSON")
struct FenceTests: FenceWriting {
    @Test("The contract's example is read member by member")
    func example() throws {
        let payload = """
            {"type": "Feature", "id": "depot-7", "geometry": {"type": "Point", "coordinates": [-83.75, 42.28]},
             "properties": {"name": "Depot 7", "radius": 200, "groups": ["midwest"], "vehicles": ["T42"], "dwell": "5 min",
                            "hysteresis": "20 m",
                            "hours": {"zone": "America/Detroit", "week": "Mo-Fr 06:00-18:00; Sa 08:00-12:00"},
                            "valid_from": null, "valid_until": null}}
            """
        let expected = Fence(
            id: "depot-7", name: "Depot 7", shape: .circle(Circle(center: Self.at(42.28, -83.75), radius: 200)),
            groups: ["midwest"], vehicles: [try #require(VehicleID("T42"))], dwell: 300, hysteresis: 20,
            hours: try WeeklyHours(zone: "America/Detroit", week: "Mo-Fr 06:00-18:00; Sa 08:00-12:00"))
        #expect(try Self.read(payload) == expected)
        #expect(try Fence(geoJSON: Array(payload.utf8)) == expected)
    }

    @Test("What is left out has its default, and what is unknown is ignored")
    func defaults() throws {
        let expected = Fence(id: "depot-7", shape: .circle(Circle(center: Self.at(1, 2), radius: 200)))
        for properties in [
            "", #""name":null,"groups":null,"vehicles":null,"dwell":null,"hysteresis":null,"hours":null"#,
            #""groups":[],"vehicles":[],"width":"wide","colour":"red","osm":{"deep":[[[]]]}"#,
        ] {
            #expect(try Self.read(Self.circle(properties)) == expected)
        }
        let bare = #"{"bbox":[0,0,1,1],"type":"Feature","geometry":{"type":"Polygon","coordinates":[\#(Self.square)]}}"#
        #expect(try Self.read(bare).shape == .polygons([Polygon(outer: Self.squareVertices)]))
        #expect(try Self.read(String(bare.dropLast()) + #","properties":null}"#).shape == Self.read(bare).shape)
    }

    @Test(
        "A geometry becomes a shape; a ring's closing position and altitudes are left out",
        arguments: [
            (point("[180,-45,256.5]"), .circle(Circle(center: at(-45, 180), radius: 200))),
            (line(#"[[0,1],[2,3,"high"]]"#), .corridor(Corridor(line: [at(1, 0), at(3, 2)], width: 50))),
            (polygon(square), .polygons([Polygon(outer: squareVertices)])),
            (
                polygon(square + ",[[0.2,0.1],[0.3,0.1],[0.3,0.2],[0.2,0.1]]"),
                .polygons([Polygon(outer: squareVertices, holes: [[at(0.1, 0.2), at(0.1, 0.3), at(0.2, 0.3)]])])
            ),
            (
                feature("MultiPolygon", "[[\(square)],[[[9,8],[9,9],[8,9],[9,8]]]]"),
                .polygons([Polygon(outer: squareVertices), Polygon(outer: [at(8, 9), at(9, 9), at(9, 8)])])
            ),
            (
                polygon("[[179,0],[-179,0],[-179,1],[179,0]]"),
                .polygons([Polygon(outer: [at(0, 179), at(0, -179), at(1, -179)])])
            ),
        ] as [(String, Shape)])
    func shapes(payload: String, shape: Shape) throws {
        #expect(try Self.read(payload).shape == shape)
    }

    @Test("Lengths, durations and times are numbers, or texts with a unit")
    func quantities() throws {
        func fence(_ properties: String) throws -> Fence { try Self.read(Self.circle(properties)) }
        let radius = { (text: String) in
            try Self.read(Self.point("[2,1]", "\"radius\":\(text)")).shape
        }
        for (text, metres) in [("0.5", 0.5), (#""650 ft""#, 198.12), (#""1 mi""#, Unit.mile), (#""200""#, 200)] {
            #expect(try radius(text) == .circle(Circle(center: Self.at(1, 2), radius: metres)))
        }
        #expect(try fence(#""dwell":90"#).dwell == 90)
        #expect(try fence(#""dwell":"1.5 h""#).dwell == 5400)
        #expect(try fence(#""hysteresis":0"#).hysteresis == 0)
        #expect(try fence(#""hysteresis":"10 yd""#).hysteresis == 9.144)
        let valid = try fence(#""valid_from":"2026-11-21T06:00:00-05:00","valid_until":1795269802"#)
        #expect(valid.validFrom == Timestamp(milliseconds: 1_795_258_800_000))
        #expect(valid.validUntil == Timestamp(milliseconds: 1_795_269_802_000))
    }

    @Test(
        "An id need not be repeated, may stand in the properties, and must be the topic's",
        arguments: [
            (#""id":"7","#, "", nil), (#""id":7,"#, "", nil), ("", #""id":"7""#, nil), ("", #""id":7"#, nil),
            (#""id":"7","#, #""id":815"#, nil), (#""id":null,"#, "", nil), (#""id":"8","#, "", "id"),
            ("", #""id":8"#, "properties.id"), (#""id":8,"#, #""id":7"#, "id"), (#""id":7.5,"#, "", "id"),
            ("", #""id":["7"]"#, "properties.id"), (#""id":true,"#, "", "id"), (#""id":"","#, "", "id"),
        ])
    func ids(member: String, property: String, place: String?) {
        let geometry = #"{"type":"Polygon","coordinates":[\#(Self.square)]}"#
        let payload = #"{"type":"Feature",\#(member)"geometry":\#(geometry),"properties":{\#(property)}}"#
        #expect(Self.problem(payload, id: "7")?.place == place)
    }

    @Test("Without a topic a Feature says its id itself, and may be asked for it though it is no fence")
    func ownID() {
        func own(_ payload: String) -> GeoJSONError? {
            #expect(throws: GeoJSONError.self) { try Fence(geoJSON: Array(payload.utf8)) }
        }
        #expect(own(Self.circle())?.description == "id: expected a text or a number, got nothing")
        #expect(own(Self.circle(#""id":"a/b""#))?.place == "properties.id")
        let bad = Array(#"{"type":"Feature","id":7,"geometry":null}"#.utf8)
        #expect(GeoJSONFeatureReader().id(bad) == "7")
        for other in ["{}", "7", #"{"type":"Feature","id":[]}"#, #"{"type":"Feature"}"#] {
            #expect(GeoJSONFeatureReader().id(Array(other.utf8)) == nil)
        }
    }

    @Test(
        "An id is 1 to 128 bytes of one topic level",
        arguments: [
            ("a", true), ("osm:way:4711", true), ("Höfe, Nord 🚚", true), (String(repeating: "i", count: 128), true),
            ("", false), (String(repeating: "i", count: 129), false), (String(repeating: "ö", count: 65), false),
            ("a/b", false), ("a+", false), ("#", false), ("a\u{0}", false), ("a\n", false), ("\u{85}", false),
        ])
    func validIDs(id: String, isValid: Bool) {
        #expect(Fence.isValidID(id) == isValid)
        #expect((Self.problem(Self.circle(), id: id) == nil) == isValid)
    }

    @Test("Members that mean nothing are listed, misspelt ones with what was meant, and the fence is read all the same")
    func unknownMembers() throws {
        let feature = #"""
            {"type":"Feature","dwell":60,"title":"x","geometry":{"type":"Point","coordinates":[1,2]},
             "properties":{"radius":100,"dwel":60,"colour":"red","name":"n"}}
            """#
        #expect(
            Fence.unknownMembers(inGeoJSON: Array(feature.utf8))
                == ["colour", "dwel (dwell?)", "dwell outside of properties", "title"])
        #expect(try Fence(geoJSON: Array(feature.utf8), id: "a").dwell == nil)
        #expect(Fence.unknownMembers(inGeoJSON: Array("{".utf8)) == [])
    }
}
