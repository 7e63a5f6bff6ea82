import Fleet
import Messages
import MQTT
import Testing
import Wire

/// Lines as `mosquitto_sub` 2.0.11 has written them, and fixes as JSON lines.
struct RecordingDecoderTests {
    private static let noon = Timestamp(milliseconds: 1_795_269_546_036)

    private func message(_ line: String) throws -> RecordedMessage {
        try RecordingDecoder().message(Array(line.utf8))
    }

    @Test(
        "The time at which a message came is read as every version writes it",
        arguments: [
            (#""2026-11-21T13:59:06.036590Z+0000""#, noon), (#""2026-11-21T08:59:06.036783Z-0500""#, noon),
            (#""2026-11-21T19:29:06.036783+0530""#, noon), (#""2026-11-21T13:59:06.036Z""#, noon),
            ("1795269546", Timestamp(milliseconds: 1_795_269_546_000)), ("1795269546.036", noon),
        ])
    func arrival(_ tst: String, _ time: Timestamp) throws {
        let read = try message(#"{"tst":\#(tst),"topic":"a","qos":1,"retain":0,"payloadlen":1,"payload":"1"}"#)
        #expect(read.arrival == time)
    }

    @Test(
        "The payload is what was published, whether written as a string by %j or as a value by %J",
        arguments: [
            (#""payloadlen":28,"payload":"{\"lat\":42.5,\"note\":\"\\u0001\"}""#, #"{"lat":42.5,"note":"\u0001"}"#),
            (#""payloadlen":6,"payload":"online""#, "online"),
            (#""payloadlen":8,"payload":"\"online\"""#, #""online""#),
            (#""payloadlen":8,"payload":"online""#, "online"),
            (#""payloadlen":0,"payload":null"#, ""),
            (#""payloadlen":4,"payload":null"#, "null"),
            (#""payloadlen":2,"payload":"17""#, "17"),
            (#""payloadlen":2,"payload":17"#, "17"),
            (#""payloadlen":5,"payload":"x\ty\nz""#, "x\ty\nz"),
            (
                #""payloadlen":60,"payload":{"t":1795269600123,"lat":0.1234567890123457,"a":[1,{"é\"":null},true,-2.5e-7]}"#,
                #"{"t":1795269600123,"lat":0.1234567890123457,"a":[1,{"é\"":null},true,-2.5e-07]}"#
            ),
        ])
    func payload(_ members: String, _ payload: String) throws {
        let read = try message(#"{"tst":"2026-11-21T13:59:06Z","topic":"fleet/T42/location","retain":1,\#(members)}"#)
        #expect(String(decoding: read.payload, as: UTF8.self) == payload)
        #expect(read.topic == "fleet/T42/location")
        #expect(read.retained)
    }

    @Test("Properties of MQTT 5 stand beside the payload and change nothing")
    func properties() throws {
        let read = try message(
            """
            {"tst":"2026-11-21T13:39:06.088043Z+0000","topic":"a/big","qos":1,"retain":0,"payloadlen":2,"mid":9,\
            "properties":{"user-properties":{"k":"v"},"content-type":"application/json"},"payload":"{}"}
            """)
        #expect(read.payload == Array("{}".utf8))
        #expect(!read.retained)
    }

    @Test(
        "A line that is no message says why",
        arguments: [
            (#"{"tst":"2026-11-21T13:59:06Z","payload":"1"}"#, InputError.missingField),
            (#"{"topic":"a","payload":"1"}"#, .missingField),
            (#"{"tst":"noon","topic":"a","payload":"1"}"#, .unreadableTime),
            (#"{"tst":"2026-11-21T13:59:06Z+9999","topic":"a","payload":"1"}"#, .unreadableTime),
            (#"{"tst":"2026-11-21T13:59:06Z","topic":7,"payload":"1"}"#, .wrongType),
            (#"{"tst":"2026-11-21T13:59:06Z","topic":"a","#, .malformedJSON),
            ("[]", .wrongType),
        ])
    func rejected(_ line: String, _ reason: InputError) {
        let rejected = #expect(throws: RejectedPart.self) { try message(line) }
        #expect(rejected?.reason == reason)
    }

    @Test("A payload that is no text makes a line that is none, and the line says so")
    func binary() {
        let line =
            Array(#"{"tst":"2026-11-21T13:59:06Z","topic":"a","payload":""#.utf8) + [0xFF, 0xFE] + Array("\"}".utf8)
        let rejected = #expect(throws: RejectedPart.self) { try RecordingDecoder().message(line) }
        #expect(rejected?.reason == .invalidUTF8)
    }

    @Test(
        "A recording is told from fixes by what its lines have together",
        arguments: [
            (#"{"tst":"2026-11-21T13:59:06Z","topic":"a","payload":null}"#, true),
            (#"{"tst":1795269546,"topic":"a"}"#, true),
            (#"{"lat":1,"lon":2,"time":3,"vehicle":"T42"}"#, false), (#"{"_type":"location","tst":1}"#, false),
            ("{", false), ("7", false),
        ])
    func kind(_ line: String, _ isMessage: Bool) {
        #expect(RecordingDecoder().isMessage(Array(line.utf8)) == isMessage)
    }

    // MARK: JSON lines

    @Test(
        "The fixes of a line are those of the vehicle that it names, else of the given one",
        arguments: [
            (#"{"lat":1,"lon":2,"time":3}"#, ["T1"]), (#"{"vehicle":"T42","lat":1,"lon":2,"time":3}"#, ["T42"]),
            (#"{"vehicle":42,"lat":1,"lon":2,"time":3}"#, ["42"]),
            (#"[{"lat":1,"lon":2,"time":3},{"lat":1,"lon":2,"time":4}]"#, ["T1"]),
            (#"[{"vehicle":"A","lat":1,"lon":2,"time":3},{"vehicle":"B","lat":1,"lon":2,"time":4}]"#, ["A", "B"]),
        ])
    func vehicles(_ line: String, _ vehicles: [String]) throws {
        let read = try RecordingDecoder().fixes(Array(line.utf8), of: #require(VehicleID("T1")))
        #expect(read.found.map(\.vehicle.text) == vehicles)
        #expect(read.rejected.isEmpty)
    }

    @Test(
        "A fix without a time, without a place or of a vehicle that cannot be is none",
        arguments: [
            (#"{"lat":1,"lon":2}"#, InputError.retainedWithoutTime), (#"{"lon":2,"time":3}"#, .missingField),
            (#"{"vehicle":"a/b","lat":1,"lon":2,"time":3}"#, .invalidVehicleID), ("{", .malformedJSON),
        ])
    func rejectedFixes(_ line: String, _ reason: InputError) throws {
        let vehicle = try #require(VehicleID("T1"))
        let rejected = #expect(throws: RejectedPart.self) {
            try RecordingDecoder().fixes(Array(line.utf8), of: vehicle)
        }
        #expect(rejected?.reason == reason)
    }

    @Test(
        "What cannot be read of a line is named by its member, with what was expected and what stands there",
        arguments: [
            (#"{"lat":"abc","lon":2,"time":3}"#, #"lat: expected a number from -90 to 90, got "abc""#),
            (#"{"lat":1,"time":3}"#, "lon: expected a number from -180 to 180, got nothing"),
            ("[7]", "expected an object, got 7"), ("lat;lon\n1;2", "expected JSON, got CSV"),
        ])
    func problems(_ line: String, _ problem: String) throws {
        let vehicle = try #require(VehicleID("T1"))
        var rejected: [RejectedPart] = []
        do throws(RejectedPart) {
            rejected = try RecordingDecoder().fixes(Array(line.utf8), of: vehicle).rejected
        } catch {
            rejected = [error]
        }
        #expect(rejected.map(\.problem?.description) == [problem])
    }

    @Test("In an array a bad fix is named and the others are kept")
    func partly() throws {
        let line = #"[{"lat":1,"lon":2,"time":3},{"lat":91,"lon":2,"time":4}]"#
        let read = try RecordingDecoder().fixes(Array(line.utf8), of: #require(VehicleID("T1")))
        #expect(read.found.flatMap(\.fixes).count == 1)
        #expect(read.rejected.map(\.reason) == [.outOfRange])
        #expect(read.rejected[0].problem?.description == "lat: expected a number from -90 to 90, got 91")
    }

    // MARK: Lines of output

    @Test("A message as a line has its topic before its members; one that takes back has no payload")
    func line() {
        let message = Publication(
            topic: #"fleet/"T\/alert"#, payload: Array(#"{"id":"7"}"#.utf8))
        #expect(String(decoding: message.line, as: UTF8.self) == #"{"topic":"fleet/\"T\\/alert","id":"7"}"#)
        let empty = Publication(topic: "fleet/T/state", payload: [], retain: true)
        #expect(String(decoding: empty.line, as: UTF8.self) == #"{"topic":"fleet/T/state","payload":null}"#)
    }
}
