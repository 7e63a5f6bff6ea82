import Fleet
import Geo
import Messages
import Testing

@testable import Wire

/// Several values in one text, as `54.6,25.2`.
@Suite struct MappedPartTests {
    private static func decode(_ payload: String, _ layout: MappedLayout) -> DecodedMessage {
        let input = FleetInput(
            topic: LayoutExamples.input(.headroom).topic, layout: .mapped(layout),
            vehicle: VehicleTemplate(LayoutExamples.truck))
        return WireDecoder(inputs: [input]).decode(
            topic: "in/put", payload: Array(payload.utf8), retained: false, receivedAt: Arrival.time)[0]
    }

    @Test(
        "A speed or a course that is not known, -1 or an empty text, costs no position",
        arguments: ["-1", "-1.0", "\"\"", "\"-1\""])
    func unknown(value: String) {
        let layout = MappedLayout(fields: [
            .lat: .pointer(JSONPointer("/lat")!), .lon: .pointer(JSONPointer("/lon")!),
            .speed: .pointer(JSONPointer("/speed")!, unit: .kilometresPerHour),
            .course: .pointer(JSONPointer("/course")!),
        ])
        let fixes = Self.decode("{\"lat\":54.6,\"lon\":25.2,\"speed\":\(value),\"course\":\(value)}", layout).fixes
        #expect(fixes.count == 1 && fixes[0].speed == nil && fixes[0].course == nil)
    }

    @Test(
        "An empty text as a time is no time: that of arrival counts, whatever the time's unit",
        arguments: [nil, MappedLayout.Unit.seconds, .milliseconds])
    func emptyTime(unit: MappedLayout.Unit?) {
        let layout = MappedLayout(fields: [
            .lat: .pointer(JSONPointer("/lat")!), .lon: .pointer(JSONPointer("/lon")!),
            .time: .pointer(JSONPointer("/time")!, unit: unit),
        ])
        let decoded = Self.decode(#"{"lat":54.6,"lon":25.2,"time":""}"#, layout)
        #expect(decoded.fixes.map(\.time) == [Arrival.time] && decoded.rejections == [])
        #expect(Self.decode(#"{"lat":54.6,"lon":25.2,"time":" "}"#, layout).fixes.isEmpty)
    }

    @Test("Where an element has an empty text, what the payload around it says counts")
    func emptyInElement() {
        let layout = MappedLayout(
            each: JSONPointer("/points"),
            fields: [
                .lat: .pointer(JSONPointer("/lat")!), .lon: .pointer(JSONPointer("/lon")!),
                .time: .pointer(JSONPointer("/at")!),
            ])
        let text = #"{"at":1795269802500,"points":[{"at":"","lat":54.6,"lon":25.2}]}"#
        #expect(Self.decode(text, layout).fixes.map(\.time) == [Timestamp(milliseconds: 1_795_269_802_500)])
    }

    private static let latlng = MappedLayout(fields: [
        .lat: .pointer(JSONPointer("/latlng")!, part: 0), .lon: .pointer(JSONPointer("/latlng")!, part: 1),
        .time: .pointer(JSONPointer("/latlng")!, part: 2),
    ])

    @Test(
        "Parts stand between commas, semicolons and white space",
        arguments: [
            "54.6,25.2", "54.6, 25.2", "54.6;25.2", " 54.6 ; 25.2 ", "54.6 25.2", "54.6\\t25.2", "54.6,25.2,",
            "54.6,25.2,,7",
        ])
    func separators(text: String) {
        let fixes = Self.decode("{\"latlng\":\"\(text)\"}", Self.latlng).fixes
        #expect(fixes.map(\.position.latitude) == [54.6] && fixes.map(\.position.longitude) == [25.2])
        #expect(fixes.map(\.time) == [Arrival.time])
    }

    @Test(
        "A time may be a part, as RFC 3339 or a number",
        arguments: ["2026-11-21T14:03:22Z", "1795269802", "1795269802000"])
    func time(text: String) {
        let fixes = Self.decode("{\"latlng\":\"54.6,25.2,\(text)\"}", Self.latlng).fixes
        #expect(fixes.map(\.time.milliseconds) == [1_795_269_802_000])
    }

    @Test(
        "A part that is not there is missing, one that is no number is rejected",
        arguments: [
            (
                #""54.6""#, InputError.missingField,
                "lon at /latlng, part 1: expected a number from -180 to 180, got nothing"
            ),
            (#""54.6,x""#, .wrongType, #"lon at /latlng, part 1: expected a number from -180 to 180, got "54.6,x""#),
            (#""91,1""#, .outOfRange, #"lat at /latlng, part 0: expected a number from -90 to 90, got "91,1""#),
            ("[54.6,25.2]", .wrongType, #"lat at /latlng, part 0: expected a text such as "54.6,25.2", got a list"#),
            (
                #""54.6,25.2,noon""#, .wrongType,
                "time at /latlng, part 2: expected \(JSONValue.expectedTime), got \"54.6,25.2,noon\""
            ),
        ])
    func refused(value: String, reason: InputError, problem: String) {
        let rejected = Self.decode("{\"latlng\":\(value)}", Self.latlng).rejected
        #expect(rejected.map(\.reason) == [reason])
        #expect(rejected.map { "\($0.problem?.description ?? "")" } == [problem])
    }

    @Test("Each element of a list has its own")
    func each() {
        let layout = MappedLayout(each: JSONPointer("/all")!, fields: Self.latlng.fields)
        let decoded = Self.decode(#"{"all":[{"latlng":"1,2"},{"latlng":"3,4"},{"latlng":"x"}]}"#, layout)
        #expect(decoded.fixes.map(\.position.latitude) == [1, 3] && decoded.rejections == [.wrongType])
    }
}
