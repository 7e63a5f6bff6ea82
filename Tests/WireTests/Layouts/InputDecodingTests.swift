import Fleet
import Messages
import Testing

@testable import Wire

/// Which layout a topic has, and under which address its vehicle goes on.
@Suite struct InputDecodingTests {
    private static let location = Array(#"{"_type":"location","lat":1,"lon":2,"tst":1795269895}"#.utf8)
    private static let fix = Array(#"{"lat":1,"lon":2,"vehicle":"T42"}"#.utf8)

    private static func decoder(fleet: String = "fleet/{v}") throws -> WireDecoder {
        let hasRegion = fleet.contains("{region}")
        return WireDecoder(
            pattern: try TopicPattern(fleet),
            inputs: [
                FleetInput(topic: try InputTopic("owntracks/{region}/{v}"), layout: .ownTracks),
                FleetInput(topic: try InputTopic(hasRegion ? "depot/{region}" : "depot/fix"), layout: .headroom),
            ])
    }

    private static func decode(_ decoder: WireDecoder, _ topic: String, _ payload: [UInt8]) -> DecodedMessage {
        decoder.decode(topic: topic, payload: payload, retained: false, receivedAt: Arrival.time)[0]
    }

    @Test("The fleet's own topics are read as ever, others by their input, nobody's are unknown")
    func topics() throws {
        let decoder = try Self.decoder()
        let address = VehicleAddress(vehicle: LayoutExamples.truck)
        #expect(Self.decode(decoder, "fleet/T42/location", Self.fix).address == address)
        #expect(Self.decode(decoder, "depot/fix", Self.fix).address == address)
        for topic in ["depot/fix/x", "depot", "elsewhere", "fleet/T42/a/location"] {
            let unknown = DecodedMessage(address: nil, rejected: [RejectedPart(.unknownTopic)])
            #expect(Self.decode(decoder, topic, Self.fix) == unknown)
        }
    }

    @Test("An OwnTracks device is remembered by the topic on which it speaks, whatever the app adds to it")
    func device() throws {
        let decoder = try Self.decoder()
        let address = VehicleAddress(vehicle: LayoutExamples.truck, device: "owntracks/jane/T42")
        #expect(Self.decode(decoder, "owntracks/jane/T42", Self.location).address == address)
        let status = Self.decode(decoder, "owntracks/jane/T42/status", Array(#"{"_type":"status"}"#.utf8))
        #expect(status == DecodedMessage(address: address, other: .status))
        #expect(Self.decode(decoder, "owntracks/jane/T42/event", Self.location).fixes.count == 1)
    }

    @Test("What goes to the device is not taken in", arguments: ["cmd", "x", "event/x"])
    func echo(topicSuffix: String) throws {
        let decoded = Self.decode(
            try Self.decoder(), "owntracks/jane/T42/\(topicSuffix)", Array(#"{"_type":"cmd"}"#.utf8))
        #expect(decoded.rejections == [.unknownTopic])
        let input = FleetInput(topic: try InputTopic("owntracks/+/{v}"), layout: .ownTracks)
        #expect(!input.filters.contains { $0.hasSuffix("/cmd") } && input.claims.contains("owntracks/+/+/cmd"))
    }

    @Test("The levels that output needs are taken over")
    func levels() throws {
        let decoder = try Self.decoder(fleet: "acme/{region}/{v}")
        let address = VehicleAddress(vehicle: LayoutExamples.truck, levels: ["north"])
        #expect(Self.decode(decoder, "depot/north", Self.fix).address == address)
        #expect(Self.decode(decoder, "owntracks/north/T42", Self.location).address?.levels == ["north"])
    }

    @Test("Each vehicle of one message has its own")
    func several() throws {
        let payload =
            #"[{"vehicle":"A","lat":1,"lon":2},{"vehicle":"B","lat":1,"lon":2},{"vehicle":"A","lat":1,"lon":3}]"#
        let decoded = try Self.decoder().decode(
            topic: "depot/fix", payload: Array(payload.utf8), retained: false, receivedAt: Arrival.time)
        #expect(decoded.map { $0.address?.vehicle.text } == ["A", "B"] && decoded.map(\.fixes.count) == [2, 1])
    }
}
