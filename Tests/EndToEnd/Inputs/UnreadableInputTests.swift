import Fleet
import Foundation
import Messages
import Testing

/// What a truck says and nobody can understand takes the safe value, and the truck is told why; over a real broker.
struct UnreadableInputEndToEndTests {
    private func requests(_ scene: DepotScene, _ vehicle: String) -> [(kind: String, text: String)] {
        scene.listener.heard(scene.topic(vehicle, "request")).compactMap { heard in
            guard let kind = heard.object?["kind"] as? String, let text = heard.object?["text"] as? String else {
                return nil
            }
            return (kind, text)
        }
    }

    private func dropped(_ scene: DepotScene) async throws -> Double {
        try await scene.gateway.metric("headroom_rejected_total")[#"{reason="no-consent"}"#] ?? 0
    }

    @Test(
        "A consent that cannot be read counts as denied, over a restart too, until a valid one comes",
        .timeLimit(.minutes(6)))
    func consent() async throws {
        let scene = try await DepotScene()
        try await scene.enter("T42")
        for (vehicle, payload) in [("T42", #"{"status": "revoked"}"#), ("SILENT-9", "no JSON")] {
            try await scene.broker.publish(scene.topic(vehicle, "consent"), payload, retain: true)
            try await eventually(within: .seconds(5), "\(vehicle) is told nothing") {
                requests(scene, vehicle).map(\.kind) == ["consent-required"]
            }
        }
        #expect(requests(scene, "T42")[0].text.contains(#"got "revoked""#))
        #expect(requests(scene, "T42")[0].text.contains("always, when-in-use, not-determined, denied or restricted"))
        try await eventually(within: .seconds(5), "its state is retained") {
            try await scene.retained("T42") == [scene.topic("T42", "consent")]
        }
        for (vehicle, payload) in [("SILENT-8", #"{"status": "DENIED"}"#), ("T43", #"{"status": "Always"}"#)] {
            try await scene.broker.publish(scene.topic(vehicle, "consent"), payload, retain: true)
        }
        let silent = ["T42", "SILENT-8", "SILENT-9"]
        for vehicle in silent { try await scene.upload(DepotScene.drive(), of: vehicle) }
        try await scene.enter("T43")
        #expect(try await dropped(scene) == 60)
        #expect(requests(scene, "SILENT-8").isEmpty && requests(scene, "SILENT-9").count == 1)

        try await scene.gateway.stop()
        #expect(!scene.gateway.errors.contains("SILENT"))
        try await scene.gateway.start()
        for vehicle in silent { try await scene.upload(DepotScene.drive(), of: vehicle) }
        try await eventually(within: .seconds(5), "positions are used") { try await dropped(scene) == 60 }
        #expect(scene.files(with: "SILENT") == [] && !scene.gateway.errors.contains("SILENT"))
        #expect(try await !scene.gateway.get("/metrics").body.contains("SILENT"))

        try await scene.broker.publish(scene.topic("T42", "consent"), #"{"status": "Always"}"#, retain: true)
        try await scene.enter("T42")
        try await scene.gateway.stop()
    }

    @Test(
        "A clearance of a file that cannot be read does not take the place of the road file's",
        arguments: ["abc", "3.9;~3"])
    func files(posted: String) async throws {
        let scratch = try Scratch()
        func feature(_ clearance: String) -> String {
            """
            {"type": "Feature", "id": "nbi:1", "geometry": {"type": "Point", "coordinates": [-83.751891, 42.280597]},
             "properties": {"clearance": "\(clearance)", "source": "nbi"}}
            """
        }
        let (known, unreadable) = (
            try scratch.write(feature("3.1"), to: "known.geojson"),
            try scratch.write(feature(posted), to: "extra.geojson")
        )
        let roads = scratch.path("demo.roads")
        let build = try await run(
            Repository.program, ["roads", "build", Repository.demoMap, "--clearances", known, "-o", roads], scratch)
        #expect(build.status == 0, "\(build.errors)")
        let configuration = try scratch.write("roads: [\(roads)]\nclearances: [\(unreadable)]\n", to: "replay.yaml")
        let fixes = Array(try DemoTruck().drive(from: Timestamp(milliseconds: 1_795_269_600_000), noise: 0))
        let trace = try scratch.write(Recording.jsonLines(fixes), to: "T42.jsonl")
        let replay = try await run(
            Repository.program, ["replay", "--config", configuration, "--height", "3.15", trace], scratch)
        #expect(replay.errors.contains("nbi:1: \"\(posted)\" cannot be read; what the road file says stays"))
        #expect(replay.output.contains(#""stage":"ahead""#) && replay.output.contains(#""id":"nbi:1""#))
    }

    @Test(
        "A height that cannot be used is answered with what is wrong and what holds; the last good one stays",
        .timeLimit(.minutes(6)))
    func heights() async throws {
        let scene = try await DepotScene()
        func height() -> [String: Any]? { scene.state("T42")?["height"] as? [String: Any] }
        try await scene.broker.publish(scene.topic("T42", "profile"), #"{"height": 0}"#, retain: true)
        try await eventually(within: .seconds(5), "\(requests(scene, "T42"))") {
            requests(scene, "T42").map(\.kind) == ["height-required"] && height()?["status"] as? String == "assumed"
        }
        try await scene.broker.publish(
            scene.topic("T42", "profile"), #"{"height": "13'9\"", "source": "driver"}"#, retain: true)
        try await eventually(within: .seconds(5), "\(String(describing: height()))") {
            height()?["value"] as? Double == 4.2
        }
        for payload in [#"{"height": 20}"#, #"{"height": NaN}"#, #"{"height": 20}"#, "tall"] {
            try await scene.broker.publish(scene.topic("T42", "profile"), payload, retain: true)
        }
        try await eventually(within: .seconds(5), "\(requests(scene, "T42"))") { requests(scene, "T42").count >= 4 }
        let told = requests(scene, "T42")
        #expect(told.dropFirst().map(\.kind) == ["height-stale", "height-stale", "height-stale"])
        #expect(told[1].text.contains("got 20") && told.allSatisfy { $0.text.contains("In force") }, "\(told)")
        #expect(told.dropFirst().allSatisfy { $0.text.contains("13'9\" (driver)") }, "\(told)")
        #expect(height()?["value"] as? Double == 4.2 && height()?["status"] as? String == "ok")

        // The session is resumed, and the last good height is the one that is kept.
        try await scene.gateway.stop()
        try await scene.gateway.start()
        try await scene.enter("T42")
        #expect(height()?["value"] as? Double == 4.2 && height()?["source"] as? String == "driver")
        try await scene.gateway.stop()
    }
}
