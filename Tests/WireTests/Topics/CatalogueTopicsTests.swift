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
            ("acme/headroom/clearances/", nil), ("acme/headroom/clearances/a/result", nil),
            ("headroom/clearances/a", nil), ("acme/headroom/fences/a", nil),
        ])
    func clearances(topic: String, id: String?) {
        #expect(topics.clearanceID(topic) == id)
        #expect(topics.clearanceFilter == "acme/headroom/clearances/+")
    }

    @Test(
        "A fence's id is the level behind its topic; results and other topics are none",
        arguments: [
            ("acme/headroom/fences/depot-7", "depot-7"), ("acme/headroom/fences/Höfe: Nord, 2", "Höfe: Nord, 2"),
            ("acme/headroom/fences/", nil), ("acme/headroom/fences", nil), ("acme/headroom/fences/a/result", nil),
            ("acme/headroom/fences/a/", nil), ("headroom/fences/a", nil), ("x/acme/headroom/fences/a", nil),
            ("acme/headroom/clearances/a", nil), ("acme/headroom/fencesa", nil),
        ])
    func fences(topic: String, id: String?) {
        #expect(topics.fenceID(topic) == id)
        #expect(topics.fenceFilter == "acme/headroom/fences/+")
        let result = Registration(.fence, id: "depot-7", .monitoring(note: nil)).encoded(on: topics)
        #expect(result.topic == "acme/headroom/fences/depot-7/result")
    }

    @Test("An id with a slash is answered with what is wrong; the gateway's own results are not")
    func misnamed() {
        #expect(topics.misnamedFilters == ["acme/headroom/fences/+/+", "acme/headroom/clearances/+/+"])
        let answer = topics.misnamed("acme/headroom/fences/depot/7")
        #expect(answer?.outcome == .failed(reason: #"id "depot/7" has a slash; one topic level would be right"#))
        #expect(answer?.encoded(on: topics).topic == "acme/headroom/fences/depot/7/result")
        for topic in ["fences/a/result", "clearances/a/result", "fences/a", "status/a/b", "fences/a/b/c"] {
            #expect(topics.misnamed("acme/headroom/" + topic) == nil)
        }
        #expect(topics.isResult("acme/headroom/fences/a/result") && !topics.isResult("acme/headroom/fences/a"))
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
