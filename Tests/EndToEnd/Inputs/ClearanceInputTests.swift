import Evaluation
import Fleet
import Foundation
import Geo
import Messages
import Testing

/// A clearance that dispatch enters while trucks drive is in force at once, and until it is taken back.
struct ClearanceInputEndToEndTests {
    @Test(
        "A clearance is in force within a second of its message, for open alerts too, and so is its end",
        .timeLimit(.minutes(6)))
    func clearances() async throws {
        let scene = try await DispatchScene()
        try await scene.standBeforeTheBridge()
        try await scene.until(["ahead"])
        let place = try #require(scene.alerts()[0].object?["clearance"] as? [String: Any])
        let id = try #require(place["id"] as? String)
        let topic = "headroom/clearances/\(id)"

        for (payload, stages) in [
            (try DispatchScene.clearance("15'", at: place), ["ahead", "cleared"]), ("", ["ahead", "cleared", "ahead"]),
        ] {
            let sent = Date().timeIntervalSince1970
            try await scene.broker.publish(topic, payload, retain: true)
            try await scene.until(stages)
            let heard = try #require(scene.alerts().last)
            #expect(heard.arrival - sent < 1, "it took \(heard.arrival - sent) s")
        }
        #expect(scene.alerts()[1].object?["reason"] as? String == "clearance-changed")
        #expect(scene.results == [#"\#(topic)/result {"status":"monitoring","was":3.2}"#])
        try await scene.gateway.stop()
    }

    @Test(
        "Clearances outlive a restart and a broker that has lost them; an empty payload removes them",
        .timeLimit(.minutes(6)))
    func kept() async throws {
        let scene = try await DispatchScene()
        try await scene.standBeforeTheBridge()
        try await scene.until(["ahead"])
        let place = try #require(scene.alerts()[0].object?["clearance"] as? [String: Any])
        let topic = "headroom/clearances/\(try #require(place["id"] as? String))"
        try await scene.broker.publish(topic, try DispatchScene.clearance("15'", at: place), retain: true)
        try await scene.until(["ahead", "cleared"])

        // The session is resumed: the broker does not send the clearance again, and it holds all the same.
        try await scene.gateway.stop()
        try await scene.gateway.start()
        try await scene.standBeforeTheBridge()
        try await Task.sleep(for: .seconds(2))
        #expect(scene.stages == ["ahead", "cleared"])
        #expect(scene.results.count == 1)

        // A broker without persistence forgets session and retained messages.
        try await scene.broker.stop()
        try await scene.broker.start()
        try await scene.gateway.becomeReady(within: .seconds(30))
        try await scene.broker.publish("fleet/T42/profile", DemoTruck.profile, retain: true)
        try await scene.standBeforeTheBridge()
        try await Task.sleep(for: .seconds(2))
        #expect(try await scene.gateway.metric("headroom_alerts_total").isEmpty)
        // It, and the height.
        #expect(try await scene.gateway.metric("headroom_retained_republished_total")[""] == 2)
        try await scene.broker.publish(topic, "", retain: true)
        try await eventually(within: .seconds(10), "the bridge is low again, and nobody is told") {
            try await scene.gateway.metric("headroom_alerts_total")["{stage=\"ahead\"}"] == 1
        }
        try await scene.gateway.stop()
    }
}
