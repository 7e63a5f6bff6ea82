import Fleet
import Foundation
import Geo
import Messages
import Testing

/// What dispatch enters over HTTP, through a real broker.
struct ConsoleDispatchEndToEndTests {
    private struct Scene {
        let scratch: Scratch
        let broker: BrokerProcess
        let gateway: GatewayProcess
        let client: ConsoleClient

        init(roads: Bool = false, console: String = "", more: String = "", tokens: String? = nil) async throws {
            scratch = try Scratch()
            broker = try await BrokerProcess.started(scratch)
            if let tokens { _ = try scratch.write(tokens, to: "tokens") }
            gateway = try GatewayProcess(
                scratch, broker: broker.url, roads: roads ? try await demoRoads(scratch) : nil, console: console,
                more: "fixes: {reorder: 1 s, hysteresis_time: 2 s}\n\(more)")
            try await gateway.start()
            client = ConsoleClient(gateway: gateway, scratch: scratch)
        }

        /// South along a meridian at 22 m/s until now, one fix a second.
        func drive(from north: Degrees, to south: Degrees, within seconds: Int) async throws {
            let start = Timestamp.now.adding(-Double(seconds))
            let fixes = (0...seconds).map { second in
                let latitude = north + (south - north) * Double(second) / Double(seconds)
                return Fix(
                    position: Coordinate(latitude: latitude, longitude: -83.75), time: start.adding(Double(second)),
                    accuracy: 5)
            }
            try await broker.publish("fleet/T1/location", "[" + fixes.map(\.json).joined(separator: ",") + "]")
        }
    }

    private func circle(_ latitude: Degrees, _ longitude: Degrees, groups: String = "[]") -> String {
        """
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [\(longitude), \(latitude)]},
         "properties": {"name": "Site", "radius": 300, "groups": \(groups)}}
        """
    }

