import Fleet
import Foundation
import Geo
import Messages
import Testing

/// Fences, visits, consent and quiet circles, over a real broker and with a real store.
struct FenceEndToEndTests {
    /// A gateway that waits a second for late fixes and two for who has left.
    private struct Scene {
        let scratch: Scratch
        let broker: BrokerProcess
        let gateway: GatewayProcess
        let listener: Listener

        init(files: [String: String] = [:], more: String = "") async throws {
            scratch = try Scratch()
            broker = try await BrokerProcess.started(scratch)
            for (name, content) in files { _ = try scratch.write(content, to: name) }
            gateway = try GatewayProcess(
                scratch, broker: broker.url, roads: nil,
                more: """
                    fixes: {reorder: 1 s, hysteresis_time: 2 s}
                    visits: {duration: 20 s}
                    \(more)
                    """)
            listener = try await broker.listener(["fleet/#", "headroom/fences/#"])
            try await gateway.start()
        }

        func upload(_ fixes: [Fix], of vehicle: String = "T42") async throws {
            try await broker.publish("fleet/\(vehicle)/location", "[" + fixes.map(\.json).joined(separator: ",") + "]")
        }

        /// `enter yard`, in the order in which they came; what a gateway that was killed says again, once.
        var events: [String] {
            var ids = Set<String>()
            return listener.heard("fleet/T42/event").compactMap { heard in
                guard let event = heard.object, let fence = event["fence"] as? [String: Any],
                    ids.insert(event["id"] as? String ?? "").inserted
                else { return nil }
                return "\(event["event"] as? String ?? "?") \(fence["id"] as? String ?? "?")"
            }
        }

        func until(_ events: [String]) async throws {
            try await eventually(
                within: .seconds(15),
                "events: \(listener.heard("fleet/T42/event").map(\.payload).joined(separator: "\n"))"
            ) { self.events == events }
        }

        func answer(_ id: String) -> String? { listener.heard("headroom/fences/\(id)/result").last?.payload }
    }

    private static let corner = Coordinate(latitude: 42.28, longitude: -83.75)

    private static func place(_ east: Metres, _ north: Metres) -> Coordinate {
        LocalPlane(latitude: corner.latitude).coordinate(Vector(east: east, north: north), from: corner)
    }

    /// A square of 400 m.
    private static func yard(_ id: String? = nil, _ properties: String = "{}") -> String {
        let ring = [(0.0, 0.0), (400, 0), (400, 400), (0, 400), (0, 0)].map { place($0.0, $0.1) }
            .map { "[\($0.longitude), \($0.latitude)]" }.joined(separator: ", ")
        let id = id.map { "\"id\": \"\($0)\", " } ?? ""
        return """
            {"type": "Feature", \(id)"geometry": {"type": "Polygon", "coordinates": [[\(ring)]]}, "properties": \(properties)}
            """
    }

    /// Eastwards through the middle of the yard at 10 m/s.
    private static func drive(from start: Metres, to end: Metres, at time: Timestamp) -> [Fix] {
        stride(from: 0, through: (end - start) / 10, by: 1).map { second in
            Fix(
                position: place(start + second * 10, 200), time: time.adding(second), accuracy: 5, speed: 10, course: 90
            )
        }
    }

