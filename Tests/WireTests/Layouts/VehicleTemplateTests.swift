import Fleet
import Geo
import Messages
import Testing

@testable import Wire

/// Ids that are put together from levels of the topic and places in the payload.
@Suite struct VehicleTemplateTests {
    private static let fields: [MappedLayout.Field: MappedLayout.Source] = [
        .lat: .pointer(JSONPointer("/lat")!), .lon: .pointer(JSONPointer("/lon")!),
    ]

    private static func input(
        _ template: String, topic: String = "hfp/{operator}/{v}/#",
        _ layout: InputLayout = .mapped(.init(fields: fields))
    ) throws -> FleetInput {
        FleetInput(topic: try InputTopic(topic), layout: layout, vehicle: try VehicleTemplate(template))
    }

    private static func decode(_ input: FleetInput, _ topic: String, _ payload: String) -> DecodedMessage {
        WireDecoder(inputs: [input]).decode(
            topic: topic, payload: Array(payload.utf8), retained: false, receivedAt: Arrival.time)[0]
    }

    @Test(
        "An id is put together of text, levels and places",
        arguments: [
            ("{operator}-{v}", "12-423"), ("{v}@{operator}", "423@12"), ("{operator}-{/VP/veh}-{v}", "12-77-423"),
            ("{v}{{{/VP/oper}}}", "423{x y}"), ("bus {v}", "bus 423"), ("{operator}-{v}-{/VP/a~1b}", "12-423-9"),
        ])
    func ids(template: String, id: String) throws {
        let decoded = Self.decode(
            try Self.input(template), "hfp/12/423/1/Pasila",
            #"{"lat":1,"lon":2,"VP":{"veh":77,"oper":"x y","a/b":"9"}}"#)
        #expect(decoded.address?.vehicle.text == id && decoded.fixes.count == 1, "\(decoded)")
        #expect(try VehicleTemplate(template).description == template)
    }

    @Test("Vehicles of one number under two operators are two vehicles")
    func operators() throws {
        let input = try Self.input("{operator}-{v}")
        let ids = ["12", "90"].map { Self.decode(input, "hfp/\($0)/423", #"{"lat":1,"lon":2}"#).address?.vehicle.text }
        #expect(ids == ["12-423", "90-423"])
    }

    @Test(
        "What does not give an id is rejected with its reason, and nothing else is lost",
        arguments: [
            ("{operator}-{v}", "hfp//423", "{}", InputError.invalidVehicleID),
            ("{operator}-{v}", "hfp/\(String(repeating: "a", count: 62))/42", "{}", .invalidVehicleID),
            ("{v}-{/veh}", "hfp/1/2", #"{"lat":1,"lon":2}"#, .missingField),
            ("{v}-{/veh}", "hfp/1/2", #"{"lat":1,"lon":2,"veh":{}}"#, .wrongType),
            ("{v}-{/veh}", "hfp/1/2", #"{"lat":1,"lon":2,"veh":""}"#, .invalidVehicleID),
            ("{v}-{/veh}", "hfp/1/2", #"{"lat":1,"lon":2,"veh":"a/b"}"#, .invalidVehicleID),
            ("{v}-{/veh}", "hfp/1/2", #"{"lat":1,"lon":2,"veh":"a\u0007"}"#, .invalidVehicleID),
        ])
    func refused(template: String, topic: String, payload: String, reason: InputError) throws {
        let input = try Self.input(template)
        let decoded = Self.decode(input, topic, payload)
        #expect(decoded.rejections == [reason] && decoded.address == nil && decoded.fixes.isEmpty)
        let batch = try Self.input("{v}-{/veh}", .mapped(.init(each: JSONPointer("/all")!, fields: Self.fields)))
        let both = WireDecoder(inputs: [batch]).decode(
            topic: "hfp/1/2",
            payload: Array(#"{"all":[{"lat":1,"lon":2,"veh":"+"},{"lat":1,"lon":2,"veh":"b"}]}"#.utf8),
            retained: false, receivedAt: Arrival.time)
        #expect(both.map { $0.address?.vehicle.text } == [nil, "2-b"])
    }

    @Test("An OwnTracks device is answered on its own topic, and its will and its fixes are one vehicle's")
    func ownTracks() throws {
        let input = try Self.input("{user}-{v}", topic: "owntracks/{user}/{v}", .ownTracks)
        let fix = Self.decode(input, "owntracks/jane/phone", #"{"_type":"location","lat":1,"lon":2,"tst":1795269895}"#)
        let will = Self.decode(input, "owntracks/jane/phone", #"{"_type":"lwt","tst":1795269895}"#)
        let address = VehicleAddress(vehicle: VehicleID("jane-phone")!, device: "owntracks/jane/phone")
        #expect(fix.address == address && will.address == address)
        #expect(WireEncoder().commandTopic(address) == "owntracks/jane/phone/cmd")
    }

    @Test("Traccar's own id, and the fleet's layout's, may be part of one")
    func ownPlaces() throws {
        let traccar = try Self.input("{server}-{/device/uniqueId}", topic: "traccar/{server}", .traccar)
        let headroom = try Self.input("{depot}-{/vehicle}", topic: "depot/{depot}", .headroom)
        for (input, id) in [(traccar, "eu-T42"), (headroom, "north-T42")] {
            let vehicle = try #require(VehicleID(id))
            let fix = Fix(position: Coordinate(latitude: 1, longitude: 2), time: Arrival.time)
            let message = try #require(input.published(fix, of: vehicle, other: "x"))
            let decoded = Self.decode(input, message.topic, String(decoding: message.payload, as: UTF8.self))
            #expect(decoded.address?.vehicle == vehicle && decoded.fixes.count == 1)
        }
    }

    @Test(
        "What a device of an id publishes is taken in under that id",
        arguments: [
            ("{operator}-{v}", "sim-1-17"), ("{v}", "T42"), ("a{v}a{operator}", "aXaaY"), ("{v}{operator}", "12"),
            ("{operator}-{/VP/veh}-{v}", "1-2-3-4"), ("x{{{v}}}", "x{9}"),
        ])
    func published(template: String, id: String) throws {
        let input = try Self.input(template)
        let vehicle = try #require(VehicleID(id))
        let fix = Fix(position: Coordinate(latitude: 1, longitude: 2), time: Arrival.time)
        let message = try #require(input.published(fix, of: vehicle, other: "any"))
        let decoded = Self.decode(input, message.topic, String(decoding: message.payload, as: UTF8.self))
        #expect(decoded.address?.vehicle == vehicle && decoded.fixes.count == 1, "\(message.topic)")
    }

    @Test("An id that cannot come out is nobody's", arguments: ["T42", "-1", "1-", "-"])
    func unpublished(id: String) throws {
        #expect(try !VehicleTemplate("{operator}-{v}").canBe(#require(VehicleID(id))))
    }

    @Test(
        "What is no template is refused",
        arguments: [
            ("T42", "a level of the topic such as {v}, or a place in the payload such as {/VP/veh}", "T42"),
            ("", "a level of the topic such as {v}, or a place in the payload such as {/VP/veh}", ""),
            ("{v", "a closing brace", "{v"), ("v}", "}} for a brace that belongs to the id", "}"),
            ("{}", "the name of a level or a JSON Pointer in braces", "{}"),
            ("{/a~2}", "a JSON Pointer such as /VP/veh", "/a~2"),
            ("{v}/{x}", "text of at most 64 characters without + # / and control characters", "/"),
            ("{v}-{v}", "each level and place once", "{v} twice"),
        ])
    func problems(text: String, expected: String, got: String) {
        #expect(throws: VehicleTemplateError(expected: expected, got: got)) { try VehicleTemplate(text) }
    }
}
