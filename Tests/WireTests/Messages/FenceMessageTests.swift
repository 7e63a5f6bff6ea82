import Fleet
import Geo
import Messages
import MQTT
import Testing

@testable import Wire

@Suite("Fence events, visits, regions and tracking as bytes")
struct FenceMessageTests {
    private static let time = Timestamp(milliseconds: 1_795_269_802_500)
    private static let place = Coordinate(latitude: 42.28, longitude: -83.75)

    private func encode(_ message: Message) throws -> Publication {
        let envelope = Envelope(address: VehicleAddress(vehicle: try #require(VehicleID("T42"))), message: message)
        return try #require(WireEncoder().encode(envelope, publishedAt: Self.time.adding(0.5)))
    }

    private func text(_ message: Message) throws -> String {
        String(decoding: try encode(message).payload, as: UTF8.self)
    }

    private static let heads =
        #""vehicle":"T42","time":"2026-11-21T14:03:22.500Z","published_at":"2026-11-21T14:03:23.000Z","#

    @Test("A fence event has the contract's members in the contract's order")
    func event() throws {
        let event = FenceEventMessage(
            id: "e1", event: .enter, state: .inside, fence: "depot-7", fenceName: "Depot 7", time: Self.time,
            position: Coordinate(latitude: 42.280_597_12, longitude: -83.75), crossedAt: Self.time.adding(-2.25),
            isInterpolated: true, isThrough: true)
        #expect(
            try text(.event(event))
                == #"{"id":"e1","sequence":1,"type":"fence","event":"enter","state":"inside","# + Self.heads
                + #""fence":{"id":"depot-7","name":"Depot 7"},"lat":42.2805971,"lon":-83.75,"#
                + #""crossed_at":"2026-11-21T14:03:20.250Z","interpolated":true,"through":true}"#)
    }

    @Test("An exit that takes a dwell back says so, and no other event has that member")
    func retracted() throws {
        var exit = FenceEventMessage(
            id: "e1", event: .exit, state: .outside, fence: "depot-7", fenceName: nil, time: Self.time,
            position: Self.place, crossedAt: Self.time)
        #expect(try !text(.event(exit)).contains("dwell_retracted"))
        exit.isDwellRetracted = true
        #expect(try text(.event(exit)).hasSuffix(#""through":false,"dwell_retracted":true}"#))
    }

    @Test(
        "Each event and side has its word, and a fence without a name has null for it",
        arguments: zip(FenceEventMessage.Event.allCases, ["determined", "enter", "exit", "dwell"]))
    func events(event: FenceEventMessage.Event, word: String) throws {
        let message = FenceEventMessage(
            id: "e1", event: event, state: .outside, fence: "depot-7", fenceName: nil, time: Self.time,
            position: Self.place, crossedAt: Self.time)
        let text = try text(.event(message))
        #expect(text.contains("\"event\":\"\(word)\",\"state\":\"outside\""))
        #expect(text.contains(#""fence":{"id":"depot-7","name":null},"lat":42.28,"lon":-83.75,"#))
        #expect(text.hasSuffix(#""interpolated":false,"through":false}"#))
        #expect(try encode(.event(message)).userProperties == [.init("type", "fence"), .init("event", word)])
    }

    @Test("A visit has every member; an altitude only where it is known")
    func visit() throws {
        var visit = VisitMessage(
            id: "v1", sequence: 2, phase: .departed, time: Self.time, arrival: Self.time.adding(-3600),
            departure: Self.time, firstSeen: Self.time.adding(-3600), lastSeen: Self.time, position: Self.place,
            accuracy: 12.34, altitude: 256,
            fences: ["depot-7", "yard \"B\""])
        let begin = #"{"id":"v1","sequence":2,"type":"visit","phase":"departed","confirmed":true,"# + Self.heads
        let stay =
            #""arrival":"2026-11-21T13:03:22.500Z","departure":"2026-11-21T14:03:22.500Z","#
            + #""first_seen":"2026-11-21T13:03:22.500Z","last_seen":"2026-11-21T14:03:22.500Z","#
        #expect(
            try text(.visit(visit)) == begin + stay
                + #""lat":42.28,"lon":-83.75,"accuracy":12.3,"altitude":256.0,"fences":["depot-7","yard \"B\""]}"#)
        visit.altitude = nil
        visit.fences = []
        #expect(
            try text(.visit(visit)) == begin + stay + #""lat":42.28,"lon":-83.75,"accuracy":12.3,"fences":[]}"#)
    }

    @Test("An end of a visit that is not known is null")
    func openVisit() throws {
        let visit = VisitMessage(
            id: "v1", sequence: 1, phase: .arrived, isConfirmed: false, time: Self.time, arrival: nil, departure: nil,
            firstSeen: Self.time.adding(-300), lastSeen: Self.time, position: Self.place, accuracy: 5)
        #expect(try text(.visit(visit)).contains(#""phase":"arrived","confirmed":false,"#))
        #expect(
            try text(.visit(visit)).contains(
                #""arrival":null,"departure":null,"first_seen":"2026-11-21T13:58:22.500Z","#))
        #expect(try encode(.visit(visit)).userProperties == [.init("type", "visit"), .init("phase", "arrived")])
    }

    @Test("Regions stand in their order, with what came and what went")
    func regions() throws {
        let regions = RegionsMessage(
            id: "g1", version: 7, time: Self.time, limit: 20,
            regions: [
                Region(id: "depot-7", circle: Circle(center: Self.place, radius: 200), kind: .fence),
                Region(id: "osm:way:4711", circle: Circle(center: Self.place, radius: 100), kind: .clearance),
                Region(id: "quiet", circle: Circle(center: Self.place, radius: 2345.67), kind: .quiet),
            ], added: ["quiet"], removed: ["a", "b"])
        #expect(
            try text(.regions(regions)) == #"{"id":"g1","sequence":1,"type":"regions","# + Self.heads
                + #""version":7,"limit":20,"regions":["#
                + #"{"id":"depot-7","lat":42.28,"lon":-83.75,"radius":200.0,"kind":"fence"},"#
                + #"{"id":"osm:way:4711","lat":42.28,"lon":-83.75,"radius":100.0,"kind":"clearance"},"#
                + #"{"id":"quiet","lat":42.28,"lon":-83.75,"radius":2345.7,"kind":"quiet"}],"#
                + #""added":["quiet"],"removed":["a","b"]}"#)
        let empty = RegionsMessage(
            id: "g2", version: 8, time: Self.time, limit: 20, regions: [], added: [], removed: [])
        #expect(try text(.regions(empty)).hasSuffix(#""version":8,"limit":20,"regions":[],"added":[],"removed":[]}"#))
    }

    @Test("Tracking has the quiet circle, or null where there is none")
    func tracking() throws {
        var tracking = TrackingMessage(
            id: "t1", version: 3, time: Self.time, quiet: Circle(center: Self.place, radius: 1500), reportInterval: 10,
            validUntil: Self.time.adding(600))
        let begin = #"{"id":"t1","sequence":1,"type":"tracking","# + Self.heads + #""version":3,"quiet":"#
        let end = #","report_interval":10.0,"valid_until":"2026-11-21T14:13:22.500Z"}"#
        #expect(try text(.tracking(tracking)) == begin + #"{"lat":42.28,"lon":-83.75,"radius":1500.0}"# + end)
        tracking.quiet = nil
        #expect(try text(.tracking(tracking)) == begin + "null" + end)
    }

    @Test("Events and visits are told once; regions and tracking are retained for a week")
    func delivery() throws {
        let event = FenceEventMessage(
            id: "e1", event: .exit, state: .outside, fence: "a", fenceName: nil, time: Self.time, position: Self.place,
            crossedAt: Self.time)
        let visit = VisitMessage(
            id: "v1", sequence: 1, phase: .arrived, time: Self.time, arrival: nil, departure: nil,
            firstSeen: Self.time.adding(-300), lastSeen: Self.time, position: Self.place, accuracy: 5)
        let regions = RegionsMessage(
            id: "g", version: 1, time: Self.time, limit: 20, regions: [], added: [], removed: [])
        let tracking = TrackingMessage(
            id: "t", version: 1, time: Self.time, quiet: nil, reportInterval: 10, validUntil: Self.time)
        for (message, topicSuffix, isRetained) in [
            (Message.event(event), "event", false), (.visit(visit), "visit", false),
            (.regions(regions), "regions", true),
            (.tracking(tracking), "tracking", true),
        ] {
            let outbound = try encode(message)
            #expect(outbound.topic == "fleet/T42/\(topicSuffix)")
            #expect(outbound.retain == isRetained)
            #expect(outbound.expirySeconds == (isRetained ? 604_800 : nil))
        }
        #expect(try encode(.regions(regions)).userProperties == [.init("type", "regions")])
        #expect(try encode(.tracking(tracking)).userProperties == [.init("type", "tracking")])
    }
}