    @Test(
        "A fence of a file and one of a topic: enter, dwell and exit, over a kill in the middle of the dwell",
        .timeLimit(.minutes(6)))
    func events() async throws {
        let scene = try await Scene(
            files: ["fences.geojson": Self.yard("from-file", #"{"dwell": 25}"#)], more: "fences: [fences.geojson]")
        try await scene.broker.publish("headroom/fences/from-topic", Self.yard(), retain: true)
        try await eventually(within: .seconds(5), "no answer") { scene.answer("from-topic") != nil }
        #expect(scene.answer("from-topic") == #"{"status":"monitoring"}"#)

        let start = Timestamp.now.adding(-120)
        try await scene.upload(Self.drive(from: -200, to: 200, at: start))
        let entered = ["enter from-file", "enter from-topic"]
        try await scene.until(entered)
        try await scene.gateway.stop(SIGKILL)
        try await scene.gateway.start()
        // Nothing more is sent: the dwell falls due by the vehicle's own time, 45 s after its first fix.
        try await scene.until(entered + ["dwell from-file"])
        try await scene.upload(Self.drive(from: 200, to: 700, at: start.adding(60)))
        try await scene.until(entered + ["dwell from-file", "exit from-file", "exit from-topic"])

        let exit = try #require(scene.listener.heard("fleet/T42/event").last?.object)
        #expect(exit["interpolated"] as? Bool == true && exit["state"] as? String == "outside")
        let metric = try await scene.gateway.metric("headroom_fence_events_total")
        #expect(metric["{event=\"exit\"}"] == 2)
        let state = try #require(scene.listener.heard("fleet/T42/state").last?.object)
        #expect((state["fences"] as? [Any])?.isEmpty == true)
        try await scene.gateway.stop()
    }

    @Test("A fence that cannot be used is answered with its reason, and the old one stays", .timeLimit(.minutes(6)))
    func failures() async throws {
        let scene = try await Scene()
        try await scene.broker.publish("headroom/fences/yard", Self.yard(), retain: true)
        try await eventually(within: .seconds(5), "no answer") { scene.answer("yard") != nil }
        func polygon(_ ring: String) -> String {
            #"{"type":"Feature","geometry":{"type":"Polygon","coordinates":[["# + ring + #"]]},"properties":{}}"#
        }
        func point(_ properties: String) -> String {
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[8,49]},"properties":{"# + properties + "}}"
        }
        let million = (0..<1_000_000).map { "[\($0 % 180),\($0 % 90)]" }.joined(separator: ",")
        for (payload, reason) in [
            (polygon("[0,0],[1,0],[1,1],[0,1]"), "again as the last"),
            (polygon("[0,0],[1,1],[1,0],[0,1],[0,0]"), "cross or touch"),
            (polygon(million), "expected at most 2097152 bytes"),
            (point(#""radius":0"#), "got 0.0 m"), (point(#""radius":-5"#), "got -5.0 m"),
            (point(#""radius":NaN"#), "not JSON"),
            (point(#""radius":50,"hours":{"zone":"Mars/Olympus","week":"24/7"}"#), "expected an IANA time zone"),
            (
                #"{"type":"Feature","geometry":{"type":"GeometryCollection"},"properties":{}}"#,
                "geometry.type: expected Point"
            ),
        ] {
            let answers = scene.listener.heard("headroom/fences/yard/result").count
            try await scene.broker.publish("headroom/fences/yard", payload)
            try await eventually(within: .seconds(10), "no answer to \(reason)") {
                scene.listener.heard("headroom/fences/yard/result").count > answers
            }
            let answer = try #require(scene.answer("yard"))
            #expect(answer.hasPrefix(#"{"status":"failed","reason":""#) && answer.contains(reason), "\(answer)")
        }
        try await scene.broker.publish("headroom/fences/yard/2", Self.yard())
        try await eventually(within: .seconds(10), "no answer to an id with a slash") {
            scene.answer("yard/2")?.contains("an id of one topic level") == true
        }
        #expect(try await scene.gateway.metric("headroom_rejected_total")["{reason=\"unreadable-fence\"}"] == 9)
        try await scene.upload(Self.drive(from: 200, to: 210, at: Timestamp.now.adding(-5)))
        try await scene.until(["determined yard"])
        try await scene.gateway.stop()
    }

    @Test("Nothing of a vehicle that does not consent is stored, logged or published", .timeLimit(.minutes(6)))
    func consent() async throws {
        let scene = try await Scene(more: "consent: {default: always}")
        try await scene.broker.publish("fleet/SILENT-9/consent", #"{"status": "denied"}"#, retain: true)
        try await scene.broker.publish("fleet/SILENT-9/profile", #"{"height": 4.0}"#, retain: true)
        try await scene.upload(Self.drive(from: 0, to: 300, at: Timestamp.now.adding(-40)), of: "SILENT-9")
        try await scene.broker.publish("fleet/SILENT-9/location", "no JSON")
        try await eventually(within: .seconds(10), "fixes are not counted") {
            try await scene.gateway.metric("headroom_rejected_total")["{reason=\"no-consent\"}"] == 31
        }
        try await scene.upload(Self.drive(from: 0, to: 300, at: Timestamp.now.adding(-35)))
        try await eventually(within: .seconds(10), "no state") { !scene.listener.heard("fleet/T42/state").isEmpty }
        #expect(try named("SILENT-9", in: scene).isEmpty)
        #expect(!(try named("T42", in: scene).isEmpty))

        // Consent comes, and what was kept meanwhile in memory holds; it goes, and everything goes with it.
        try await scene.broker.publish("fleet/SILENT-9/consent", #"{"status": "always"}"#, retain: true)
        try await eventually(within: .seconds(10), "no state") { self.height("SILENT-9", in: scene) == 4 }
        try await scene.broker.publish("fleet/SILENT-9/consent", #"{"status": "denied"}"#, retain: true)
        try await eventually(within: .seconds(10), "the state stands") {
            scene.listener.heard("fleet/SILENT-9/state").last?.payload == ""
        }
        try await scene.gateway.stop()
        // What a page split left behind goes with the next start.
        try await scene.gateway.start()
        #expect(try named("SILENT-9", in: scene).isEmpty)
        try await scene.upload(Self.drive(from: 0, to: 300, at: Timestamp.now.adding(-35)), of: "SILENT-9")
        try await eventually(within: .seconds(10), "the refusal did not outlive the restart") {
            try await scene.gateway.metric("headroom_rejected_total")["{reason=\"no-consent\"}"] == 31
        }
        try await scene.gateway.stop()
    }

    private func height(_ vehicle: String, in scene: Scene) -> Double? {
        let state = scene.listener.heard("fleet/\(vehicle)/state").last?.object
        return (state?["height"] as? [String: Any])?["value"] as? Double
    }

    /// Files of the store, and what was logged and measured, that hold a text.
    private func named(_ text: String, in scene: Scene) throws -> [String] {
        let files = ["gateway.sqlite", "gateway.sqlite-wal"].filter { name in
            FileManager.default.contents(atPath: scene.scratch.path(name))?.range(of: Data(text.utf8)) != nil
        }
        return files + (scene.gateway.errors.contains(text) ? ["log"] : [])
    }

    @Test("A stay is published, and headroom visits shows it beside the running gateway", .timeLimit(.minutes(6)))
    func visits() async throws {
        let scene = try await Scene()
        let start = Timestamp.now.adding(-300)
        let arrival = Self.drive(from: -1000, to: 0, at: start)
        let stay = (1...60).map { Fix(position: Self.place(0, 200), time: start.adding(100 + Double($0)), accuracy: 5) }
        try await scene.upload(arrival + stay + Self.drive(from: 0, to: 1000, at: start.adding(161)))
        try await eventually(within: .seconds(10), "visits: \(scene.listener.heard("fleet/T42/visit"))") {
            scene.listener.heard("fleet/T42/visit").count == 2
        }
        #expect(
            scene.listener.heard("fleet/T42/visit").compactMap { $0.object?["phase"] as? String } == [
                "arrived", "departed",
            ])
        let shown = try await run(
            Repository.program, ["visits", "--config", scene.gateway.configuration, "--format", "jsonl"], scene.scratch)
        #expect(shown.status == 0, "\(shown.errors)")
        #expect(shown.output.contains("\"T42\""))
        try await scene.gateway.stop()
    }

    private func kinds(_ topic: String, in scene: Scene) -> [String] {
        let regions = scene.listener.heard(topic).last?.object?["regions"] as? [[String: Any]]
        return regions?.compactMap { $0["kind"] as? String } ?? []
    }

    @Test("A vehicle of a tracking group is told its quiet circle, others are not", .timeLimit(.minutes(6)))
    func tracking() async throws {
        let scene = try await Scene(more: "tracking: {groups: [quiet], report_interval: 5 s}")
        try await scene.broker.publish("headroom/fences/yard", Self.yard(), retain: true)
        try await scene.broker.publish("fleet/T42/profile", #"{"height": 4.0, "groups": ["quiet"]}"#, retain: true)
        for vehicle in ["T42", "T43"] {
            try await scene.upload(Self.drive(from: -5000, to: -4900, at: Timestamp.now.adding(-10)), of: vehicle)
        }
        try await eventually(within: .seconds(10), "no circle") { !scene.listener.heard("fleet/T42/tracking").isEmpty }
        let tracking = try #require(scene.listener.heard("fleet/T42/tracking").first?.object)
        let quiet = try #require(tracking["quiet"] as? [String: Any])
        let radius = try #require(quiet["radius"] as? Double)
        #expect(radius > 4000 && radius < 5000)
        #expect(tracking["version"] as? Int == 1 && tracking["report_interval"] as? Double == 5)
        #expect(scene.listener.heard("fleet/T43/tracking").isEmpty)

        // Both are to watch the yard; the circle takes a place where there is one.
        for (vehicle, kinds) in [("T42", ["quiet", "fence"]), ("T43", ["fence"])] {
            try await eventually(within: .seconds(10), "no regions") {
                self.kinds("fleet/\(vehicle)/regions", in: scene).sorted() == kinds.sorted()
            }
        }
        try await scene.broker.publish(
            "fleet/T43/ack", #"{"regions": 1, "failed": [{"id": "yard", "reason": "too many"}]}"#)
        try await eventually(within: .seconds(10), "the state does not show what failed") {
            let regions = scene.listener.heard("fleet/T43/state").last?.object?["regions"] as? [String: Any]
            let failed = regions?["failed"] as? [[String: Any]]
            return failed?.first?["id"] as? String == "yard"
        }
        try await scene.gateway.stop()
    }
}
