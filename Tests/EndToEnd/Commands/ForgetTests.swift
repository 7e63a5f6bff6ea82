import Fleet
import Foundation
import Messages
import Store
import Testing

/// `headroom forget`: nothing is left of one vehicle, with and without the gateway, and all of the others.
struct ForgetEndToEndTests {
    private static let vehicle = "SECRET-9"

    /// Two vehicles of which everything is kept that can be.
    private func scene(prefix: String = "fleet", more: String = "") async throws -> DepotScene {
        let scene = try await DepotScene(prefix: prefix, more: "privacy: {keep_positions: 1 d}\n\(more)")
        for vehicle in [Self.vehicle, "T7"] {
            for (topicSuffix, payload) in [
                ("profile", #"{"height": 4.0}"#), ("route", #"{"waypoints": [[-83.7545, 42.2807]]}"#),
                ("presence", "online"), ("consent", #"{"status": "always"}"#),
            ] {
                try await scene.broker.publish(scene.topic(vehicle, topicSuffix), payload, retain: true)
            }
        }
        try await scene.enter(Self.vehicle, "T7")
        return scene
    }

    private func members(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    private func expectGone(_ scene: DepotScene) async throws {
        #expect(scene.files(with: Self.vehicle) == [])
        #expect(try await scene.retained(Self.vehicle) == [scene.topic(Self.vehicle, "consent")])
    }

    private func expectUntouched(_ vehicle: String, _ scene: DepotScene) async throws {
        let reader = try StoreReader(path: scene.store)
        let id = try #require(VehicleID(vehicle))
        let held = try reader.storedData(of: id) { $0.hasSuffix("/\(vehicle)/route") }
        #expect(held.state != nil && held.history >= 1 && held.positions == 20)
        #expect(held.inputs == [scene.topic(vehicle, "route")])
        let topicSuffixes = ["consent", "presence", "profile", "regions", "route", "state"]
        #expect(try await scene.retained(vehicle) == topicSuffixes.map { scene.topic(vehicle, $0) })
    }

    // MARK: The gateway runs

    @Test(
        "A running gateway forgets one vehicle and keeps the others; a new fix begins a new state",
        .timeLimit(.minutes(6)))
    func running() async throws {
        let scene = try await scene()
        let looked = try await scene.headroom("forget", "--dry-run", Self.vehicle)
        #expect(looked.status == 0 && looked.output.contains("20 positions"), "\(looked)")
        #expect(looked.output.contains("visits, responses to alerts and blind times"), "\(looked)")
        #expect(!scene.files(with: Self.vehicle).isEmpty)

        let forgotten = try await scene.headroom("forget", "--format", "json", Self.vehicle)
        #expect(forgotten.status == 0, "\(forgotten.errors)")
        let report = try members(forgotten.output)
        #expect(report["by"] as? String == "gateway" && report["problems"] as? [String] == [])
        let stored = try #require(report["stored"] as? [String: Any])
        #expect(stored["state"] as? Bool == true && stored["positions"] as? Int == 20 && stored["inputs"] as? Int == 4)
        #expect((report["retained"] as? [String])?.count == 5)

        try await eventually(within: .seconds(5), "still in \(scene.files(with: Self.vehicle))") {
            scene.files(with: Self.vehicle).isEmpty
        }
        try await expectGone(scene)
        try await expectUntouched("T7", scene)
        // Nothing falls due for it, and the emptied topics have not brought it back.
        try await Task.sleep(for: .seconds(2))
        #expect(try await scene.gateway.metric("headroom_vehicles")[""] == 1)
        #expect(try await scene.gateway.metric("headroom_rejected_total") == [:])

        let before = scene.listener.heard.count
        try await scene.enter(Self.vehicle)
        let after = scene.listener.heard.dropFirst(before)
        let states = after.filter { $0.topic == scene.topic(Self.vehicle, "state") }.compactMap(\.object)
        #expect(states.first { $0["sequence"] != nil }?["sequence"] as? Int == 1)
        #expect((states.last?["height"] as? [String: Any])?["status"] as? String == "assumed")
        let events = after.filter { $0.topic == scene.topic(Self.vehicle, "event") }.compactMap(\.object)
        #expect(events.compactMap { $0["event"] as? String } == ["enter"])
        try await scene.gateway.stop()
    }

    @Test(
        "Asked again, the gateway knows nothing; asked wrongly, it says why and forgets nobody", .timeLimit(.minutes(6))
    )
    func answers() async throws {
        let scene = try await scene()
        let results = try await scene.broker.listener(["headroom/forget/+/result"])
        #expect(try await scene.headroom("forget", Self.vehicle).status == 0)
        let again = try await scene.headroom("forget", Self.vehicle)
        #expect(again.status == 0 && again.output.contains("Nothing is stored about SECRET-9."), "\(again)")
        for (payload, answer) in [
            ("[]", #"{"status":"failed","reason":"wrong-type","request":null}"#),
            (#"{"request": "b2"}"#, #"{"status":"unknown","request":"b2"}"#),
        ] {
            try await scene.broker.publish("headroom/forget/NOBODY", payload)
            try await eventually(within: .seconds(5), "\(results.heard.map(\.payload))") {
                results.heard("headroom/forget/NOBODY/result").last?.payload == answer
            }
        }
        // One that is retained would come again with each new session.
        try await scene.broker.publish("headroom/forget/T7", #"{"request": "c3"}"#, retain: true)
        try await eventually(within: .seconds(5), "not forgotten") { scene.state("T7") == nil }
        try await scene.broker.publish("headroom/forget/T7", "", retain: true)
        #expect(try await scene.gateway.metric("headroom_rejected_total") == ["{reason=\"wrong-type\"}": 1])
        try await scene.gateway.stop()
    }

    @Test(
        "Under a pattern of several levels the topics of all levels it was heard on are emptied",
        .timeLimit(.minutes(6)))
    func levels() async throws {
        let scene = try await scene(prefix: "acme/north", more: #"fleet: {topic: "acme/{region}/{v}"}"#)
        let listener = try await scene.broker.listener(["acme/south/#"])
        // Where it was last: however soon this comes, it has not driven too fast.
        let south = try #require(DepotScene.drive(age: 0).last)
        try await scene.broker.publish("acme/south/SECRET-9/location", south.json)
        // Its state is published again because its height is another.
        try await scene.broker.publish("acme/south/SECRET-9/profile", #"{"height": 3.9}"#, retain: true)
        try await eventually(within: .seconds(10), "no state in the south") {
            !listener.heard("acme/south/SECRET-9/state").isEmpty
        }
        let forgotten = try await scene.headroom("forget", Self.vehicle)
        #expect(forgotten.status == 0, "\(forgotten.errors)")
        let left = try await scene.broker.listener(["acme/+/SECRET-9/+"])
        #expect(left.heard.map(\.topic) == ["acme/north/SECRET-9/consent"])
        try await eventually(within: .seconds(5), "still in \(scene.files(with: Self.vehicle))") {
            scene.files(with: Self.vehicle).isEmpty
        }
        try await expectUntouched("T7", scene)
        try await scene.gateway.stop()
    }

    @Test(
        "After another fleet.topic nothing of it is left on the topics of before, and of the others what they retain",
        .timeLimit(.minutes(6)), arguments: [true, false])
    func formerTopics(isRunning: Bool) async throws {
        let scene = try await scene()
        try await scene.gateway.stop()
        let settings = try String(contentsOfFile: scene.gateway.configuration, encoding: .utf8)
        try "\(settings)\nfleet: {topic: \"acme/{region}/{v}\"}\n"
            .write(toFile: scene.gateway.configuration, atomically: true, encoding: .utf8)
        let kept = ["consent", "presence", "profile", "route"].map { scene.topic("T7", $0) }
        if isRunning {
            try await scene.gateway.start()
            #expect(scene.gateway.errors.contains("8 retained inputs are kept of topics that are no longer in use"))
            try await eventually(within: .seconds(10), "not emptied") { try await scene.retained("T7") == kept }
        }
        let forgotten = try await scene.headroom("forget", Self.vehicle)
        #expect(forgotten.status == 0, "\(forgotten.errors)")
        try await eventually(within: .seconds(5), "still in \(scene.files(with: Self.vehicle))") {
            scene.files(with: Self.vehicle).isEmpty
        }
        try await expectGone(scene)
        #expect(try await scene.retained("T7").filter(kept.contains) == kept)
        if isRunning { try await scene.gateway.stop() }
    }

    // MARK: No gateway runs

    @Test(
        "Without a gateway the command forgets by itself, and the gateway that starts then knows nothing",
        .timeLimit(.minutes(6)))
    func stopped() async throws {
        let scene = try await scene()
        try await scene.gateway.stop()
        let forgotten = try await scene.headroom("forget", Self.vehicle)
        #expect(forgotten.status == 0, "\(forgotten.errors)")
        #expect(forgotten.output.contains("SECRET-9 is forgotten.") && forgotten.output.contains("20 positions"))
        try await expectGone(scene)
        try await expectUntouched("T7", scene)
        try await scene.gateway.start()
        #expect(try await scene.gateway.metric("headroom_vehicles")[""] == 1)
        try await scene.gateway.stop()
        let again = try await scene.headroom("forget", Self.vehicle)
        #expect(again.status == 0 && again.output.contains("Nothing is stored"), "\(again)")
    }

    @Test(
        "Where the broker cannot be reached that is said, and made good when the command is run again",
        .timeLimit(.minutes(6)))
    func noBroker() async throws {
        let scene = try await scene()
        // While the gateway has the store, nothing can be removed without it.
        kill(try #require(scene.broker.pid), SIGSTOP)
        let refused = try await scene.headroom("forget", "--timeout", "1 s", Self.vehicle)
        #expect(refused.status == 1 && !refused.errors.isEmpty, "\(refused)")
        kill(try #require(scene.broker.pid), SIGCONT)
        try await expectUntouched(Self.vehicle, scene)

        try await scene.gateway.stop()
        kill(try #require(scene.broker.pid), SIGSTOP)
        let half = try await scene.headroom("forget", "--timeout", "1 s", Self.vehicle)
        #expect(half.status == 1 && half.errors.contains("run this again"), "\(half)")
        #expect(scene.files(with: Self.vehicle) == [])
        kill(try #require(scene.broker.pid), SIGCONT)
        #expect(try await scene.retained(Self.vehicle).count == 6)
        #expect(try await scene.headroom("forget", Self.vehicle).status == 0)
        try await expectGone(scene)
    }

    @Test("A vehicle's refusal outlives its being forgotten", .timeLimit(.minutes(6)), arguments: [true, false])
    func refusal(isRunning: Bool) async throws {
        let scene = try await scene()
        try await scene.broker.publish(
            scene.topic(Self.vehicle, "consent"), #"{"status": "when-in-use", "in_use": false}"#, retain: true)
        try await eventually(within: .seconds(5), "not withheld") {
            scene.state(Self.vehicle)?["consent"] as? String == "when-in-use"
        }
        if !isRunning { try await scene.gateway.stop() }
        #expect(try await scene.headroom("forget", Self.vehicle).status == 0)
        if isRunning { try await scene.gateway.stop() }
        try await scene.gateway.start()
        try await scene.upload(DepotScene.drive(5), of: Self.vehicle)
        try await eventually(within: .seconds(5), "its fixes are used") {
            try await scene.gateway.metric("headroom_rejected_total")["{reason=\"no-consent\"}"] == 5
        }
        #expect(scene.files(with: Self.vehicle) == [])
        try await scene.gateway.stop()
    }

    @Test("What was asked for wrongly ends with 2 and makes no store")
    func usage() async throws {
        let scratch = try Scratch()
        let config = try scratch.write("store: none.sqlite\n", to: "headroom.yaml")
        for vehicle in ["a/b", "#", String(repeating: "a", count: 65), "T42"] {
            let result = try await run(Repository.program, ["forget", "--config", config, vehicle], scratch)
            #expect(result.status == 2, "\(vehicle): \(result.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: scratch.path("none.sqlite")))
    }
}
