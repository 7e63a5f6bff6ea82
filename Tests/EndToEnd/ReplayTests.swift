import Fleet
import Foundation
import Geo
import Messages
import Testing
import Wire

/// `headroom replay` of every kind of trace, and beside a gateway that heard the same.
struct ReplayEndToEndTests {
    private static let start = Timestamp(milliseconds: 1_795_269_600_000)

    /// What a message is known by: its id, sequence and stage or event.
    private static func marks(_ messages: [[String: Any]], _ topicSuffix: String) -> [String] {
        messages.filter { ($0["topic"] as? String)?.hasSuffix("/\(topicSuffix)") == true }.map { message in
            let what = (message["stage"] ?? message["event"]) as? String ?? "?"
            return "\(message["id"] as? String ?? "?") \(message["sequence"] as? Int ?? 0) \(what)"
        }
    }

    private static func replay(
        _ arguments: [String], _ scratch: Scratch
    ) async throws -> (messages: [[String: Any]], errors: String, status: Int32?) {
        let replay = try await run(Repository.program, ["replay"] + arguments, scratch)
        let messages = try replay.output.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        return (messages, replay.errors, replay.status)
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
        #expect(alerts[0].map { $0.split(separator: " ").last.map(String.init) } == DemoTruck.stages)
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
        #expect(alerts.map { $0.split(separator: " ").last.map(String.init) } == ["detour", "stop", "passed"])
        #expect(Self.marks(replayed.messages, "alert") == alerts)
        #expect(Self.marks(replayed.messages, "event") == Self.marks(published, "event"))
        let events = Self.marks(published, "event").map { $0.split(separator: " ").last.map(String.init) }
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

    @Test("Bad lines are named by file and line, and the rest is used")
    func badLines() async throws {
        let scratch = try Scratch()
        let roads = try await demoRoads(scratch)
        let fixes = Array(try DemoTruck().drive(from: Self.start, noise: 0).prefix(5))
        var csv = Recording.csv(fixes).split(separator: "\r\n").map(String.init)
        csv.insert("T42;noon;42,28;-83,72;;;", at: 3)
        csv.insert("T42;2026-11-21", at: 5)
        var json = Recording.jsonLines(fixes).split(separator: "\n").map(String.init)
        json.insert(#"{"vehicle":"T42","lat":1}"#, at: 0)
        json.insert("", at: 2)
        json.append("{")
        var recording = Recording.broker(fixes).split(separator: "\n").map(String.init)
        recording.insert(#"{"tst":"never","topic":"fleet/T42/location","payload":"1"}"#, at: 1)
        recording.append(Recording.message("fleet/T42/alert", "{}", at: fixes[4].time))
        let rec = [
            "2026-11-21T14:00:00Z\t*                 \t{\"_type\":\"location\",\"lat\":42.28,\"lon\":-83.7,\"tst\":1795269600}",
            "2026-11-21T14:00:01Z\tlwt               \t{\"_type\":\"lwt\",\"tst\":1795269600}",
            "2026-11-21T14:00:02Z\twaypoint          \t{\"_type\":\"waypoint\",\"tst\":1795269600,\"desc\":\"home\"}",
            "2026-11-21T14:00:03Z\t*                 \t{\"_type\":\"location\",\"lat\":42.28}", "yesterday", "",
        ]
        let gpx = Recording.gpx(fixes).split(separator: "\n").map(String.init)
        let cases: [(name: String, lines: [String], account: String, named: [String])] = [
            (
                "a.csv", csv, "8 lines: 5 with fixes, 1 with the columns' names, 2 that cannot be used",
                ["a.csv:4: a time that cannot be read: noon", "a.csv:6: wrong number of columns: 2 of 7"]
            ),
            (
                "b.jsonl", json, "8 lines: 5 with fixes, 1 blank, 2 that cannot be used",
                ["b.jsonl:1: missing-field", "b.jsonl:8: malformed-json"]
            ),
            (
                "c.log", recording,
                "8 lines: 5 with fixes, 1 with profiles, 1 of a gateway, passed over, 1 that cannot be used",
                ["c.log:2: unreadable-time"]
            ),
            (
                "d.rec", rec,
                "6 lines: 1 with fixes, 1 with presence, 1 with nothing to use (1 waypoint), 1 blank, 2 that cannot be used",
                ["d.rec:4: missing-field", "d.rec:5: no line of a recorder"]
            ),
            (
                // Without its end, and a point without a place.
                "e.gpx", gpx.prefix(2) + ["<trkpt lat=\"42\"></trkpt>"] + gpx.dropFirst(2).prefix(5),
                "7 points: 5 with fixes, 2 that cannot be used",
                [
                    "e.gpx:3: a point without lat and lon: expected two numbers, got lat 42, lon none",
                    "e.gpx:9: no GPX from here on: expected the end of the document's element, got the end of the file",
                ]
            ),
        ]
        for (name, lines, account, named) in cases {
            let trace = try scratch.write(lines.joined(separator: "\n") + "\n", to: name)
            let replay = try await Self.replay(["--roads", roads, "--height", "4.0", trace], scratch)
            #expect(replay.status == 0)
            #expect(!replay.messages.isEmpty)
            for text in named + [account] { #expect(replay.errors.contains(text), "\(replay.errors)") }
        }
    }

    @Test("What the engine does not use of a trace is told with its reason and lines")
    func unused() async throws {
        let scratch = try Scratch()
        let roads = try await demoRoads(scratch)
        var fixes = Array(try DemoTruck().drive(from: Self.start, noise: 0).prefix(6))
        fixes[2].accuracy = 3_000
        fixes[3].accuracy = 5_000
        fixes[5] = fixes[4]
        let trace = try scratch.write(Recording.jsonLines(fixes), to: "T42.jsonl")
        let replay = try await Self.replay(["--roads", roads, "--height", "4.0", trace], scratch)
        #expect(replay.errors.contains("not used: 1 duplicate (line 6), 2 inaccurate (lines 3-4)"), "\(replay.errors)")
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
        let stages = Self.marks(whole.messages, "alert").map { $0.split(separator: " ").last.map(String.init) }
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
        "A file that is no trace, and one with nothing to use, fail with 1 and say what is wrong",
        arguments: [
            ("a,b\n1,2\n", "no column named lat or latitude"), ("<gpx></gp>", "no GPX from here on"),
            ("{}\n", "missing-field"),
            ("\n\n", "nothing that can be used"), ("lat,time\n1,2\n", "no column named lon or lng"),
        ])
    func noTrace(_ content: String, _ problem: String) async throws {
        let scratch = try Scratch()
        let roads = try await demoRoads(scratch)
        let trace = try scratch.write(content, to: "trace.txt")
        let replay = try await Self.replay(["--roads", roads, "--height", "4", trace], scratch)
        #expect(replay.status == 1)
        #expect(replay.messages.isEmpty)
        #expect(replay.errors.contains(problem), "\(replay.errors)")
    }

    @Test(
        "A GPX file that no parser may trust fails with 1 and its line",
        arguments: [
            // Twelve bytes with an invalid one where an attribute begins.
            (
                Array(#"<t l="" "#.utf8) + [0xFF] + Array(#"n=""#.utf8),
                ":1: no GPX from here on: expected well-formed XML"
            ),
            (
                Array(
                    "<?xml version=\"1.0\"?>\n<!DOCTYPE gpx [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]>\n<gpx>&b;</gpx>"
                        .utf8),
                ":2: no GPX from here on: expected no document type declaration, got one"
            ),
            (
                Array(String(repeating: "<gpx>\n", count: 100_000).utf8),
                ":100001: no GPX from here on: expected the end of the document's element"
            ),
        ])
    func brokenGPX(_ content: [UInt8], _ problem: String) async throws {
        let scratch = try Scratch()
        let roads = try await demoRoads(scratch)
        let trace = scratch.path("drive.gpx")
        try Data(content).write(to: URL(filePath: trace))
        let replay = try await Self.replay(["--roads", roads, "--height", "4", trace], scratch)
        #expect(replay.status == 1)
        #expect(replay.errors.contains("drive.gpx" + problem), "\(replay.errors)")
    }

    @Test("A GPX file in an encoding of one byte a character gives what the same in UTF-8 gives")
    func encodings() async throws {
        let scratch = try Scratch()
        let roads = try await demoRoads(scratch)
        let fixes = Array(try DemoTruck().drive(from: Self.start, noise: 0).prefix(5))
        let gpx = Recording.gpx(fixes).replacing("test", with: "Überland")
        for (encoding, name) in [(String.Encoding.utf8, "UTF-8"), (.windowsCP1252, "windows-1252")] {
            let trace = scratch.path("drive.gpx")
            let content = try #require(gpx.replacing("UTF-8", with: name).data(using: encoding))
            try content.write(to: URL(filePath: trace))
            let replay = try await Self.replay(["--roads", roads, "--height", "4", trace], scratch)
            #expect(replay.status == 0)
            #expect(replay.errors.contains("5 points: 5 with fixes\n"), "\(replay.errors)")
        }
    }

    @Test("One bad trace of several is named, the others are played as without it, and the exit status says so")
    func oneOfSeveral() async throws {
        let scratch = try Scratch()
        let roads = try await demoRoads(scratch)
        let fixes = Array(try DemoTruck().drive(from: Self.start, noise: 0))
        let good = try scratch.write(Recording.gpx(fixes), to: "T42.gpx")
        let alone = try await Self.replay(["--roads", roads, "--height", "13'6\"", good], scratch)
        #expect(alone.status == 0)
        let bad = try scratch.write("<gpx></gp>", to: "bad.gpx")
        for (path, status) in [(bad, Int32(1)), (scratch.path("missing.gpx"), 2)] {
            let both = try await Self.replay(["--roads", roads, "--height", "13'6\"", path, good], scratch)
            #expect(both.status == status)
            #expect(both.errors.contains(path), "\(both.errors)")
            #expect(NSArray(array: both.messages) == NSArray(array: alone.messages))
        }
        let none = try await Self.replay(["--roads", roads, "--height", "4", bad, bad], scratch)
        #expect(none.status == 1)
        #expect(none.messages.isEmpty)
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
