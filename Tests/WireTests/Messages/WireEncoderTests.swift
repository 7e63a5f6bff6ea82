import Fleet
import Geo
import Messages
import MQTT
import Testing

@testable import Wire

@Suite struct WireEncoderTests {
    private let published = Timestamp(milliseconds: 1_795_269_803_000)

    private func encode(_ message: Message, _ pattern: TopicPattern = .standard, levels: [String] = []) throws
        -> Publication
    {
        let address = VehicleAddress(vehicle: try #require(VehicleID("T42")), levels: levels)
        let envelope = Envelope(address: address, message: message)
        return try #require(WireEncoder(pattern: pattern).encode(envelope, publishedAt: published))
    }

    private func text(_ message: Message) throws -> String {
        String(decoding: try encode(message).payload, as: UTF8.self)
    }

    @Test("An alert has the contract's members in the contract's order")
    func alert() throws {
        #expect(try text(.alert(.example)) == Self.alertText)
    }

    @Test("An alert without a detour has a null detour, and a name it does not know is null")
    func noDetour() throws {
        var alert = AlertMessage.example
        alert.detour = nil
        alert.clearance.height = nil
        alert.clearance.verdict = .unknown
        let text = try text(.alert(alert))
        #expect(text.contains(#","detour":null,"chain":"#))
        #expect(text.contains(#","height":null,"posted":"10'6\"","source":"osm","verdict":"unknown","#))
        alert.detour = AlertMessage.example.detour
        alert.detour?.turnOnto = nil
        #expect(try self.text(.alert(alert)).contains(#","turn_onto":null,"#))
    }

    @Test("Only a cleared alert gives a reason")
    func reason() throws {
        var alert = AlertMessage.example
        alert.stage = .cleared
        alert.urgency = .past
        alert.reason = .profileChanged
        #expect(try text(.alert(alert)).contains(#""certainty":"Likely","reason":"profile-changed","text":"#))
    }

    @Test(
        "The margin is rounded up to a millimetre",
        arguments: [(0.0762, "0.077"), (0.077, "0.077"), (0.1, "0.1"), (0, "0.0"), (0.3048, "0.305")])
    func margin(margin: Metres, expected: String) throws {
        var alert = AlertMessage.example
        alert.margin = margin
        #expect(try text(.alert(alert)).contains("\"margin\":\(expected),"))
    }

    @Test("A state has every member, and its open alerts stand in it as they do in their own messages")
    func state() throws {
        let expected =
            #"{"id":"s1","sequence":9,"type":"state","vehicle":"T42","time":"2026-11-21T14:03:22.500Z","#
            + #""published_at":"2026-11-21T14:03:23.000Z","fences":[{"id":"depot-7","since":"2026-11-21T14:03:22.500Z"}],"#
            + #""fences_as_of":"2026-11-21T14:03:22.500Z","alerts":["#
            + Self.alertText
            + #"],"height":{"value":4.12,"source":"driver","status":"ok"},"consent":"when-in-use","presence":"online","#
            + #""last_fix":"2026-11-21T14:03:22.500Z","blind":["stale-position","clock-skew"]}"#
        #expect(try text(.state(.example)) == expected)
    }

    @Test("What a state does not know is null or empty, never absent")
    func emptyState() throws {
        var state = StateMessage.example
        state.alerts = []
        state.presence = nil
        state.lastFix = nil
        state.fencesAsOf = nil
        state.blind = []
        #expect(try text(.state(state)).hasSuffix(#","presence":null,"last_fix":null,"blind":[]}"#))
        #expect(try text(.state(state)).contains(#","fences_as_of":null,"alerts":[],"#))
    }

    @Test("The place of the last fix stands in the state where it is to be told, to a centimetre, and else nowhere")
    func statePosition() throws {
        var state = StateMessage.example
        #expect(try text(.state(state)).contains(#""last_fix":"2026-11-21T14:03:22.500Z","blind""#))
        state.alerts = []
        state.position = Coordinate(latitude: 42.280_597_12, longitude: -83.751_891)
        #expect(
            try text(.state(state)).contains(
                #""last_fix":"2026-11-21T14:03:22.500Z","lat":42.2805971,"lon":-83.751891,"blind""#))
    }

    @Test("A request has every member")
    func request() throws {
        let expected =
            #"{"id":"r1","sequence":1,"type":"request","kind":"height-required","vehicle":"T42","#
            + #""time":"2026-11-21T14:03:22.500Z","published_at":"2026-11-21T14:03:23.000Z","text":"How high are you?"}"#
        #expect(try text(.request(.example)) == expected)
    }

    @Test("A route check says what is too low on the way, and the ways as GeoJSON; what is not known is null")
    func routeCheck() throws {
        let payload = try text(.routeCheck(.example))
        #expect(payload.hasPrefix(#"{"id":"c1","sequence":1,"type":"route-check","vehicle":"T42","time":"#))
        #expect(payload.contains(#""clearances":[{"id":"osm:way:4711","name":"#))
        #expect(payload.contains(#""lon":-83.7519,"distance":2350.0}]"#))
        #expect(
            payload.contains(
                #""line":{"type":"LineString","coordinates":[[-83.7489,42.2808],[-83.75,42.2812]]},"safe_line":null"#))
        let message = try encode(.routeCheck(.example))
        #expect(message.topic == "fleet/T42/alert")
        #expect(message.userProperties == [.init("type", "route-check")])
        #expect(!message.retain)
    }

    @Test("Each message goes out on its own leaf; only the state is retained")
    func delivery() throws {
        let alert = try encode(.alert(.example))
        #expect(alert.topic == "fleet/T42/alert")
        #expect(!alert.retain)
        #expect(
            alert.userProperties == [
                .init("type", "low-clearance"), .init("stage", "ahead"), .init("attention", "alarm"),
            ])
        let state = try encode(.state(.example))
        #expect(state.topic == "fleet/T42/state")
        #expect(state.retain)
        #expect(state.expirySeconds == 604_800)
        #expect(state.userProperties == [.init("type", "state")])
        let request = try encode(.request(.example))
        #expect(request.topic == "fleet/T42/request")
        #expect(!request.retain)
        #expect(request.expirySeconds == nil)
        #expect([alert, state, request].allSatisfy { $0.contentType == "application/json" })
    }

    @Test(
        "An alert expires when it says, in whole seconds, and never at 0",
        arguments: [(600_000, 600), (599_001, 600), (1, 1), (0, 1), (-5000, 1), (1 << 60, UInt32.max)])
    func expiry(milliseconds: Int64, seconds: UInt32) throws {
        var alert = AlertMessage.example
        alert.expiresAt = Timestamp(milliseconds: published.milliseconds + milliseconds)
        #expect(try encode(.alert(alert)).expirySeconds == seconds)
    }

    @Test("Output takes over the named levels of the vehicle's topic")
    func levels() throws {
        let pattern = try TopicPattern("acme/{region}/{v}")
        #expect(try encode(.alert(.example), pattern, levels: ["north"]).topic == "acme/north/T42/alert")
    }

    @Test("A vehicle that was heard under another pattern has no topic")
    func otherPattern() throws {
        let address = VehicleAddress(vehicle: try #require(VehicleID("T42")), levels: ["north"])
        let envelope = Envelope(address: address, message: .request(.example))
        #expect(WireEncoder().encode(envelope, publishedAt: published) == nil)
    }

    @Test("What is written can be read again, whatever stands in the texts")
    func roundTrip() throws {
        var alert = AlertMessage.example
        alert.text = "\"\\\u{1}\n🚚 é \u{2028}"
        alert.eta = .infinity
        let payload = try encode(.alert(alert)).payload
        try JSONParser().read(payload) { root in
            #expect(root["text"]?.string == alert.text)
            #expect(root["eta"] == nil)
            #expect(root["vehicle_height"]?.double == 4.12)
            #expect(root["clearance"]?["lat"]?.double == 42.2806)
            #expect(root["time"]?.string.flatMap(RFC3339.timestamp) == alert.time)
            let line = root["detour"]?["line"]?["coordinates"]?.elements?.map { $0.elements?.map(\.double) ?? [] }
            #expect(line == [[-83.7489, 42.2808], [-83.7501235, 42.2812]])
        }
    }

    @Test("The status message says which contract is kept")
    func status() throws {
        let topics = try GatewayTopics(clientID: "headroom")
        let online = StatusMessage(.online, version: "1.2.0").encoded(on: topics)
        #expect(online.topic == "headroom/status/headroom")
        #expect(online.retain)
        #expect(
            String(decoding: online.payload, as: UTF8.self) == #"{"status":"online","contract":1,"version":"1.2.0"}"#)
        let offline = StatusMessage(.offline, version: "1.2.0").encoded(on: topics)
        #expect(
            String(decoding: offline.payload, as: UTF8.self) == #"{"status":"offline","contract":1,"version":"1.2.0"}"#)
    }

    private static let alertText =
        #"{"id":"b1946ac92492d234","sequence":1,"type":"low-clearance","stage":"ahead","#
        + #""attention":"alarm","probability":0.816,"vehicle":"T42","#
        + #""time":"2026-11-21T14:03:22.500Z","published_at":"2026-11-21T14:03:23.000Z","#
        + #""expires_at":"2026-11-21T14:13:22.500Z","clearance":{"id":"osm:way:4711","#
        + #""name":"Ann Arbor Railroad over W Washington St","height":3.2,"posted":"10'6\"","source":"osm","#
        + #""verdict":"too-low","lat":42.2806,"lon":-83.7519},"vehicle_height":4.12,"margin":0.077,"#
        + #""height_source":"driver","distance":2350.0,"eta":141.0,"side_road":false,"detour":{"lat":42.2808,"#
        + #""lon":-83.7489,"distance":1609.3,"turn_onto":"S 1st St","length":820.0,"extra":410.0,"#
        + #""line":{"type":"LineString","coordinates":[[-83.7489,42.2808],[-83.7501235,42.2812]]}},"#
        + #""chain":["osm:way:4711"],"urgency":"Expected","severity":"Severe","certainty":"Likely","#
        + #""text":"Low bridge 10'6\" on W Washington St in 1.5 mi. Leave at S 1st St in 1.0 mi."}"#
}
