import Fleet
import Foundation
import Geo
import Messages
import Testing

/// A broker that has lost what it retained: killed before it wrote that down.
struct LostRetainedEndToEndTests {
    private static let fence = #"""
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [-83.7290, 42.2803]}, "properties": {"radius": 200}}
        """#
    private static let clearance = #"""
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [-83.7290, 42.2803]},
         "properties": {"clearance": "12'6\"", "name": "Survey"}}
        """#

    /// What dispatch and the demo's truck have retained, by topic.
    private static let inputs = [
        "fleet/T42/consent": #"{"status": "always"}"#, "fleet/T42/presence": "online",
        "fleet/T42/profile": DemoTruck.profile, "fleet/T42/route": #"{"waypoints": [[-83.7200, 42.2800]]}"#,
        "fleet/T43/profile": #"{"height": 3.9}"#, "headroom/clearances/survey": clearance.replacing("\n", with: ""),
        "headroom/fences/depot": fence.replacing("\n", with: ""),
    ]

    private func retained(_ broker: BrokerProcess) async throws -> [String: String] {
        let filters = ["consent", "presence", "profile", "route"].map { "fleet/+/\($0)" }
        let listener = try await broker.listener(filters + ["headroom/fences/+", "headroom/clearances/+"])
        return listener.heard.reduce(into: [:]) { $0[$1.topic] = $1.payload }
    }

    /// - Parameter count: of messages since the gateway's start.
    private func untilRepublished(_ count: Int, by gateway: GatewayProcess) async throws {
        try await eventually(within: .seconds(10), "not published again: \(gateway.errors.suffix(800))") {
            try await gateway.metric("headroom_retained_republished_total")[""] == Double(count)
        }
        try await eventually(within: .seconds(5), "still missing") {
            try await gateway.metric("headroom_retained_missing").isEmpty
        }
    }

    @Test(
        "Nothing of it is lost: it stays in force, is published again as it came, and alerts and events go on",
        .timeLimit(.minutes(6)), arguments: ["5", "3.1.1"])
    func forgetful(version: String) async throws {
        let scratch = try Scratch()
        let broker = try await BrokerProcess.started(scratch)
        let gateway = try GatewayProcess(
            scratch, broker: broker.url, access: ["protocol: \(version)"], roads: try await demoRoads(scratch),
            more: "fixes: {reorder: 1 s, hysteresis_time: 2 s}")
        try await gateway.start()
        for (topic, payload) in Self.inputs { try await broker.publish(topic, payload, retain: true) }
        let before = try await broker.listener(["fleet/T42/state"])
        try await eventually(within: .seconds(10), "the height is not known: \(before.heard)") {
            let height = before.heard.last?.object?["height"] as? [String: Any]
            return height?["source"] as? String == "driver"
        }
        #expect(try await retained(broker) == Self.inputs)

        try await broker.stop(SIGKILL)
        try await eventually(within: .seconds(10), "not noticed") { try await gateway.get("/readyz").status == 503 }
        try await broker.start()
        let listener = try await broker.listener(["fleet/T42/+", "headroom/+/+/result"])
        try await gateway.becomeReady(within: .seconds(20))
        try await untilRepublished(Self.inputs.count, by: gateway)
        #expect(try await retained(broker) == Self.inputs)
        let lines = gateway.errors.split(separator: "\n").filter { $0.contains("has lost") }
        #expect(lines.count == 1 && lines[0].contains("lost 7 retained messages"), "\(lines)")
        #expect(lines.first?.contains("2 of profile") == true && lines.first?.contains("T42") == false, "\(lines)")
        let status = try await gateway.get("/api/v1/status").body
        #expect(status.contains(#""retained_missing":0"#) && status.contains(#""retained_republished":7"#), "\(status)")

        let truck = try RushingTruck(broker, gateway)
        try await truck.report()
        try await truck.drive()
        let told = { listener.heard("fleet/T42/alert").compactMap(\.alert) }
        try await eventually(within: .seconds(20), "told: \(told().map(\.stage))") {
            told().map(\.stage).contains("stop")
        }
        let fix = Fix(position: Coordinate(latitude: 42.2803, longitude: -83.7290), time: .now, accuracy: 5)
        try await broker.publish("fleet/T43/location", fix.json)
        let events = try await broker.listener(["fleet/T43/event"])
        try await eventually(within: .seconds(10), "no event of the fence") {
            try await gateway.metric("headroom_fence_events_total").isEmpty == false
        }
        _ = events
        // What was in force all the time is answered by nothing.
        #expect(listener.heard.filter { $0.topic.hasSuffix("/result") }.map(\.topic) == [])

        // Only an empty payload removes.
        try await broker.publish("headroom/fences/depot", "", retain: true)
        try await broker.publish("fleet/T42/route", "", retain: true)
        try await eventually(within: .seconds(5), "the fence is still there") {
            try await !gateway.get("/api/v1/fences").body.contains("depot")
        }
        try await broker.stop(SIGKILL)
        try await broker.start()
        try await gateway.becomeReady(within: .seconds(20))
        try await untilRepublished(12, by: gateway)
        let left = Self.inputs.filter { !["headroom/fences/depot", "fleet/T42/route"].contains($0.key) }
        #expect(try await retained(broker) == left)
        try await gateway.stop()
    }

    @Test(
        "Where a broker restarts with an earlier state and the session, what it lost or has older is published again",
        .timeLimit(.minutes(6)))
    func earlierState() async throws {
        let scratch = try Scratch()
        let port = try LoopbackPort.free()
        let broker = try BrokerProcess(
            scratch, port: port,
            configuration: """
                listener \(port) 127.0.0.1
                allow_anonymous true
                user root
                persistence true
                persistence_location \(scratch.directory.path())/
                """)
        try await broker.start()
        let gateway = try GatewayProcess(scratch, broker: broker.url, roads: nil)
        try await gateway.start()
        try await broker.publish("fleet/T42/profile", #"{"height": 3.2}"#, retain: true)
        try await eventually(within: .seconds(10), "not taken in") {
            try await gateway.get("/api/v1/vehicles/T42").body.contains("3.2")
        }
        // A clean end is what is written down; what follows is lost with the kill.
        try await broker.stop()
        try await broker.start()
        try await gateway.becomeReady(within: .seconds(20))
        for (topic, payload) in Self.inputs { try await broker.publish(topic, payload, retain: true) }
        try await eventually(within: .seconds(10), "not taken in") {
            try await gateway.get("/api/v1/vehicles/T42").body.contains("4.12")
        }
        // The mark that says so follows within two seconds.
        let marks = try await broker.listener(["retained", "retained-2"].map { "headroom/probe/gateway/\($0)" })
        let first = marks.heard.count
        try await broker.publish("fleet/T43/profile", Self.inputs["fleet/T43/profile"] ?? "", retain: true)
        try await eventually(within: .seconds(5), "no mark: \(marks.heard)") { marks.heard.count > first }
        // The gateway stands still until it has been seen that the broker has the earlier state.
        gateway.send(SIGSTOP)
        try await broker.stop(SIGKILL)
        try await broker.start()
        #expect(try await retained(broker)["fleet/T42/profile"] == #"{"height": 3.2}"#)
        gateway.send(SIGCONT)
        try await gateway.becomeReady(within: .seconds(20))
        try await untilRepublished(Self.inputs.count, by: gateway)
        #expect(try await retained(broker) == Self.inputs)
        #expect(gateway.errors.contains("restored from an earlier state"))
        #expect(gateway.errors.split(separator: "\n").last { $0.contains("Connected to") }?.contains("resumed") == true)
        #expect(try await gateway.get("/api/v1/vehicles/T42").body.contains("4.12"))
        try await gateway.stop()
    }

    @Test("A newer entry that the broker has is not overwritten by a new session", .timeLimit(.minutes(6)))
    func newer() async throws {
        let scratch = try Scratch()
        let broker = try await BrokerProcess.started(scratch)
        let first = try GatewayProcess(scratch, broker: broker.url, roads: nil, name: "first", store: "both.sqlite")
        try await first.start()
        for (topic, payload) in Self.inputs { try await broker.publish(topic, payload, retain: true) }
        try await eventually(within: .seconds(10), "not taken in") {
            try await first.get("/api/v1/fences").body.contains("depot")
        }
        try await first.stop()
        let newer = Self.inputs.merging(["fleet/T42/profile": #"{"height": 4.3}"#]) { $1 }
        try await broker.publish("fleet/T42/profile", #"{"height": 4.3}"#, retain: true)
        try await broker.publish("fleet/T43/profile", "no profile", retain: true)
        let heir = try GatewayProcess(scratch, broker: broker.url, roads: nil, name: "heir", store: "both.sqlite")
        try await heir.start()
        try await eventually(within: .seconds(5), "the newer height is not in force") {
            try await heir.get("/api/v1/vehicles/T42").body.contains("4.3")
        }
        #expect(try await heir.metric("headroom_retained_republished_total").isEmpty)
        #expect(try await retained(broker) == newer.merging(["fleet/T43/profile": "no profile"]) { $1 })
        #expect(try await heir.get("/api/v1/vehicles/T43").body.contains("3.9"), "what cannot be read takes no place")
        try await heir.stop()
    }

    @Test(
        "What the gateway has retained about a truck that stands still is published again under the same id, also where it was away",
        .timeLimit(.minutes(6)), arguments: [false, true])
    func outputs(isAway: Bool) async throws {
        let scratch = try Scratch()
        let broker = try await BrokerProcess.started(scratch)
        let gateway = try GatewayProcess(
            scratch, broker: broker.url, roads: nil, more: "fixes: {reorder: 1 s, hysteresis_time: 2 s}")
        try await gateway.start()
        try await broker.publish("headroom/fences/depot", Self.inputs["headroom/fences/depot"] ?? "", retain: true)
        let fix = Fix(position: Coordinate(latitude: 42.2803, longitude: -83.7290), time: .now, accuracy: 5)
        for vehicle in ["T42", "T43"] { try await broker.publish("fleet/\(vehicle)/location", fix.json) }
        let before = try await broker.listener(["fleet/+/state", "fleet/+/regions"])
        func isInside(_ vehicle: String) -> Bool {
            let state = before.heard("fleet/\(vehicle)/state").last?.object
            return (state?["fences"] as? [Any])?.isEmpty == false && state?["regions"] != nil
        }
        try await eventually(within: .seconds(20), "not inside: \(before.heard)") {
            isInside("T42") && isInside("T43")
        }
        try await broker.publish("fleet/T43/consent", #"{"status": "denied"}"#, retain: true)
        try await eventually(within: .seconds(5), "not withdrawn: \(before.heard)") {
            before.heard("fleet/T43/state").last?.payload == ""
        }
        if isAway { try await gateway.stop() }
        try await broker.stop(SIGKILL)
        try await broker.start()
        if isAway { try await gateway.start() } else { try await gateway.becomeReady(within: .seconds(20)) }
        let after = try await broker.listener(["fleet/+/state", "fleet/+/regions"])
        try await eventually(within: .seconds(10), "not published again: \(gateway.errors.suffix(800))") {
            Set(after.heard.map(\.topic)) == ["fleet/T42/state", "fleet/T42/regions"]
        }
        let (old, new) = (before.heard("fleet/T42/state").last?.object, after.heard("fleet/T42/state").first?.object)
        #expect(old?["id"] as? String == new?["id"] as? String && old?["sequence"] as? Int == new?["sequence"] as? Int)
        #expect((new?["fences"] as? [Any])?.count == 1)
        #expect(after.heard("fleet/T42/regions").first?.object?["version"] as? Int == 1)
        try await gateway.stop()
    }

    @Test("The shipped rules let the gateway publish all of it again", .timeLimit(.minutes(6)))
    func rules() async throws {
        let broker = try await GuardedBroker(try Scratch())
        let gateway = try await broker.gateway()
        try await gateway.start()
        let (truck, dispatch) = (broker.clients(of: "T42"), broker.clients(of: "dispatch"))
        for (topic, payload) in Self.inputs where !topic.hasPrefix("fleet/T43") {
            let isTrucks = topic.hasSuffix("consent") || topic.hasSuffix("presence")
            try await (isTrucks ? truck : dispatch).publish(topic, payload, retain: true)
        }
        try await eventually(within: .seconds(10), "not taken in") {
            try await gateway.get("/api/v1/vehicles/T42").body.contains("4.12")
        }
        try await broker.stop(SIGKILL)
        try await broker.start()
        try await gateway.becomeReady(within: .seconds(20))
        try await untilRepublished(6, by: gateway)
        #expect(try await gateway.get("/readyz").status == 200)
        #expect(!gateway.errors.contains("The broker refuses"))
        try await gateway.stop()
    }
}
