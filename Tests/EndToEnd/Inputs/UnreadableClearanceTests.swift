import Evaluation
import Fleet
import Foundation
import Geo
import Messages
import Testing

/// A clearance that cannot be used is answered with its reason, and changes nothing.
struct UnreadableClearanceEndToEndTests {
    @Test("A clearance that cannot be used is answered with its reason, and the old one stays", .timeLimit(.minutes(6)))
    func badClearances() async throws {
        let scene = try await DispatchScene()
        let place: [String: Any] = ["lat": 42.2806, "lon": -83.7519]
        for (id, payload, answer) in [
            (
                "a", try DispatchScene.clearance("0", at: place),
                #"{"status":"failed","reason":"properties.clearance: expected 1-10 m, as 3.2, \"3.2 m\" or \"10'6\\\"\", got 0"}"#
            ),
            ("b", "{", #"{"status":"failed","reason":"expected a GeoJSON Feature, got text that is not JSON"}"#),
            (
                "c",
                #"{"type":"Feature","id":"d","geometry":{"type":"Point","coordinates":[8,49]},"properties":{"clearance":3}}"#,
                #"{"status":"failed","reason":"id: expected the topic's id \"c\" or none, got \"d\""}"#
            ),
            (
                "e", try DispatchScene.clearance("3", at: ["lat": 10.0, "lon": 10.0]),
                #"{"status":"monitoring","note":"no road found (none is near enough): judged by straight line"}"#
            ),
        ] {
            try await scene.broker.publish("headroom/clearances/\(id)", payload)
            let expected = "headroom/clearances/\(id)/result \(answer)"
            try await eventually(within: .seconds(5), "\(scene.results)") { scene.results.last == expected }
        }
        #expect(try await scene.gateway.metric("headroom_rejected_total") == ["{reason=\"unreadable-clearance\"}": 3])
        try await scene.gateway.stop()
    }

    @Test(
        "A clearance that cannot be read changes nothing: the map's stays in force, and so does the former entry over a restart",
        .timeLimit(.minutes(6)))
    func unreadableClearances() async throws {
        let id = "osm:way:1003"
        let place: [String: Any] = ["lat": 42.280597, "lon": -83.751891]
        let file = try DispatchScene.clearance("abc", at: place, id: id)
        let scene = try await DispatchScene(clearances: DispatchScene.collection(file))
        #expect(scene.gateway.errors.contains(#"clearance that cannot be read: expected 1-10 m"#))
        try await scene.standBeforeTheBridge()
        try await scene.until(["ahead"])
        let topic = "headroom/clearances/\(id)"
        let failed = { (got: String) in
            #"\#(topic)/result {"status":"failed","reason":"properties.clearance: expected 1-10 m, as 3.2, \"3.2 m\" or \"10'6\\\"\", got \#(got)"}"#
        }
        for posted in ["10'6'", "abc", "~3.2"] {
            try await scene.broker.publish(topic, try DispatchScene.clearance(posted, at: place), retain: true)
            try await eventually(within: .seconds(5), "\(scene.results)") {
                scene.results.last == failed(#"\"\#(posted)\""#)
            }
        }
        try await scene.broker.publish(topic, try DispatchScene.clearance(#"10' 6 1/2\""#, at: place), retain: true)
        try await eventually(within: .seconds(5), "\(scene.results)") {
            scene.results.last == #"\#(topic)/result {"status":"monitoring","was":3.2}"#
        }
        try await scene.broker.publish(topic, try DispatchScene.clearance("320", at: place), retain: true)
        try await eventually(within: .seconds(5), "\(scene.results)") { scene.results.last == failed("320") }
        #expect(scene.stages == ["ahead"])

        // A session of another name is sent what the broker has retained: the bad one.
        try await scene.gateway.stop()
        let next = try GatewayProcess(
            scene.scratch, broker: scene.broker.url, roads: scene.scratch.path("ann-arbor.roads"), name: "next",
            store: "gateway.sqlite")
        let before = scene.results.count
        try await next.start()
        try await eventually(within: .seconds(5), "\(scene.results)") { scene.results.count > before }
        #expect(scene.results.last == failed("320"))
        let client = ConsoleClient(gateway: next, scratch: scene.scratch)
        let inForce = try await client.get("/clearances/\(id)").object
        #expect(inForce["height"] as? Double == 3.21 && inForce["origin"] as? String == "topic", "\(inForce)")
        let answer = try await client.put("/clearances/\(id)", try DispatchScene.clearance("3.3 m", at: place))
        #expect(answer.status == 200 && answer.object["was"] as? Double == 3.21, "\(answer)")
        #expect(scene.stages == ["ahead"])
        try await next.stop()
    }
}
