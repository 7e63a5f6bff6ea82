import Evaluation
import Fleet
import Foundation
import Geo
import Messages
import Testing

/// What dispatch enters while trucks drive – clearances and routes – over a real broker.
struct DispatchEndToEndTests {
    /// Everything that one test needs: the gateway on the demo's roads, and a tall truck that stands before the bridge and
    /// has been told.
    private struct Scene {
        let scratch: Scratch
        let broker: BrokerProcess
        let gateway: GatewayProcess
        let listener: Listener

        /// - Parameters:
        ///   - clearances: a file of the configuration; nil: none.
        ///   - fences: the same.
        init(clearances: String? = nil, fences: String? = nil) async throws {
            scratch = try Scratch()
            broker = try await BrokerProcess.started(scratch)
            let files = [("clearances", "extra.geojson", clearances), ("fences", "fences.geojson", fences)]
            var settings = ""
            for case (let key, let name, let text?) in files {
                _ = try scratch.write(text, to: name)
                settings += "\(key): [\(name)]\n"
            }
            gateway = try GatewayProcess(
                scratch, broker: broker.url, roads: try await demoRoads(scratch), more: settings)
            listener = try await broker.listener(["fleet/+/alert", "headroom/clearances/+/result"])
            try await gateway.start()
        }

        /// Three fixes, a second apart, 40 s after the demo's truck set off: it is told `ahead` by then.
        func standBeforeTheBridge() async throws {
            try await broker.publish("fleet/T42/profile", DemoTruck.profile, retain: true)
            let start = Timestamp.now.adding(-3)
            for (second, fix) in try DemoTruck().drive(from: start.adding(-40)).enumerated() where 40...42 ~= second {
                try await broker.publish("fleet/T42/location", fix.json)
            }
        }

        func alerts(_ type: String = "low-clearance") -> [Listener.Heard] {
            listener.heard("fleet/T42/alert").filter {
                $0.object?["type"] as? String == type && $0.object?["attention"] as? String != "notice"
            }
        }

        var stages: [String] { alerts().compactMap { $0.object?["stage"] as? String } }

        var results: [String] {
            listener.heard.filter { $0.topic.hasSuffix("/result") }.map { "\($0.topic) \($0.payload)" }
        }

        func until(_ stages: [String]) async throws {
            try await eventually(within: .seconds(10), "stages: \(self.stages)") { self.stages == stages }
        }
    }

