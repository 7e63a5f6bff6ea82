import Fleet
import Foundation
import Geo
import Messages
import Store
import Testing

/// Presence, and positions where they are to be told and kept.
struct PrivacyEndToEndTests {
    @Test(
        "A truck whose connection breaks is offline by its will message, and its state says so", .timeLimit(.minutes(6))
    )
    func presence() async throws {
        let scene = try await DepotScene()
        func truck(_ vehicle: String) async throws -> Listener {
            try await scene.broker.publish(scene.topic(vehicle, "presence"), "online", retain: true)
            return try await scene.broker.client(will: "offline", on: scene.topic(vehicle, "presence"))
        }
        let device = try await truck("T42")
        try await eventually(within: .seconds(5), "not online") {
            scene.state("T42")?["presence"] as? String == "online"
        }
        try await device.kill()
        try await eventually(within: .seconds(5), "not offline") {
            scene.state("T42")?["presence"] as? String == "offline"
        }
        // Retained, so that a gateway that was away learns of it, too.
        try await scene.gateway.stop()
        let next = try await truck("T42")
        try await next.kill()
        try await scene.broker.publish(scene.topic("T43", "presence"), #"{"status": "online"}"#)
        try await scene.gateway.start()
        try await eventually(within: .seconds(5), "T43 is not online") {
            scene.state("T43")?["presence"] as? String == "online"
        }
        #expect(scene.state("T42")?["presence"] as? String == "offline")
        try await scene.broker.publish(scene.topic("T42", "presence"), "", retain: true)
        try await eventually(within: .seconds(5), "what was taken back still holds") {
            scene.state("T42")?["presence"] is NSNull
        }

        // Of one that does not consent it is neither told nor kept.
        try await scene.broker.publish(scene.topic("SILENT-9", "consent"), #"{"status": "denied"}"#, retain: true)
        let silent = try await truck("SILENT-9")
        try await silent.kill()
        try await scene.broker.publish(scene.topic("T43", "presence"), "offline")
        try await eventually(within: .seconds(5), "T43 is not offline") {
            scene.state("T43")?["presence"] as? String == "offline"
        }
        #expect(scene.state("SILENT-9") == nil && scene.files(with: "SILENT-9") == [])
        try await scene.gateway.stop()
    }

    @Test(
        "A truck whose driver consents after a restart is judged by the height that was retained before",
        .timeLimit(.minutes(6)))
    func consentAfterRestart() async throws {
        let scene = try await DepotScene()
        func publish(_ topicSuffix: String, _ payload: String) async throws {
            try await scene.broker.publish(scene.topic("TALL-42", topicSuffix), payload, retain: true)
        }
        // 300 m ahead of the last fix; the assumed height passes below it.
        let bridge = DepotScene.place(390, 200)
        try await scene.broker.publish(
            "headroom/clearances/bridge",
            #"{"type": "Feature", "geometry": {"type": "Point", "coordinates": "#
                + "[\(bridge.longitude), \(bridge.latitude)]}, "
                + #""properties": {"clearance": 4.2, "name": "Bridge"}}"#, retain: true)
        try await publish("consent", #"{"status": "denied"}"#)
        try await publish("profile", #"{"height": 4.2, "source": "driver"}"#)
        try await publish("presence", "online")
        // What comes after these is handled after them.
        try await scene.broker.publish(scene.topic("T43", "presence"), "online", retain: true)
        try await eventually(within: .seconds(5), "T43 is not online") {
            scene.state("T43")?["presence"] as? String == "online"
        }
        #expect(scene.state("TALL-42") == nil && scene.files(with: "TALL-42") == [])
        try await scene.gateway.stop()
        try await scene.gateway.start()
        let connected = scene.gateway.errors.split(separator: "\n").last { $0.contains("Connected to") }
        #expect(connected?.contains("resumed") == true)

        try await publish("consent", #"{"status": "always"}"#)
        try await scene.upload(DepotScene.drive(), of: "TALL-42")
        func alert() -> [String: Any]? { scene.listener.heard(scene.topic("TALL-42", "alert")).first?.object }
        try await eventually(within: .seconds(15), "no alert: \(scene.gateway.errors.suffix(800))") { alert() != nil }
        #expect(alert()?["vehicle_height"] as? Double == 4.2 && alert()?["height_source"] as? String == "driver")
        #expect(scene.state("TALL-42")?["presence"] as? String == "online")
        try await scene.gateway.stop()
    }

    @Test(
        "Positions are told and kept where that is wanted, go with consent, and with the wish", .timeLimit(.minutes(6)))
    func positions() async throws {
        let wanted = "privacy: {state_position: true, keep_positions: 1 d}"
        let scene = try await DepotScene(more: wanted)
        try await scene.enter("T42", "T43")
        let fix = try #require(DepotScene.drive().last)
        let state = try #require(scene.state("T42"))
        #expect(abs((state["lat"] as? Double ?? 0) - fix.position.latitude) < 1e-6)
        #expect(abs((state["lon"] as? Double ?? 0) - fix.position.longitude) < 1e-6)
        let reader = try StoreReader(path: scene.store)
        func track(_ vehicle: String) throws -> [Fix] {
            try reader.track(of: try #require(VehicleID(vehicle)), limit: 100).fixes
        }
        #expect(try track("T42").count == 20)
        #expect(try track("T42").last?.position.distance(to: fix.position) ?? 99 < 0.05)
        #expect(try track("T42").last?.speed == 10)

        try await scene.broker.publish(scene.topic("T42", "consent"), #"{"status": "denied"}"#, retain: true)
        try await eventually(within: .seconds(5), "its track is kept") { try track("T42").isEmpty }
        #expect(try track("T43").count == 20)

        // Not wanted any more: nothing is told or kept of a truck that says nothing either.
        try await scene.gateway.stop()
        let text = try String(contentsOfFile: scene.gateway.configuration, encoding: .utf8)
        _ = try scene.scratch.write(text.replacing(wanted, with: ""), to: "gateway.yaml")
        try await scene.gateway.start()
        try await eventually(within: .seconds(5), "the place is still told") {
            let state = scene.state("T43")
            return state != nil && state?["lat"] == nil && state?["last_fix"] is String
        }
        try await eventually(within: .seconds(5), "the track is still kept") { try track("T43").isEmpty }
        try await scene.gateway.stop()
    }
}
