import Fleet
import Foundation
import Geo
import Messages
import Testing
import Wire

/// `headroom replay` of every kind of trace, and beside a gateway that heard the same.
struct ReplayEndToEndTests {
    static let start = Timestamp(milliseconds: 1_795_269_600_000)

    /// What a message is known by: its id, sequence and stage or event.
    private static func marks(_ messages: [[String: Any]], _ topicSuffix: String) -> [String] {
        messages.filter { ($0["topic"] as? String)?.hasSuffix("/\(topicSuffix)") == true }.map { message in
            let what = (message["stage"] ?? message["event"]) as? String ?? "?"
            return "\(message["id"] as? String ?? "?") \(message["sequence"] as? Int ?? 0) \(what)"
        }
    }

    /// The stage or event of each.
    private static func whats(_ marks: [String]) -> [String] { marks.map { String($0.split(separator: " ").last!) } }

    static func replay(
        _ arguments: [String], _ scratch: Scratch
    ) async throws -> (messages: [[String: Any]], errors: String, status: Int32?) {
        let replay = try await run(Repository.program, ["replay"] + arguments, scratch)
        let messages = try replay.output.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        return (messages, replay.errors, replay.status)
    }

    @Test(
        "Of GPX a speed and a course that are none are found from the way, as where there are none",
        arguments: [("NaN", "NaN"), ("-1", "-1"), ("1e999", "720")])
    func unknownValues(speed: String, course: String) async throws {
        let scratch = try Scratch()
        let gpx = Recording.gpx(Array(try DemoTruck().drive(from: Self.start, noise: 0)))
        let extended = gpx.replacing("</time>", with: "</time><speed>\(speed)</speed><course>\(course)</course>")
        let traces = [try scratch.write(gpx, to: "plain.gpx"), try scratch.write(extended, to: "extended.gpx")]
        let told = ["--roads", try await demoRoads(scratch), "--height", "13'6\"", "--vehicle", "T42"]
        let (plain, other) = (
            try await Self.replay(told + [traces[0]], scratch), try await Self.replay(told + [traces[1]], scratch)
        )
        #expect(plain.messages.contains { ($0["topic"] as? String)?.hasSuffix("/alert") == true })
        #expect(NSArray(array: plain.messages) == NSArray(array: other.messages))
    }

    @Test("Of a quantity in two units one column is read, whatever run it is: the first of those that are documented")
    func twoUnits() async throws {
        let scratch = try Scratch()
        let rows = (0..<40).map { second in
            let time = RFC3339.text(Self.start.adding(Seconds(second)))
            return "\(time),42.2812,\(-83.7332 - Double(second) * 0.0002),33,54"
        }
        func csv(_ header: String, _ name: String) throws -> String {
            try scratch.write(([header] + rows).joined(separator: "\n") + "\n", to: name)
        }
        let both = try csv("time,lat,lon,speed_mph,speed_kmh", "both.csv")
        let one = try csv("time,lat,lon,other,speed_kmh", "one.csv")
        let told = ["--roads", try await demoRoads(scratch), "--height", "13'6\"", "--vehicle", "T42"]
        let expected = try await Self.replay(told + [one], scratch).messages
        for _ in 0..<4 {
            #expect(NSArray(array: try await Self.replay(told + [both], scratch).messages) == NSArray(array: expected))
        }
    }

    @Test("The same drive gives the same alerts from GPX, CSV, JSON lines and a recording of the broker, twice over")
    func formats() async throws {
        let scratch = try Scratch()
        let roads = try await demoRoads(scratch)
        // A GPX file tells no speed: to a reader, a receiver that stands and jitters is a truck that turns about.
        let fixes = Array(try DemoTruck().drive(from: Self.start, noise: 0))
        let told = ["--height", "13'6\"", "--margin", "3 in", "--vehicle", "T42"]
        let traces = [
            (try scratch.write(Recording.gpx(fixes), to: "drive.gpx"), told),
            (try scratch.write(Recording.csv(fixes), to: "drive.csv"), told),
            (try scratch.write(Recording.jsonLines(fixes), to: "drive.jsonl"), told),
            // The profile is part of it.
            (try scratch.write(Recording.broker(fixes), to: "drive.log"), []),
        ]
        var alerts: [[String]] = []
        for (trace, more) in traces {
            let once = try await Self.replay(["--roads", roads] + more + [trace], scratch)
            #expect(once.status == 0, "\(once.errors)")
            #expect(once.errors.contains("\(fixes.count) with fixes"))
            alerts.append(Self.marks(once.messages, "alert"))
            let again = try await Self.replay(["--roads", roads] + more + [trace], scratch)
            #expect(NSArray(array: once.messages) == NSArray(array: again.messages))
        }
        #expect(Self.whats(alerts[0]) == DemoTruck.stages)
        #expect(Set(alerts).count == 1, "\(alerts)")
    }

