import Fleet
import Foundation
import Geo
import Messages
import Testing

/// The AsyncAPI document that a gateway serves, beside what is really published.
struct DescriptionEndToEndTests {
    private static let validate = Repository.root.appending(path: "deploy/examples/validate").path()

    /// What `validate` makes of messages: how many there were of each kind, and what was wrong.
    private struct Verdict {
        var status: Int32?
        var counts: [String: Int]
        var problems: String
    }

    private func validate(
        _ messages: [(topic: String, payload: String)], options: [String] = ["--closed"], document: String? = nil,
        _ scratch: Scratch
    ) async throws -> Verdict {
        let lines = try messages.map { message in
            let record = ["topic": message.topic, "payload": message.payload]
            return String(decoding: try JSONSerialization.data(withJSONObject: record), as: UTF8.self)
        }
        let file = try scratch.write(lines.joined(separator: "\n"), to: "messages.jsonl")
        let command = ([Self.validate] + options + (document.map { [$0] } ?? [])).joined(separator: " ")
        let ended = try await run("/bin/sh", ["-c", "exec \(command) < \(file)"], scratch)
        let counts = ended.output.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1) }
        return Verdict(
            status: ended.status,
            counts: Dictionary(uniqueKeysWithValues: counts.map { (String($0[1]), Int($0[0]) ?? 0) }),
            problems: ended.errors)
    }

    // MARK: Out

    /// A gateway whose stays, borders and late fixes take seconds, and trucks that make it say all it can.
    private struct Scene {
        static let kinds: Set = [
            "alert", "routeCheck", "event", "visit", "state", "regions", "tracking", "handling", "request", "result",
            "status",
            "withdrawal", "forgetResult",
        ]

        let broker: BrokerProcess
        let gateway: GatewayProcess
        let listener: Listener
        let client: ConsoleClient

        init(_ scratch: Scratch) async throws {
            broker = try await BrokerProcess.started(scratch)
            gateway = try GatewayProcess(
                scratch, broker: broker.url, roads: try await demoRoads(scratch),
                more: """
                    fixes: {reorder: 1 s, hysteresis_time: 2 s}
                    privacy: {state_position: true}
                    visits: {duration: 20 s}
                    tracking: {groups: [quiet]}
                    """)
            // All that the gateway publishes, and nothing that it is told.
            listener = try await broker.listener(
                ["alert", "event", "visit", "state", "regions", "tracking", "handling", "request"].map {
                    "fleet/+/\($0)"
                }
                    + ["headroom/+/+/result", "headroom/status/+"])
            client = ConsoleClient(gateway: gateway, scratch: scratch)
            try await gateway.start()
        }

        func has(_ topic: String, _ members: [String: String] = [:]) -> Bool {
            listener.heard(topic).contains { heard in
                members.allSatisfy { heard.object?[$0.key] as? String == $0.value }
            }
        }

        func until(_ topic: String, _ members: [String: String] = [:]) async throws {
            try await eventually(within: .seconds(20), "no \(members) on \(topic)") { has(topic, members) }
        }
    }

    /// Round the start of the demo's trip.
    private static let yard = #"""
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [-83.7290, 42.2803]},
         "properties": {"name": "Yard", "radius": 300, "dwell": 10}}
        """#

    /// The tall truck with a route: every stage to the end, and the fences it drives through.
    private func driveOn(_ scene: Scene) async throws {
        try await scene.broker.publish("fleet/T42/profile", DemoTruck.profile, retain: true)
        let truck = try RushingTruck(scene.broker, scene.gateway)
        try await truck.report()
        try await truck.drive(for: 2)
        try await scene.broker.publish("fleet/T42/route", #"{"waypoints": [[-83.7545, 42.2807]]}"#, retain: true)
        try await scene.until("fleet/T42/alert", ["type": "route-check"])
        try await truck.drive()
        for stage in DemoTruck.stages { try await scene.until("fleet/T42/alert", ["stage": stage]) }
        try await scene.until("fleet/T42/event", ["event": "determined", "state": "inside"])
    }

    /// A truck that is told, and then says that it is low.
    private func shrink(_ scene: Scene) async throws {
        try await scene.broker.publish("fleet/T43/profile", DemoTruck.profile, retain: true)
        let truck = try RushingTruck(scene.broker, scene.gateway, vehicle: "T43")
        try await truck.report()
        try await truck.drive { scene.has("fleet/T43/alert", ["stage": "ahead"]) }
        try await scene.until("fleet/T43/alert", ["stage": "ahead"])
        let alert = try #require(scene.listener.heard("fleet/T43/alert").last?.object?["id"] as? String)
        let body = #"{"status": "taken", "by": "Desk 1", "note": "Called"}"#
        #expect(try await scene.client.put("/alerts/\(alert)/handling", body).status == 200)
        try await scene.until("fleet/T43/handling", ["type": "handling"])
        try await scene.broker.publish("fleet/T43/profile", #"{"height": 2}"#, retain: true)
        try await scene.until("fleet/T43/alert", ["stage": "cleared"])
        // They follow once the hazards of the whole map are known for the lower height.
        try await eventually(within: .seconds(10), "the regions still hold low bridges") {
            scene.listener.heard("fleet/T43/regions").last?.payload.contains(#""kind":"clearance""#) == false
        }
        let regions = try #require(scene.listener.heard("fleet/T43/regions").last?.object?["version"] as? Int)
        try await scene.broker.publish("fleet/T43/ack", #"{"regions": \#(regions), "failed": [{"id": "yard"}]}"#)
        try await eventually(within: .seconds(10), "the state does not tell what failed") {
            scene.listener.heard("fleet/T43/state").last?.payload.contains(#""failed":[{"id":"yard""#) ?? false
        }
    }

    /// A van of a tracking group that comes, stays for a minute and goes, is asked for its height, and withdraws consent.
    private func stay(_ scene: Scene) async throws {
        try await scene.broker.publish("fleet/V1/profile", #"{"groups": ["quiet"]}"#, retain: true)
        let start = Timestamp.now.adding(-200)
        let plane = LocalPlane(latitude: 42.2803)
        let places: [Metres] =
            stride(from: -900, to: 0, by: 15) + Array(repeating: 0, count: 60) + stride(from: 0, to: 1000, by: 15)
        let fixes = places.enumerated().map { second, east in
            let place = plane.coordinate(
                Vector(east: east, north: 0), from: Coordinate(latitude: 42.2803, longitude: -83.7290))
            return Fix(position: place, time: start.adding(Double(second)), accuracy: 5, altitude: 250)
        }
        for fix in fixes { try await scene.broker.publish("fleet/V1/location", fix.json) }
        for phase in ["arrived", "departed"] { try await scene.until("fleet/V1/visit", ["phase": phase]) }
        for event in ["enter", "dwell", "exit"] {
            try await scene.until("fleet/V1/event", ["event": event])
        }
        try await scene.until("fleet/V1/request", ["kind": "height-required"])
        try await scene.until("fleet/V1/tracking")
        try await scene.broker.publish("fleet/V1/consent", #"{"status": "denied"}"#, retain: true)
        try await eventually(within: .seconds(10), "the state stands") {
            scene.listener.heard("fleet/V1/state").last?.payload == ""
        }
        try await scene.broker.publish("headroom/forget/V1", #"{"request": "end-to-end"}"#)
        try await scene.until("headroom/forget/V1/result", ["request": "end-to-end"])
    }

    @Test(
        "Every kind of message that a gateway publishes is as its document has it, in every member",
        .timeLimit(.minutes(6)))
    func published() async throws {
        let scratch = try Scratch()
        let scene = try await Scene(scratch)
        try await scene.broker.publish("headroom/fences/yard", Self.yard, retain: true)
        try await scene.broker.publish("headroom/fences/bad", "{}", retain: true)
        try await scene.broker.publish(
            "headroom/clearances/far",
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[8,49]},"properties":{"clearance":3}}"#)
        try await scene.until("headroom/fences/bad/result", ["status": "failed"])
        try await scene.until("headroom/clearances/far/result", ["status": "monitoring"])
        try await driveOn(scene)
        try await shrink(scene)
        try await stay(scene)
        let served = try await scene.gateway.get("/api/v1/asyncapi.json")
        #expect(served.status == 200)
        let document = try scratch.write(served.body, to: "asyncapi.json")
        try await scene.gateway.stop()
        try await scene.until("headroom/status/gateway", ["status": "offline"])

        let messages = scene.listener.heard.map { (topic: $0.topic, payload: $0.payload) }
        let verdict = try await validate(messages, document: document, scratch)
        #expect(verdict.status == 0, "\(verdict.problems)")
        #expect(Set(verdict.counts.keys) == Scene.kinds, "\(verdict.counts)")
        let judged = verdict.counts.values.reduce(0, +)
        #expect(judged == messages.count)
    }

    @Test("A member that the document does not have is found, and so is one that is missing or of another type")
    func strange() async throws {
        let scratch = try Scratch()
        let status = "headroom/status/headroom"
        for (payload, problem) in [
            (#"{"status":"online","contract":1,"version":"1","mood":"good"}"#, "'mood' was unexpected"),
            (#"{"status":"online","contract":1}"#, "'version' is a required property"),
            (#"{"status":"online","contract":"1","version":"1"}"#, "contract: "),
        ] {
            let verdict = try await validate([(status, payload)], scratch)
            #expect(verdict.status == 1 && verdict.problems.contains(problem), "\(verdict)")
        }
        // Whoever reads messages ignores what he does not know.
        let open = try await validate(
            [(status, #"{"status":"online","contract":1,"version":"1","mood":"good"}"#)], options: [], scratch)
        #expect(open.status == 0 && open.counts == ["status": 1])
    }

    // MARK: In

    @Test("What README, articles and the document itself show as input is as the document has it")
    func examples() async throws {
        let scratch = try Scratch()
        let examples = try await validate([], options: ["--closed", "--examples"], scratch)
        #expect(examples.status == 0 && examples.counts["fence"] == 1, "\(examples)")
        let documents = try DocumentationEndToEndTests.files.map { try DocumentationEndToEndTests.text($0) }.joined()
        // mosquitto_pub -t TOPIC … -m 'PAYLOAD', with a quote in it written as '\''.
        let command = #/mosquitto_pub [^\n']*-t (?<topic>\S+) [^\n']*-m '(?<payload>(?:[^']|'\\'')*)'/#
        let messages = documents.matches(of: command).map { match in
            (topic: String(match.topic), payload: String(match.payload).replacing("'\\''", with: "'"))
        }
        let verdict = try await validate(messages, scratch)
        #expect(verdict.status == 0, "\(verdict.problems)")
        #expect(
            Set(verdict.counts.keys) == ["profile", "location", "route", "clearance", "fence"], "\(verdict.counts)")
    }

    private static let inputs: [(topic: String, payload: String)] = [
        ("fleet/T42/location", #"{"lat": 1, "lon": 2, "accuracy": null}"#),
        (
            "fleet/T42/location",
            #"[{"lat": 1, "lon": 2, "time": \#(Int(Timestamp.now.secondsSince1970) - 60)}, {"lat": 1, "lon": 2, "trigger": "exit"}]"#
        ),
        ("fleet/T42/profile", #"{"parts": {"trailer": "13 ft 6 in", "load": null}, "valid_for": 3600}"#),
        ("fleet/T42/profile", ""), ("fleet/T42/route", ""), ("headroom/fences/yard", ""),
        ("fleet/T42/consent", #"{"status": "denied"}"#),
        ("fleet/T42/presence", "online"), ("fleet/T42/presence", "\"offline\"\n"),
        ("fleet/T42/route", #"{"type": "LineString", "coordinates": [[8, 49], [8.1, 49.1, 120]]}"#),
        (
            "fleet/T42/route",
            #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"LineString","coordinates":[[8,49],[9,49]]},"properties":null}]}"#
        ),
        ("fleet/T42/ack", #"{"request": "r1"}"#), ("fleet/T42/ack", #"{"alert": "a", "sequence": 2}"#),
        (
            "headroom/fences/way",
            #"{"type":"Feature","geometry":{"type":"LineString","coordinates":[[8,49],[9,49]]},"properties":{"width":"100 ft"}}"#
        ),
        (
            "headroom/fences/yard",
            #"{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]},"properties":null}"#
        ),
        (
            "headroom/clearances/7",
            #"{"type":"Feature","id":7,"geometry":{"type":"Point","coordinates":[8,49]},"properties":{"clearance":3.2,"passage":"under"}}"#
        ),
    ]

    private static let badInputs: [(topic: String, payload: String)] = [
        ("fleet/T42/location", #"{"lat": 91, "lon": -83.75}"#), ("fleet/T42/location", #"{"lon": -83.75}"#),
        ("fleet/T42/location", #"{"lat": "42.28", "lon": -83.75}"#), ("fleet/T42/location", "[]"),
        ("fleet/T42/profile", #"{"height": 8}"#), ("fleet/T42/profile", #"{"units": "feet"}"#),
        ("fleet/T42/consent", #"{"in_use": true}"#), ("fleet/T42/presence", "here"),
        ("fleet/T42/route", #"{"waypoints": []}"#), ("fleet/T42/ack", #"{"alert": "a"}"#),
        ("headroom/fences/f", #"{"type":"Feature","geometry":{"type":"Point","coordinates":[8,49]},"properties":{}}"#),
        ("headroom/fences/f", #"{"type":"Feature","geometry":{"type":"Point","coordinates":[8,49]}}"#),
        (
            "headroom/clearances/c",
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[8,49]},"properties":{}}"#
        ),
    ]

    @Test("What the gateway takes fits the document, and what it rejects does not", .timeLimit(.minutes(6)))
    func inputs() async throws {
        let scratch = try Scratch()
        let good = try await validate(Self.inputs, scratch)
        #expect(good.status == 0, "\(good.problems)")
        for message in Self.badInputs {
            let bad = try await validate([message], options: [], scratch)
            #expect(bad.status == 1, "\(message)")
        }
        // The gateway is of the same opinion about both.
        let broker = try await BrokerProcess.started(scratch)
        let gateway = try GatewayProcess(scratch, broker: broker.url, roads: nil)
        try await gateway.start()
        for message in Self.inputs { try await broker.publish(message.topic, message.payload) }
        for message in Self.badInputs { try await broker.publish(message.topic, message.payload) }
        let bad = Double(Self.badInputs.count)
        try await eventually(within: .seconds(10), "rejections are missing") {
            try await gateway.metric("headroom_rejected_total").values.reduce(0, +) >= bad
        }
        let rejected = try await gateway.metric("headroom_rejected_total")
        #expect(rejected.values.reduce(0, +) == bad, "\(rejected)")
        try await gateway.stop()
    }
}