    @Test(
        "A fence is in force when its PUT is answered, others see it, and who drives in is told of at once",
        .timeLimit(.minutes(6)))
    func fence() async throws {
        let scene = try await Scene()
        let listener = try await scene.broker.listener(["headroom/fences/#", "fleet/+/event"])
        let stream = try scene.client.stream()
        try await eventually(within: .seconds(10), stream.output) { stream.output.contains("event: pulse") }

        let put = try await scene.client.put("/fences/site", circle(42.28, -83.75))
        #expect(put.status == 200 && put.object["status"] as? String == "in-force", "\(put)")
        let fence = try await scene.client.get("/fences/site")
        #expect(fence.object["origin"] as? String == "topic" && fence.object["kind"] as? String == "circle")
        #expect(listener.heard("headroom/fences/site/result").map(\.payload) == [#"{"status":"monitoring"}"#])
        // The same again changes nothing, and is in force all the same.
        #expect(try await scene.client.put("/fences/site", circle(42.28, -83.75)).status == 200)
        #expect(listener.heard("headroom/fences/site/result").count == 1)
        try await eventually(within: .seconds(5), stream.output) { stream.output.contains("event: map") }

        let odd = circle(42.4, -83.75).replacing("\"radius\"", with: "\"dwel\": 60, \"colour\": \"red\", \"radius\"")
        let listed = try await scene.client.put("/fences/odd", odd)
        #expect(
            listed.status == 200 && listed.object["unknown"] as? [String] == ["colour", "dwel (dwell?)"], "\(listed)")
        #expect(
            listener.heard("headroom/fences/odd/result").map(\.payload)
                == [#"{"status":"monitoring","unknown":["colour","dwel (dwell?)"]}"#])

        try await scene.drive(from: 42.286, to: 42.28, within: 30)
        try await eventually(within: .seconds(15), stream.output) { stream.output.contains(#""event":"enter""#) }
        let events = try await scene.client.get("/events?fence=site&order=desc").items
        #expect(events.first?["event"] as? String == "enter")
        try await eventually(within: .seconds(2), "nobody is inside") {
            try await scene.client.get("/fences/site").object["inside"] as? Int == 1
        }

        #expect(try await scene.client.delete("/fences/site").status == 200)
        #expect(try await scene.client.get("/fences/site").status == 404)
        #expect(try await scene.client.delete("/fences/site").status == 404)
        let end = ContinuousClock.now
        try await scene.gateway.stop()
        #expect(.now - end < .seconds(20), "a stream is open, and the gateway stops all the same")
        _ = try await stream.end(within: .seconds(2))
    }

    @Test("Ids that differ in their bytes alone are of two fences, as their topics are two", .timeLimit(.minutes(6)))
    func spellings() async throws {
        let scene = try await Scene()
        let (composed, decomposed) = ("/fences/Geb%C3%A4ude", "/fences/Geba%CC%88ude")
        #expect(try await scene.client.put(composed, circle(42.28, -83.75)).status == 200)
        #expect(try await scene.client.delete(decomposed).status == 404)
        #expect(try await scene.client.put(decomposed, circle(42.28, -83.75)).status == 200)
        #expect(try await scene.client.delete(composed).status == 200)
        #expect(try await scene.client.get(composed).status == 404)
        #expect(try await scene.client.get(decomposed).status == 200)
    }

    @Test("Of changes that are made at once of one version, one is made", .timeLimit(.minutes(6)))
    func atOnce() async throws {
        let scene = try await Scene()
        let one = [200] + Array(repeating: 412, count: 7)
        let created = try await scene.client.put(
            "/fences/site", circle(42, 1), header: "If-None-Match: *", atOnce: one.count)
        #expect(created == one)
        let tag = try await scene.client.tag("/fences/site")
        let changed = try await scene.client.put(
            "/fences/site", circle(42, 2), header: "If-Match: \(tag)", atOnce: one.count)
        #expect(changed == one)
        try await scene.gateway.stop()
    }

    @Test("What is not a fence is refused with a message, before anything is published", .timeLimit(.minutes(6)))
    func refused() async throws {
        let scene = try await Scene()
        let listener = try await scene.broker.listener(["headroom/#"])
        let radius = circle(42.28, -83.75).replacing("300", with: "-1")
        for (path, body, place, sentence) in [
            ("/fences/a", radius, "properties.radius", "over 0"), ("/fences/a", "{", "", "text that is not JSON"),
            ("/fences/a", "", "", "The body is empty"),
            ("/fences/a%2Fb", circle(1, 1), "", "Expected an id of 1 to 128 bytes"),
            (
                "/fences/a", circle(1, 1).replacing("\"Feature\",", with: "\"Feature\", \"id\": \"b\","), "id",
                "the topic's id \"a\" or none"
            ),
            ("/clearances/a", circle(1, 1), "properties.clearance", "got nothing"),
            (
                "/clearances/osm:way:1003", circle(1, 1).replacing("\"radius\": 300", with: "\"clearance\": \"10'6'\""),
                "properties.clearance",
                #"properties.clearance: expected 1-10 m, as 3.2, "3.2 m" or "10'6\"", got "10'6'""#
            ),
            ("/vehicles/T1/profile", #"{"height": "tall"}"#, "", "height: expected a height over 0 and up to 6 m"),
            ("/vehicles/T1/profile", #"{"height": 50}"#, "", "got 50"),
        ] {
            let answer = try await scene.client.put(path, body)
            #expect(answer.status == 422, "\(path) \(answer)")
            #expect(answer.message.contains(sentence), "\(answer.message)")
            #expect((answer.object["error"] as? [String: Any])?["place"] as? String ?? "" == place)
        }
        let large = #"{"type": "Feature", "x": ""# + String(repeating: "x", count: 2 << 20) + "\"}"
        #expect(try await scene.client.put("/fences/a", large).status == 413)
        #expect(listener.heard.filter { $0.topic.hasPrefix("headroom/fences/") }.isEmpty)
        try await scene.gateway.stop()
    }

    @Test("A group's fences are removed at once; those of files are not", .timeLimit(.minutes(6)))
    func groups() async throws {
        let scratch = try Scratch()
        let file =
            #"{"type": "FeatureCollection", "features": [\#(circle(1, 1, groups: "[\"a\"]").replacing("\"Feature\",", with: "\"Feature\", \"id\": \"depot\","))]}"#
        _ = try scratch.write(file, to: "fences.geojson")
        let broker = try await BrokerProcess.started(scratch)
        let gateway = try GatewayProcess(scratch, broker: broker.url, roads: nil, more: "fences: [fences.geojson]")
        try await gateway.start()
        let client = ConsoleClient(gateway: gateway, scratch: scratch)
        for index in 0..<20 {
            let body = circle(42, Double(index), groups: index < 12 ? "[\"a\"]" : "[\"b\"]")
            #expect(try await client.put("/fences/f\(index)", body).status == 200)
        }
        #expect(try await client.delete("/fences/depot").status == 409)
        for empty in ["group=", "group"] {
            #expect(try await client.delete("/fences?\(empty)").status == 400)
            #expect(try await client.get("/fences").items.count == 21)
        }
        let some = try await client.delete("/fences?group=a")
        #expect(some.status == 200)
        #expect((some.object["removed"] as? [String])?.count == 12)
        #expect((some.object["kept"] as? [[String: Any]])?.compactMap { $0["id"] as? String } == ["depot"])
        #expect(try await client.get("/fences").items.count == 9)
        // A fence of dispatch in the place of the file's: without it, the file's holds again.
        #expect(try await client.put("/fences/depot", circle(5, 5)).status == 200)
        #expect(try await client.delete("/fences/depot").object["note"] as? String ?? "" != "")
        #expect(try await client.get("/fences/depot").object["origin"] as? String == "file")
        let all = try await client.delete("/fences")
        #expect((all.object["removed"] as? [String])?.count == 8)
        #expect(try await client.get("/fences").items.count == 1)
        try await gateway.stop()
    }

    @Test("A height entered over HTTP changes what the driver is told, and a clearance too", .timeLimit(.minutes(6)))
    func heights() async throws {
        let scene = try await Scene(roads: true)
        let listener = try await scene.broker.listener(["fleet/+/alert"])
        let stages = { listener.heard("fleet/T42/alert").compactMap { $0.object?["stage"] as? String } }
        #expect(try await scene.client.put("/vehicles/T42/profile", DemoTruck.profile).status == 200)
        let start = Timestamp.now.adding(-3)
        for (second, fix) in try DemoTruck().drive(from: start.adding(-40)).enumerated() where 40...42 ~= second {
            try await scene.broker.publish("fleet/T42/location", fix.json)
        }
        try await eventually(within: .seconds(10), "\(stages())") { stages() == ["ahead"] }
        let vehicle = try await scene.client.get("/vehicles/T42").object
        #expect((vehicle["height"] as? [String: Any])?["value"] as? Double == 4.12)
        #expect(try await scene.client.get("/alerts").items.count == 1)
        #expect(try await scene.client.get("/clearances?vehicle=T42&verdict=too-low").items.count == 2)

        #expect(try await scene.client.put("/vehicles/T42/profile", #"{"height": "8 ft"}"#).status == 200)
        // Hazards of another height are there within a second.
        try await eventually(within: .seconds(1), "\(stages())") { stages() == ["ahead", "cleared"] }
        #expect(try await scene.client.get("/alerts").items.isEmpty)
        #expect(try await scene.client.get("/alerts?state=all").items.count == 2)

        let survey =
            #"{"type": "Feature", "geometry": {"type": "Point", "coordinates": [-83.751891, 42.280597]}, "properties": {"clearance": "2.2 m", "source": "survey"}}"#
        #expect(try await scene.client.put("/clearances/osm:way:1003", survey).status == 200)
        let clearance = try await scene.client.get("/clearances/osm:way:1003").object
        #expect(clearance["height"] as? Double == 2.2 && clearance["origin"] as? String == "topic")
        try await eventually(within: .seconds(5), "\(stages())") { stages().last == "ahead" }
        #expect(try await scene.client.delete("/clearances/osm:way:1003").status == 200)
        #expect(try await scene.client.get("/clearances/osm:way:1003").object["height"] as? Double == 3.2)
        #expect(try await scene.client.delete("/clearances/osm:way:1003").status == 404)
        let far = survey.replacing("-83.751891, 42.280597", with: "10, 10")
        let note = try await scene.client.put("/clearances/far", far).object["note"] as? String
        #expect(note?.contains("no road found") ?? false)
        try await scene.gateway.stop()
    }

    @Test("A vehicle's topic has levels that are not known before it speaks", .timeLimit(.minutes(6)))
    func levels() async throws {
        let scene = try await Scene(more: "fleet: {topic: \"acme/{region}/{v}\"}")
        #expect(try await scene.client.put("/vehicles/T1/profile", #"{"height": 4}"#).status == 404)
        let fix = Fix(position: Coordinate(latitude: 1, longitude: 1), time: .now, accuracy: 5)
        try await scene.broker.publish("acme/north/T1/location", fix.json)
        try await eventually(within: .seconds(5), "it is not seen") {
            try await scene.client.get("/vehicles/T1").status == 200
        }
        let listener = try await scene.broker.listener(["acme/#"])
        #expect(try await scene.client.put("/vehicles/T1/profile", #"{"height": 4}"#).status == 200)
        #expect(listener.heard("acme/north/T1/profile").map(\.payload) == [#"{"height": 4}"#])
        #expect(try await scene.client.delete("/vehicles/T1/profile").status == 200)
        try await scene.gateway.stop()
    }

    @Test(
        "While the broker cannot be reached nothing can be entered, and what is known is still shown",
        .timeLimit(.minutes(6)))
    func away() async throws {
        let scene = try await Scene()
        try await scene.drive(from: 42.3001, to: 42.30, within: 1)
        #expect(try await scene.client.put("/fences/a", circle(1, 1)).status == 200)
        try await scene.broker.stop()
        try await eventually(within: .seconds(10), "still connected") {
            try await scene.client.get("/status").object["broker_connected"] as? Bool == false
        }
        #expect(try await scene.client.put("/fences/b", circle(1, 1)).status == 503)
        #expect(try await scene.client.delete("/fences/a").status == 503)
        #expect(try await scene.client.delete("/fences").status == 503)
        #expect(try await scene.client.get("/fences/a").status == 200)
        #expect(try await scene.client.get("/status").object["editing"] as? Bool == false)
        #expect(try await scene.client.get("/vehicles").items.count == 1)
        try await scene.gateway.stop()
    }

    @Test("Without a token every request is refused; a viewer reads, an editor changes", .timeLimit(.minutes(6)))
    func tokens() async throws {
        let scene = try await Scene(
            console: "auth: required, tokens_file: tokens", tokens: "viewer see\neditor change\n")
        var client = scene.client
        for path in [
            "/status", "/vehicles", "/fences", "/clearances", "/alerts", "/events", "/visits", "/stream",
            "/tiles/roads/5/0/0", "/openapi.json", "/asyncapi.json",
        ] {
            #expect(try await client.get(path).status == 401, "\(path)")
        }
        #expect(try await client.put("/fences/a", circle(1, 1)).status == 401)
        client.token = "see"
        #expect(try await client.get("/status").object["role"] as? String == "viewer")
        for status in [
            try await client.put("/fences/a", circle(1, 1)).status, try await client.delete("/fences").status,
            try await client.delete("/clearances/a").status, try await client.delete("/vehicles/T1/profile").status,
        ] { #expect(status == 403) }
        client.token = "change"
        #expect(try await client.get("/status").object["role"] as? String == "editor")
        #expect(try await client.put("/fences/a", circle(1, 1)).status == 200)
        client.token = "guess"
        #expect(try await client.get("/status").status == 401)
        try await scene.gateway.stop()
    }
}