    private func clearance(_ posted: String, at place: [String: Any]) throws -> String {
        let (latitude, longitude) = (try #require(place["lat"] as? Double), try #require(place["lon"] as? Double))
        return """
            {"type": "Feature", "geometry": {"type": "Point", "coordinates": [\(longitude), \(latitude)]},
             "properties": {"clearance": "\(posted)", "source": "survey"}}
            """
    }

    @Test(
        "A clearance is in force within a second of its message, for open alerts too, and so is its end",
        .timeLimit(.minutes(6)))
    func clearances() async throws {
        let scene = try await Scene()
        try await scene.standBeforeTheBridge()
        try await scene.until(["ahead"])
        let place = try #require(scene.alerts()[0].object?["clearance"] as? [String: Any])
        let id = try #require(place["id"] as? String)
        let topic = "headroom/clearances/\(id)"

        for (payload, stages) in [
            (try clearance("15'", at: place), ["ahead", "cleared"]), ("", ["ahead", "cleared", "ahead"]),
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

    @Test("Clearances of a file hold from the start, and at SIGHUP as they are then", .timeLimit(.minutes(6)))
    func files() async throws {
        let nothing = #"{"type": "FeatureCollection", "features": []}"#
        let scene = try await Scene(clearances: nothing)
        try await scene.standBeforeTheBridge()
        try await scene.until(["ahead"])
        let place = try #require(scene.alerts()[0].object?["clearance"] as? [String: Any])
        let id = try #require(place["id"] as? String)
        let feature = try clearance("15'", at: place).replacing(
            #"{"type": "Feature","#, with: #"{"type": "Feature", "id": "\#(id)","#)
        _ = try scene.scratch.write(
            #"{"type": "FeatureCollection", "features": [\#(feature)]}"#, to: "extra.geojson")
        scene.gateway.send(SIGHUP)
        try await scene.until(["ahead", "cleared"])
        #expect(scene.alerts()[1].object?["reason"] as? String == "map-changed")
        // A file that cannot be read changes nothing, and says so.
        _ = try scene.scratch.write("no JSON", to: "extra.geojson")
        scene.gateway.send(SIGHUP)
        try await eventually(within: .seconds(10), scene.gateway.errors) {
            scene.gateway.errors.contains("the files in force stay")
        }
        #expect(scene.stages == ["ahead", "cleared"])
        try await scene.gateway.stop()
    }

    @Test(
        "An entry of a file that cannot be read any more leaves what held before in force at SIGHUP, and is told of once",
        .timeLimit(.minutes(6)))
    func unreadableAtHangup() async throws {
        let place: [String: Any] = ["lat": 42.280597, "lon": -83.751891]
        func collection(_ features: [String]) -> String {
            #"{"type": "FeatureCollection", "features": [\#(features.joined(separator: ",\n"))]}"#
        }
        func feature(_ id: String, _ posted: String) throws -> String {
            try clearance(posted, at: place).replacing(
                #"{"type": "Feature","#, with: #"{"type": "Feature", "id": "\#(id)","#)
        }
        func fence(_ radius: String) -> String {
            """
            {"type": "Feature", "id": "yard", "geometry": {"type": "Point", "coordinates": [-83.7290, 42.2803]},
             "properties": {"radius": \(radius)}}
            """
        }
        let osm = "osm:way:1003"
        // The truck of 4.12 m is told of the lowest: the other one is over the same road, and higher.
        let scene = try await Scene(
            clearances: collection([try feature(osm, #"9'0\""#), try feature("survey-1", "4.5")]),
            fences: collection([fence("200")]))
        try await scene.standBeforeTheBridge()
        try await scene.until(["ahead"])
        let client = ConsoleClient(gateway: scene.gateway, scratch: scene.scratch)
        for (number, posted) in ["nine", "10.6"].enumerated() {
            _ = try scene.scratch.write(
                collection([try feature(osm, posted), try feature("survey-1", posted)]), to: "extra.geojson")
            _ = try scene.scratch.write(collection([fence("\"wide\"")]), to: "fences.geojson")
            scene.gateway.send(SIGHUP)
            try await eventually(within: .seconds(10), scene.gateway.errors) {
                scene.gateway.errors.split(separator: "\n").count { $0.contains("SIGHUP: read again") } == number + 1
            }
            let lines = scene.gateway.errors.split(separator: "\n")
            let told = lines.filter { $0.contains("\"\(posted)\"") || $0.contains("got \(posted)") }
            #expect(told.count == 2 && told.allSatisfy { $0.contains("what held before stays") }, "\(lines)")
            #expect(lines.count { $0.contains("yard") && $0.contains("what held before stays") } == number + 1)
            for (id, height) in [(osm, 2.74), ("survey-1", 4.5)] {
                let inForce = try await client.get("/clearances/\(id)").object
                #expect(inForce["height"] as? Double == height, "\(inForce)")
            }
            #expect(try await client.get("/fences/yard").status == 200)
        }
        #expect(scene.stages == ["ahead"])
        try await scene.gateway.stop()
    }

    @Test("A clearance that cannot be used is answered with its reason, and the old one stays", .timeLimit(.minutes(6)))
    func badClearances() async throws {
        let scene = try await Scene()
        let place: [String: Any] = ["lat": 42.2806, "lon": -83.7519]
        for (id, payload, answer) in [
            (
                "a", try clearance("0", at: place),
                #"{"status":"failed","reason":"properties.clearance: expected 1-10 m, as 3.2, \"3.2 m\" or \"10'6\\\"\", got 0"}"#
            ),
            ("b", "{", #"{"status":"failed","reason":"expected a GeoJSON Feature, got text that is not JSON"}"#),
            (
                "c",
                #"{"type":"Feature","id":"d","geometry":{"type":"Point","coordinates":[8,49]},"properties":{"clearance":3}}"#,
                #"{"status":"failed","reason":"id: expected the topic's id \"c\" or none, got \"d\""}"#
            ),
            (
                "e", try clearance("3", at: ["lat": 10.0, "lon": 10.0]),
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
        let file = try clearance("abc", at: place).replacing(
            #"{"type": "Feature","#, with: #"{"type": "Feature", "id": "\#(id)","#)
        let scene = try await Scene(clearances: #"{"type": "FeatureCollection", "features": [\#(file)]}"#)
        #expect(scene.gateway.errors.contains(#"clearance that cannot be read: expected 1-10 m"#))
        try await scene.standBeforeTheBridge()
        try await scene.until(["ahead"])
        let topic = "headroom/clearances/\(id)"
        let failed = { (got: String) in
            #"\#(topic)/result {"status":"failed","reason":"properties.clearance: expected 1-10 m, as 3.2, \"3.2 m\" or \"10'6\\\"\", got \#(got)"}"#
        }
        for posted in ["10'6'", "abc", "~3.2"] {
            try await scene.broker.publish(topic, try clearance(posted, at: place), retain: true)
            try await eventually(within: .seconds(5), "\(scene.results)") {
                scene.results.last == failed(#"\"\#(posted)\""#)
            }
        }
        try await scene.broker.publish(topic, try clearance(#"10' 6 1/2\""#, at: place), retain: true)
        try await eventually(within: .seconds(5), "\(scene.results)") {
            scene.results.last == #"\#(topic)/result {"status":"monitoring","was":3.2}"#
        }
        try await scene.broker.publish(topic, try clearance("320", at: place), retain: true)
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
        let answer = try await client.put("/clearances/\(id)", try clearance("3.3 m", at: place))
        #expect(answer.status == 200 && answer.object["was"] as? Double == 3.21, "\(answer)")
        #expect(scene.stages == ["ahead"])
        try await next.stop()
    }

    @Test(
        "Clearances outlive a restart and a broker that has lost them; an empty payload removes them",
        .timeLimit(.minutes(6)))
    func kept() async throws {
        let scene = try await Scene()
        try await scene.standBeforeTheBridge()
        try await scene.until(["ahead"])
        let place = try #require(scene.alerts()[0].object?["clearance"] as? [String: Any])
        let topic = "headroom/clearances/\(try #require(place["id"] as? String))"
        try await scene.broker.publish(topic, try clearance("15'", at: place), retain: true)
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

    @Test("A route is answered by what is too low on the way there, and a way without", .timeLimit(.minutes(6)))
    func routeCheck() async throws {
        let scene = try await Scene()
        try await scene.standBeforeTheBridge()
        try await scene.until(["ahead"])
        let trip = try DemoTruck().trip
        let line = stride(from: 0, through: trip.duration, by: 5).map { trip.place(at: $0).position }
        let points = line.map { "[\($0.longitude), \($0.latitude)]" }.joined(separator: ", ")
        try await scene.broker.publish(
            "fleet/T42/route",
            #"{"type": "Feature", "properties": {}, "geometry": {"type": "LineString", "coordinates": [\#(points)]}}"#,
            retain: true)
        try await eventually(within: .seconds(10), "\(scene.listener.heard.map(\.payload))") {
            scene.alerts("route-check").count == 1
        }
        let check = try #require(scene.alerts("route-check")[0].object)
        let obstacles = try #require(check["clearances"] as? [[String: Any]])
        #expect(obstacles.compactMap { $0["posted"] as? String } == ["10'6\""])
        #expect((check["line"] as? [String: Any])?["type"] as? String == "LineString")
        #expect((check["safe_line"] as? [String: Any])?["type"] as? String == "LineString")
        try await scene.gateway.stop()
        try await scene.gateway.start()
        #expect(scene.alerts("route-check").count == 1)
        try await scene.gateway.stop()
    }
}
