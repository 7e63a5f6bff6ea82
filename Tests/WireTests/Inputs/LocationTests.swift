import Fleet
import Geo
import Messages
import Testing

@testable import Wire

@Suite struct LocationTests {
    private func decode(_ payload: String, retained: Bool = false) -> DecodedMessage {
        Arrival.decode(.location, payload, retained: retained)
    }

    @Test("The contract's example is read member by member")
    func example() throws {
        let decoded = decode(
            """
            {"lat": 42.280597, "lon": -83.751891, "time": "2026-11-21T14:03:22.500Z",
             "accuracy": 5.0, "speed": 17.2, "course": 271.5, "altitude": 256.0, "trigger": "interval", "region": null}
            """)
        let fix = Fix(
            position: Coordinate(latitude: 42.280597, longitude: -83.751891),
            time: Timestamp(milliseconds: 1_795_269_802_500), accuracy: 5, speed: 17.2, course: 271.5, altitude: 256)
        #expect(decoded.address == VehicleAddress(vehicle: try #require(VehicleID("T42"))))
        #expect(decoded.reports == [.location([fix])])
        #expect(decoded.rejections == [])
    }

    @Test("Two coordinates are enough; the time is then that of arrival")
    func minimal() {
        let fix = decode(#"{"lat":1,"lon":2}"#).fixes.first
        #expect(fix == Fix(position: Coordinate(latitude: 1, longitude: 2), time: Arrival.time))
    }

    @Test("A retained fix needs a time of its own, at most a minute old")
    func retained() {
        #expect(decode(#"{"lat":1,"lon":2}"#, retained: true).rejections == [.retainedWithoutTime])
        #expect(decode(#"{"lat":1,"lon":2,"time":null}"#, retained: true).rejections == [.retainedWithoutTime])
        #expect(decode(#"{"lat":1,"lon":2,"time":1795269840}"#, retained: true).fixes.count == 1)
        #expect(decode(#"{"lat":1,"lon":2,"time":1795269839}"#, retained: true).rejections == [.tooOld])
        #expect(decode(#"{"lat":1,"lon":2,"time":1795269839}"#, retained: false).fixes.count == 1)
        let mixed = decode(#"[{"lat":1,"lon":2},{"lat":1,"lon":2,"time":1795269880}]"#, retained: true)
        #expect(mixed.fixes.count == 1)
        #expect(mixed.rejections == [.retainedWithoutTime])
    }

    @Test(
        "A time is RFC 3339, epoch seconds, or from 10¹¹ on milliseconds",
        arguments: [
            (#""2026-11-21T09:03:22.5-05:00""#, 1_795_269_802_500), ("1795269802.5", 1_795_269_802_500),
            ("1795269802", 1_795_269_802_000), ("1795269802500", 1_795_269_802_500),
            ("99999999999", 99_999_999_999_000),
            ("100000000000", 100_000_000_000), ("0", 0), ("-1.5", -1500), ("null", 1_795_269_900_000),
        ])
    func times(text: String, milliseconds: Int64) {
        #expect(decode("{\"lat\":1,\"lon\":2,\"time\":\(text)}").fixes.map(\.time.milliseconds) == [milliseconds])
    }

    @Test("Course 360 is north, as 0 is")
    func course() {
        #expect(decode(#"{"lat":1,"lon":2,"course":360}"#).fixes.map(\.course) == [0])
        #expect(decode(#"{"lat":1,"lon":2,"course":359.9}"#).fixes.map(\.course) == [359.9])
        #expect(decode(#"{"lat":1,"lon":2,"course":-1}"#).fixes.map(\.course) == [nil])
        #expect(decode(#"{"lat":1,"lon":2,"speed":-1}"#).fixes.map(\.speed) == [nil])
    }

    @Test("The device's own region comes through")
    func region() {
        let fix = decode(#"{"lat":1,"lon":2,"trigger":"exit","region":"depot-7"}"#).fixes.first
        #expect(fix?.trigger == .exit)
        #expect(fix?.region == "depot-7")
    }

    @Test(
        "What is wrong with a fix is said by its reason",
        arguments: [
            (#"{}"#, .missingField), (#"{"lat":1}"#, .missingField), (#"{"lon":1}"#, .missingField),
            (#"{"lat":null,"lon":2}"#, .missingField), (#"{"lat":"1","lon":2}"#, .wrongType),
            (#"{"lat":[1],"lon":2}"#, .wrongType), (#"{"lat":true,"lon":2}"#, .wrongType),
            (#"{"lat":91,"lon":2}"#, .outOfRange),
            (#"{"lat":-90.0001,"lon":2}"#, .outOfRange), (#"{"lat":1,"lon":180.5}"#, .outOfRange),
            (#"{"lat":1,"lon":-181}"#, .outOfRange), (#"{"lat":1e308,"lon":2}"#, .outOfRange),
            (#"{"lat":18446744073709551615,"lon":2}"#, .outOfRange), (#"{"lat":1e400,"lon":2}"#, .malformedJSON),
            (#"{"lat":NaN,"lon":2}"#, .malformedJSON), (#"{"lat":1,"lon":2,"accuracy":-1}"#, .outOfRange),
            (#"{"lat":1,"lon":2,"accuracy":"5"}"#, .wrongType), (#"{"lat":1,"lon":2,"speed":-2}"#, .outOfRange),
            (#"{"lat":1,"lon":2,"speed":{}}"#, .wrongType), (#"{"lat":1,"lon":2,"course":-2}"#, .outOfRange),
            (#"{"lat":1,"lon":2,"course":360.1}"#, .outOfRange), (#"{"lat":1,"lon":2,"course":"N"}"#, .wrongType),
            (#"{"lat":1,"lon":2,"altitude":"high"}"#, .wrongType), (#"{"lat":1,"lon":2,"trigger":1}"#, .wrongType),
            (#"{"lat":1,"lon":2,"trigger":"ping"}"#, .outOfRange), (#"{"lat":1,"lon":2,"region":7}"#, .wrongType),
            (#"{"lat":1,"lon":2,"time":true}"#, .wrongType),
            (#"{"lat":1,"lon":2,"time":"yesterday"}"#, .unreadableTime),
            (#"{"lat":1,"lon":2,"time":""}"#, .unreadableTime), (#"{"lat":1,"lon":2,"time":1e18}"#, .outOfRange),
            (#"{"lat":1,"lon":2,"time":-1e11}"#, .outOfRange), (#"{"lat":1,"lon":2,"time":1e308}"#, .outOfRange),
            (#"null"#, .wrongType), (#"1"#, .wrongType), (#""fix""#, .wrongType), ("", .malformedJSON),
            ("not json", .malformedJSON), (#"{"lat":1,"lon":2"#, .malformedJSON),
            ("\u{FEFF}{\"lat\":1,\"lon\":2}", .malformedJSON),
            ("[]", .missingField), ("[[]]", .wrongType), ("[null]", .wrongType),
            (#"{"lat":1,"lon":2}{}"#, .malformedJSON),
        ] as [(String, InputError)])
    func rejections(payload: String, reason: InputError) {
        let decoded = decode(payload)
        #expect(decoded.reports == [])
        #expect(decoded.rejections == [reason])
    }

    @Test("An upload without a fix is told what was expected")
    func emptyUpload() {
        let problem = decode("[]").rejected.first?.problem
        #expect(problem?.description == "expected one fix or more, got nothing")
    }

    @Test("A region's name is limited")
    func longRegion() {
        let region = String(repeating: "r", count: 129)
        #expect(decode("{\"lat\":1,\"lon\":2,\"region\":\"\(region)\"}").rejections == [.outOfRange])
    }

    @Test("Borders of the world and null island are fixes; the engine judges them")
    func borders() {
        #expect(decode(#"{"lat":90,"lon":-180}"#).fixes.count == 1)
        #expect(decode(#"{"lat":-90,"lon":180}"#).fixes.count == 1)
        #expect(decode(#"{"lat":0,"lon":0}"#).fixes.count == 1)
    }

    @Test("Unknown members are ignored, and of two with one name the first counts")
    func members() {
        let decoded = decode(#"{"_type":"x","lat":1,"deep":[{"lat":9}],"lon":2,"lat":99}"#)
        #expect(decoded.fixes.map(\.position) == [Coordinate(latitude: 1, longitude: 2)])
    }

    @Test("In an array a bad fix is rejected and the others are kept in order")
    func array() {
        let decoded = decode(
            #"[{"lat":1,"lon":2},{"lat":91,"lon":2},{"lat":3,"lon":4,"time":"x"},7,{"lat":5,"lon":6}]"#)
        #expect(decoded.fixes.map(\.position.latitude) == [1, 5])
        #expect(decoded.rejections == [.outOfRange, .unreadableTime, .wrongType])
    }

    @Test("An array of 10,000 fixes is read, one of 10,001 is too large as a whole")
    func manyFixes() {
        let fix = #"{"lat":1,"lon":2}"#
        let full = Array(repeating: fix, count: 10_000).joined(separator: ",")
        #expect(decode("[\(full)]").fixes.count == 10_000)
        let over = decode("[\(full),\(fix)]")
        #expect(over.reports == [])
        #expect(over.rejections == [.tooLarge])
    }

    @Test("A payload of 256 KiB is read, one byte more is too large")
    func payloadSize() {
        let fix = #"{"lat":1,"lon":2}"#
        let padded = fix + String(repeating: " ", count: WireLimits.payloadBytes - fix.utf8.count)
        #expect(decode(padded).fixes.count == 1)
        #expect(decode(padded + " ").rejections == [.tooLarge])
    }

    @Test("Bytes that are no UTF-8 are said so")
    func invalidUTF8() {
        let payload = Array(#"{"lat":1,"lon":2,"region":""#.utf8) + [0xFF] + Array("\"}".utf8)
        #expect(Arrival.decode(.location, payload).rejections == [.invalidUTF8])
    }

    @Test("Nesting 10,000 deep is malformed, whatever stands beside it")
    func nesting() {
        let deep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
        #expect(decode(deep).rejections == [.malformedJSON])
        #expect(decode("{\"lat\":1,\"lon\":2,\"x\":\(deep)}").rejections == [.malformedJSON])
    }
}
