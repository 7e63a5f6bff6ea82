import Fleet
import Messages
import MQTT
import Testing

@testable import Wire

@Suite("The topics of what dispatch keeps")
struct CatalogueTopicsTests {
    private let topics: GatewayTopics

    init() throws { topics = try GatewayTopics(prefix: "acme/headroom", clientID: "north") }

    @Test(
        "A clearance's id is the level behind its topic; results and other topics are none",
        arguments: [
            ("acme/headroom/clearances/survey-12", "survey-12"),
            ("acme/headroom/clearances/osm:way:4711", "osm:way:4711"),
            ("acme/headroom/clearances/\u{308}a", "\u{308}a"),
            ("acme/headroom/clearances/", nil), ("acme/headroom/clearances/a/result", nil),
            ("headroom/clearances/a", nil), ("acme/headroom/fences/a", nil),
        ])
    func clearances(topic: String, id: String?) {
        var found: String?
        if case .clearance(let id) = topics.inbound(topic) { found = id }
        #expect(found == id)
        #expect(topics.clearanceFilter == "acme/headroom/clearances/+")
    }

    @Test(
        "A fence's id is the level behind its topic; results and other topics are none",
        arguments: [
            ("acme/headroom/fences/depot-7", "depot-7"), ("acme/headroom/fences/Höfe: Nord, 2", "Höfe: Nord, 2"),
            ("acme/headroom/fences/", nil), ("acme/headroom/fences", nil), ("acme/headroom/fences/a/result", nil),
            ("acme/headroom/fences/a/", nil), ("headroom/fences/a", nil), ("x/acme/headroom/fences/a", nil),
            ("acme/headroom/clearances/a", nil), ("acme/headroom/fencesa", nil),
            ("acme/headroom/fences/\u{308}a", "\u{308}a"), ("acme/headroom/fences/a/\u{308}b", nil),
        ])
    func fences(topic: String, id: String?) {
        var found: String?
        if case .fence(let id) = topics.inbound(topic) { found = id }
        #expect(found == id)
        #expect(topics.fenceFilter == "acme/headroom/fences/+")
        let result = Registration(.fence, id: "depot-7", .monitoring(note: nil)).encoded(on: topics)
        #expect(result.topic == "acme/headroom/fences/depot-7/result")
    }

    @Test("An id with a slash is answered with what is wrong; the gateway's own results are not")
    func misnamed() {
        #expect(topics.misnamedFilters == ["acme/headroom/fences/+/+", "acme/headroom/clearances/+/+"])
        guard case .misnamed(let answer) = topics.inbound("acme/headroom/fences/depot/7") else {
            Issue.record("not answered")
            return
        }
        #expect(answer.outcome == .failed(reason: #"expected an id of one topic level, got "depot/7""#))
        #expect(answer.encoded(on: topics).topic == "acme/headroom/fences/depot/7/result")
        for topic in ["fences/a/result", "clearances/a/result", "fences/a/b/result"] {
            #expect(topics.inbound("acme/headroom/" + topic) == .result)
        }
        #expect(topics.inbound("acme/headroom/fences/a") == .fence(id: "a"))
        for topic in ["status/a/b", "fences/a/b/c"] { #expect(topics.inbound("acme/headroom/" + topic) == nil) }
    }

    @Test("An entry's outcome goes out beside it: in force, in force with a note, or failed with its reason")
    func results() throws {
        func payload(_ outcome: Registration.Outcome) -> String {
            String(decoding: Registration(.clearance, id: "a", outcome).encoded(on: topics).payload, as: UTF8.self)
        }
        #expect(payload(.monitoring(note: nil)) == #"{"status":"monitoring"}"#)
        #expect(payload(.monitoring(note: "far")) == #"{"status":"monitoring","note":"far"}"#)
        #expect(payload(.monitoring(note: nil, was: 320)) == #"{"status":"monitoring","was":3.2}"#)
        #expect(payload(.failed(reason: "no Point")) == #"{"status":"failed","reason":"no Point"}"#)
        let odd = Registration(.fence, id: "a", .monitoring(note: nil), unknown: ["colour", "dwel (dwell?)"])
        #expect(
            String(decoding: odd.encoded(on: topics).payload, as: UTF8.self)
                == #"{"status":"monitoring","unknown":["colour","dwel (dwell?)"]}"#)
        let message = Registration(.clearance, id: "a", .monitoring(note: nil)).encoded(on: topics)
        #expect(message.topic == "acme/headroom/clearances/a/result")
        #expect(!message.retain)
    }
}