    @Test(
        "What mosquitto_sub recorded beside a gateway gives, replayed, the alerts and fence events that the gateway published",
        .timeLimit(.minutes(6)))
    func live() async throws {
        let scratch = try Scratch()
        let broker = try await BrokerProcess.started(scratch)
        let roads = try await demoRoads(scratch)
        let gateway = try GatewayProcess(
            scratch, broker: broker.url, roads: roads,
            more: """
                fleet: {topic: "acme/{region}/{v}", inputs: [{layout: owntracks, topic: "owntracks/{region}/{v}"}]}
                fixes: {reorder: 2 s, hysteresis_time: 3 s}
                """)
        try await gateway.start()
        let recording = try await broker.recorder()
        try await broker.publish("headroom/fences/street", Self.fence, retain: true)
        try await broker.publish("headroom/fences/broken", #"{"type": "Feature"}"#)
        try await broker.publish("acme/north/late/consent", #"{"status": "always"}"#, retain: true)
        try await broker.publish("owntracks/south/phone", Self.phone(at: .now))
        try await broker.publish("acme/north/late/location", #"{"lat": 99, "lon": 0}"#)
        try await broker.publish("elsewhere/entirely", "17")
        let route = try scratch.write(Self.route, to: "route.geojson")
        let arguments = ["simulate", "--config", gateway.configuration, "--routes", route, "--watch"]
        let simulate = try await run(Repository.program, arguments, scratch, within: .seconds(120))
        #expect(simulate.status == 0, "\(simulate.output) \(simulate.errors)")
        // Events wait for late fixes.
        try await Task.sleep(for: .seconds(6))
        try await recording.stop()

        let trace = try scratch.write(recording.output, to: "recorded.log")
        let published = recording.outputLines.compactMap(Self.published)
        let replayed = try await Self.replay(["--config", gateway.configuration, trace], scratch)
        #expect(replayed.status == 0, "\(replayed.errors)")
        let alerts = Self.marks(published, "alert")
        #expect(Self.whats(alerts) == ["detour", "stop", "passed"])
        #expect(Self.marks(replayed.messages, "alert") == alerts)
        #expect(Self.marks(replayed.messages, "event") == Self.marks(published, "event"))
        let events = Self.whats(Self.marks(published, "event"))
        #expect(events == ["enter", "exit"])
        let topics = Set(replayed.messages.compactMap { $0["topic"] as? String })
        for topic in ["acme/simulation/late/alert", "acme/south/phone/state", "headroom/fences/street/result"] {
            #expect(topics.contains(topic))
        }
        #expect(Self.status(of: "broken", in: replayed.messages) == "failed")
        for part in [
            "1 with consent", "with profiles", "with fences", "of a gateway, passed over", "3 that cannot be used",
        ] {
            #expect(replayed.errors.contains(part), "\(replayed.errors)")
        }
        for problem in ["out-of-range: on acme/north/late/location", "unknown-topic: on elsewhere/entirely"] {
            #expect(replayed.errors.contains(problem), "\(replayed.errors)")
        }
    }

    @Test("Traces are played as one in the order of time, whatever the order of vehicles in them")
    func several() async throws {
        let scratch = try Scratch()
        let roads = try await demoRoads(scratch)
        let fixes = Array(try DemoTruck().drive(from: Self.start, noise: 0))
        let one = Recording.jsonLines(fixes)
        let other = one.replacing("T42", with: "T43")
        // Vehicle by vehicle in one file, as exports are; each in a file of its own, the later one first.
        let export = try scratch.write(other + one, to: "export.jsonl")
        let parts = [try scratch.write(other, to: "b.jsonl"), try scratch.write(one, to: "a.jsonl")]
        let whole = try await Self.replay(["--roads", roads, "--height", "13'6\"", export], scratch)
        let apart = try await Self.replay(["--roads", roads, "--height", "13'6\""] + parts, scratch)
        #expect(NSArray(array: whole.messages) == NSArray(array: apart.messages))
        let stages = Self.whats(Self.marks(whole.messages, "alert"))
        #expect(stages == DemoTruck.stages.flatMap { [$0, $0] })
        let times = whole.messages.compactMap { $0["published_at"] as? String }
        #expect(times == times.sorted())
    }

    @Test("A height is asked for where neither the trace nor the command line tells it")
    func heights() async throws {
        let scratch = try Scratch()
        let roads = try await demoRoads(scratch)
        let fixes = Array(try DemoTruck().drive(from: Self.start, noise: 0).prefix(40))
        let json = try scratch.write(Recording.jsonLines(fixes), to: "T42.jsonl")
        let recording = Recording.broker(fixes)
        let whole = try scratch.write(recording, to: "whole.log")
        let bare = try scratch.write(
            recording.split(separator: "\n").dropFirst().joined(separator: "\n"), to: "bare.log")
        let none = try await Self.replay(["--roads", roads, json], scratch)
        #expect(none.status == 2)
        #expect(none.errors.contains("--height"))
        // Another trace may tell it.
        #expect(try await Self.replay(["--roads", roads, json, whole], scratch).status == 0)
        // A gateway judges a vehicle that says nothing by the assumed height, and asks.
        let assumed = try await Self.replay(["--roads", roads, bare], scratch)
        #expect(assumed.status == 0)
        #expect(assumed.messages.contains { $0["kind"] as? String == "height-required" })
        let given = try await Self.replay(["--roads", roads, "--height", "3.0", bare], scratch)
        #expect(!given.messages.contains { $0["kind"] as? String == "height-required" })
    }

    @Test(
        "Every line of a file of the OwnTracks recorder is accounted for",
        .enabled(if: Repository.isThere(Repository.ownTracks), "the recorder's file lies beside this repository"))
    func ownTracks() async throws {
        let scratch = try Scratch()
        let roads = try await demoRoads(scratch)
        let replay = try await Self.replay(["--roads", roads, "--height", "4.0", Repository.ownTracks], scratch)
        #expect(replay.status == 0)
        let lines = try String(contentsOfFile: Repository.ownTracks, encoding: .utf8).split(separator: "\n").count
        let account = try #require(replay.errors.split(separator: "\n").first { $0.contains("\(lines) lines: ") })
        let counts = account.split(separator: ": ").last?.split(separator: ", ").compactMap {
            Int($0.prefix { $0.isNumber })
        }
        #expect(counts == [23, 2])
        // Phones of 2015 in Wi-Fi: most of it is good to kilometres only.
        #expect(replay.errors.contains("not used: 15 inaccurate (lines 1-2, 4-5, 7-12, 14-18)"), "\(replay.errors)")
    }

    @Test("An alert that ended while a recording went on without its vehicle ends in the replay too")
    func silence() async throws {
        let scratch = try Scratch()
        let roads = try await demoRoads(scratch)
        let drive = Array(try DemoTruck().drive(from: Self.start, noise: 0))
        let whole = try scratch.write(Recording.broker(drive), to: "whole.log")
        let first = try await Self.replay(["--roads", roads, whole], scratch).messages.first { $0["stage"] != nil }
        let alerted = try #require(first?["time"] as? String)
        let fixes = drive.filter { RFC3339.text($0.time) <= alerted }
        let end = try #require(fixes.last).time
        for (seconds, stages) in [(Seconds(90), ["ahead"]), (700, ["ahead", "cleared"])] {
            let rest = Recording.message("headroom/status/headroom", "{}", at: end.adding(seconds))
            let trace = try scratch.write(Recording.broker(fixes) + rest + "\n", to: "cut.log")
            let replay = try await Self.replay(["--roads", roads, trace], scratch)
            #expect(replay.messages.compactMap { $0["stage"] as? String } == stages)
        }
    }

    // MARK: What was recorded

    /// A message of the gateway, as replay prints it; nil for what others have published.
    private static func published(_ line: String) -> [String: Any]? {
        guard let recorded = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
            let topic = recorded["topic"] as? String, let payload = recorded["payload"] as? String,
            var message = try? JSONSerialization.jsonObject(with: Data(payload.utf8)) as? [String: Any]
        else { return nil }
        message["topic"] = topic
        return message
    }

    private static func status(of fence: String, in messages: [[String: Any]]) -> String? {
        messages.first { $0["topic"] as? String == "headroom/fences/\(fence)/result" }?["status"] as? String
    }

    /// A stretch of the street before the bridge.
    private static let fence = """
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [-83.750100, 42.280543]},
         "properties": {"radius": 60}}
        """

    private static func phone(at time: Timestamp) -> String {
        #"{"_type":"location","lat":42.2803,"lon":-83.729,"acc":5,"tst":\#(time.milliseconds / 1000)}"#
    }

    /// A truck that comes at the demo's bridge from 120 m before its last turn-off.
    private static let route = """
        {"type": "FeatureCollection", "features": [{"type": "Feature",
         "properties": {"vehicle": "late", "height": "13'6\\"", "speed_mps": 15, "expect": ["detour", "stop", "passed"]},
         "geometry": {"type": "LineString", "coordinates": [
          [-83.748100, 42.280483], [-83.749500, 42.280525], [-83.750800, 42.280564], [-83.751770, 42.280593],
          [-83.752012, 42.280601], [-83.752760, 42.280623], [-83.754255, 42.280668]]}}]}
        """
}
