import Fleet
import Messages
import Testing

@testable import Wire

/// What the log says of a payload that cannot be read.
@Suite struct ReadingProblemTests {
    private static func problem(_ topicSuffix: TopicSuffix, _ payload: [UInt8]) -> String? {
        Arrival.decode(topicSuffix, payload).rejected.first?.problem?.description
    }

    @Test(
        "The member that cannot be read is named, with what was expected and what stands there",
        arguments: [
            (TopicSuffix.location, #"{"lat":"abc","lon":2}"#, #"lat: expected a number from -90 to 90, got "abc""#),
            (.location, #"{"lat":1,"lon":541}"#, "lon: expected a number from -180 to 180, got 541"),
            (.location, #"{"lon":2}"#, "lat: expected a number from -90 to 90, got nothing"),
            (.location, #"{"lat":1,"lon":2,"speed":-2}"#, "speed: expected a number from 0 on, got -2"),
            (.location, #"{"lat":1,"lon":2,"time":"noon"}"#, "time: expected \(JSONValue.expectedTime), got \"noon\""),
            (.location, #"{"lat":1,"lon":2,"trigger":"x"}"#, #"trigger: expected interval, enter, exit, got "x""#),
            (.location, "7", "expected an object, got 7"),
            (
                .location, #"[{"lat":1,"lon":2},{"lat":[],"lon":2}]"#,
                "lat: expected a number from -90 to 90, got a list"
            ),
            (
                .profile, #"{"height":"tall"}"#,
                #"height: expected a height over 0 and up to 6 m, such as 4.11 or "13'6\"", got "tall""#
            ),
            (
                .profile, #"{"parts":{"trailer":41}}"#,
                #"parts.trailer: expected a height over 0 and up to 6 m, such as 4.11 or "13'6\"", got 41"#
            ),
            (.profile, #"{"margin":2}"#, "margin: expected a margin of 0 to 1 m, got 2"),
            (
                .profile, #"{"valid_for":true}"#,
                #"valid_for: expected a number of seconds, or a text such as "24 h", got true"#
            ),
            (.consent, #"{"status":"always","in_use":1}"#, "in_use: expected true or false, got 1"),
            (.presence, "gone", #"expected online or offline, got "gone""#),
            (.ack, #"{"alert":"a"}"#, "sequence: expected a whole number from 1 on, got nothing"),
            (
                .route, #"{"waypoints":[[1,2],[200,0]]}"#,
                "position 1: expected [longitude from -180 to 180, latitude from -90 to 90], got a list"
            ),
        ])
    func members(topicSuffix: TopicSuffix, payload: String, problem: String) {
        #expect(Self.problem(topicSuffix, Array(payload.utf8)) == problem)
    }

    @Test(
        "A payload that is no JSON is named where it can be known",
        arguments: [
            (Array("$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\r\n".utf8), "NMEA 0183"),
            (Array("54.687,25.279,2026-11-21T14:03:22Z\n".utf8), "CSV"), (Array("lat;lon\n1;2".utf8), "CSV"),
            (Array("<?xml version=\"1.0\"?><gpx/>".utf8), "XML"), (Array("lat=54.6&lon=25.2".utf8), "a query string"),
            ([0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 3], "gzip"),
            // {"lat":1.5,"lon":2}
            (
                [0x82, 0xA3, 0x6C, 0x61, 0x74, 0xCB, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0, 0xA3, 0x6C, 0x6F, 0x6E, 0x02],
                "MessagePack"
            ),
            ([0xA2, 0x63, 0x6C, 0x61, 0x74, 0xFB, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0, 0x63, 0x6C, 0x6F, 0x6E, 0x02], "CBOR"),
            ([0x81, 0xA1, 0x63, 0x6C, 0x61, 0x74, 0x01], "CBOR"),
            // Field 1: a text, field 2: a double.
            ([0x0A, 0x03, 0x54, 0x34, 0x32, 0x11, 0, 0, 0, 0, 0, 0, 0xF8, 0x3F], "protobuf"),
            ([0x00, 0x00, 0x01, 0x8A, 0xFF, 0x13], "binary data"), ([], "nothing at all"),
        ] as [([UInt8], String)])
    func foreign(payload: [UInt8], name: String) {
        let decoded = Arrival.decode(.location, payload)
        #expect([[.malformedJSON], [.invalidUTF8]].contains(decoded.rejections))
        #expect(decoded.rejected.first?.problem?.description == "expected JSON, got \(name)")
    }

    @Test(
        "JSON with a mistake in it is not taken for something else",
        arguments: [#"{"lat":1,"lon":2"#, "[1,2", "{lat:1,lon:2}", "nul"])
    func mistakes(payload: String) {
        #expect(ForeignPayload.name(of: Array(payload.utf8)) == nil)
        #expect(Self.problem(.location, Array(payload.utf8))?.hasPrefix("expected JSON, got a syntax error: ") == true)
    }

    @Test("What stands there is left out where nobody may be named")
    func withoutContent() {
        let problem = Arrival.decode(.location, #"{"lat":"Main St 7","lon":2}"#).rejected.first?.problem
        #expect(problem?.withoutContent == "lat: expected a number from -90 to 90")
    }

    @Test("What a topic carries is its leaf, or its input")
    func sources() throws {
        let input = FleetInput(topic: try InputTopic("traccar/{s}"), layout: .traccar)
        let topics = InboundTopics(nil, pattern: .standard, inputs: [input])
        #expect(topics.parse("fleet/T42/profile").source == "profile")
        #expect(topics.parse("traccar/eu").source == "input traccar/{s}")
        #expect(topics.parse("elsewhere").source == nil)
    }
}
