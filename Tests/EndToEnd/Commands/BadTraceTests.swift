import Fleet
import Foundation
import Messages
import Testing
import Wire

/// What `headroom replay` says of traces that cannot be read, or not wholly.
struct BadTraceEndToEndTests {
    @Test("Bad lines are named by file and line, and the rest is used")
    func badLines() async throws {
        let scratch = try Scratch()
        let roads = try await demoRoads(scratch)
        let fixes = Array(try DemoTruck().drive(from: ReplayEndToEndTests.start, noise: 0).prefix(5))
        var csv = Recording.csv(fixes).split(separator: "\r\n").map(String.init)
        csv.insert("T42;noon;42,28;-83,72;;;", at: 3)
        csv.insert("T42;2026-11-21", at: 5)
        var json = Recording.jsonLines(fixes).split(separator: "\n").map(String.init)
        json.insert(#"{"vehicle":"T42","lat":1}"#, at: 0)
        json.insert("", at: 2)
        json.append(#"[{"vehicle":"T42","lat":1,"lon":"x","time":3},{"vehicle":"T42","lat":1,"lon":true,"time":3}]"#)
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
        let planned = """
            <wpt lat="42.5" lon="-83.7"><time>\(RFC3339.text(fixes[2].time))</time></wpt>\
            <rte><rtept lat="42.5" lon="-83.7"></rtept></rte>
            """
        let cases: [(name: String, lines: [String], account: String, named: [String])] = [
            (
                "a.csv", csv, "8 lines: 5 with fixes, 1 with the columns' names, 2 that cannot be used",
                ["a.csv:4: a time that cannot be read: noon", "a.csv:6: wrong number of columns: 2 of 7"]
            ),
            (
                "b.jsonl", json, "9 lines: 5 with fixes, 1 blank, 3 that cannot be used",
                [
                    "b.jsonl:1: missing-field: lon: expected a number from -180 to 180, got nothing",
                    "b.jsonl:8: wrong-type: 2 fixes of the line, the first: lon: expected a number from -180 to 180, got \"x\"",
                    "b.jsonl:9: malformed-json: expected JSON, got a syntax error",
                ]
            ),
            (
                "c.log", recording,
                "8 lines: 5 with fixes, 1 with profiles, 1 of a gateway, passed over, 1 that cannot be used",
                ["c.log:2: unreadable-time: tst: expected a time", "got \"never\""]
            ),
            (
                "d.rec", rec,
                "6 lines: 1 with fixes, 1 with presence, 1 with nothing to use (1 waypoint), 1 blank, 2 that cannot be used",
                ["d.rec:4: missing-field: lon: expected a number", "d.rec:5: no line of a recorder"]
            ),
            (
                // A waypoint in the middle of the drive's time is no position of the vehicle.
                "w.gpx", gpx.map { $0.replacing("<trk>", with: "\(planned)<trk>") },
                "7 points: 5 with fixes, 2 waypoints or route points, not used", []
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
            let replay = try await ReplayEndToEndTests.replay(["--roads", roads, "--height", "4.0", trace], scratch)
            #expect(replay.status == 0)
            #expect(!replay.messages.isEmpty)
            for text in named + [account] { #expect(replay.errors.contains(text), "\(replay.errors)") }
        }
    }

    @Test("What the engine does not use of a trace is told with its reason and lines")
    func unused() async throws {
        let scratch = try Scratch()
        let roads = try await demoRoads(scratch)
        var fixes = Array(try DemoTruck().drive(from: ReplayEndToEndTests.start, noise: 0).prefix(6))
        fixes[2].accuracy = 3_000
        fixes[3].accuracy = 5_000
        fixes[5] = fixes[4]
        let trace = try scratch.write(Recording.jsonLines(fixes), to: "T42.jsonl")
        let replay = try await ReplayEndToEndTests.replay(["--roads", roads, "--height", "4.0", trace], scratch)
        #expect(replay.errors.contains("not used: 1 duplicate (line 6), 2 inaccurate (lines 3-4)"), "\(replay.errors)")
    }

    @Test("A fix that is years ahead of those around it is not used, and all that follow are")
    func aheadOfItsTime() async throws {
        let scratch = try Scratch()
        let roads = try await demoRoads(scratch)
        var fixes = Array(try DemoTruck().drive(from: ReplayEndToEndTests.start, noise: 0))
        let options = ["--roads", roads, "--height", "4.0", "--vehicle", "T42"]
        let clean = try scratch.write(Recording.jsonLines(fixes), to: "clean.jsonl")
        let expected = try await ReplayEndToEndTests.replay(options + [clean], scratch)
        var ahead = fixes[3]
        ahead.time = ahead.time.adding(14 * 365 * 86_400)
        fixes.insert(ahead, at: 3)
        let trace = try scratch.write(Recording.jsonLines(fixes), to: "ahead.jsonl")
        let replay = try await ReplayEndToEndTests.replay(options + [trace], scratch)
        #expect(replay.errors.contains("not used: 1 from-the-future (line 4)"), "\(replay.errors)")
        #expect(Self.alerts(replay.messages) == Self.alerts(expected.messages))
        #expect(!Self.alerts(expected.messages).isEmpty)
    }

    private static func alerts(_ messages: [[String: Any]]) -> [String] {
        messages.filter { ($0["topic"] as? String)?.hasSuffix("/alert") == true }
            .map { "\($0["id"] ?? "") \($0["stage"] ?? "")" }
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
        let replay = try await ReplayEndToEndTests.replay(["--roads", roads, "--height", "4", trace], scratch)
        #expect(replay.status == 1)
        #expect(replay.messages.isEmpty)
        #expect(replay.errors.contains(problem), "\(replay.errors)")
    }

    /// Named by what is wrong with it: one has 600,000 bytes.
    struct BrokenGPX: CustomTestStringConvertible {
        var content: [UInt8]
        var problem: String

        var testDescription: String { problem }
    }

    @Test(
        "A GPX file that no parser may trust fails with 1 and its line",
        arguments: [
            // Twelve bytes with an invalid one where an attribute begins.
            BrokenGPX(
                content: Array(#"<t l="" "#.utf8) + [0xFF] + Array(#"n=""#.utf8),
                problem: ":1: no GPX from here on: expected well-formed XML"),
            BrokenGPX(
                content: Array(
                    "<?xml version=\"1.0\"?>\n<!DOCTYPE gpx [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;\">]>\n<gpx>&b;</gpx>"
                        .utf8),
                problem: ":2: no GPX from here on: expected no document type declaration, got one"),
            BrokenGPX(
                content: Array(String(repeating: "<gpx>\n", count: 100_000).utf8),
                problem: ":100001: no GPX from here on: expected the end of the document's element"),
        ])
    func brokenGPX(_ broken: BrokenGPX) async throws {
        let scratch = try Scratch()
        let roads = try await demoRoads(scratch)
        let trace = scratch.path("drive.gpx")
        try Data(broken.content).write(to: URL(filePath: trace))
        let replay = try await ReplayEndToEndTests.replay(["--roads", roads, "--height", "4", trace], scratch)
        #expect(replay.status == 1)
        #expect(replay.errors.contains("drive.gpx" + broken.problem), "\(replay.errors)")
    }

    @Test("A GPX file in another encoding gives what the same in UTF-8 gives")
    func encodings() async throws {
        let scratch = try Scratch()
        let roads = try await demoRoads(scratch)
        let fixes = Array(try DemoTruck().drive(from: ReplayEndToEndTests.start, noise: 0).prefix(5))
        let gpx = Recording.gpx(fixes).replacing("test", with: "Überland")
        let encodings = [(String.Encoding.utf8, "UTF-8"), (.windowsCP1252, "windows-1252"), (.utf16, "UTF-16")]
        for (encoding, name) in encodings {
            let trace = scratch.path("drive.gpx")
            let content = try #require(gpx.replacing("UTF-8", with: name).data(using: encoding))
            try content.write(to: URL(filePath: trace))
            let replay = try await ReplayEndToEndTests.replay(["--roads", roads, "--height", "4", trace], scratch)
            #expect(replay.status == 0)
            #expect(replay.errors.contains("5 points: 5 with fixes\n"), "\(replay.errors)")
        }
    }

    @Test("One bad trace of several is named, the others are played as without it, and the exit status says so")
    func oneOfSeveral() async throws {
        let scratch = try Scratch()
        let roads = try await demoRoads(scratch)
        let fixes = Array(try DemoTruck().drive(from: ReplayEndToEndTests.start, noise: 0))
        let good = try scratch.write(Recording.gpx(fixes), to: "T42.gpx")
        let alone = try await ReplayEndToEndTests.replay(["--roads", roads, "--height", "13'6\"", good], scratch)
        #expect(alone.status == 0)
        let bad = try scratch.write("<gpx></gp>", to: "bad.gpx")
        for (path, status) in [(bad, Int32(1)), (scratch.path("missing.gpx"), 2)] {
            let both = try await ReplayEndToEndTests.replay(
                ["--roads", roads, "--height", "13'6\"", path, good], scratch)
            #expect(both.status == status)
            #expect(both.errors.contains(path), "\(both.errors)")
            #expect(NSArray(array: both.messages) == NSArray(array: alone.messages))
        }
        let none = try await ReplayEndToEndTests.replay(["--roads", roads, "--height", "4", bad, bad], scratch)
        #expect(none.status == 1)
        #expect(none.messages.isEmpty)
    }

    @Test("One bad trace of several is named, and the others are learned from as without it")
    func learning() async throws {
        let scratch = try Scratch()
        let roads = try await demoRoads(scratch)
        let fixes = Array(try DemoTruck().drive(from: ReplayEndToEndTests.start, noise: 0))
        let good = try scratch.write(Recording.gpx(fixes), to: "T42.gpx")
        let bad = try scratch.write("<gpx></gp>", to: "bad.gpx")
        let learn = ["learn", "--roads", roads, "--height", "13'6\"", "--vehicle", "T42", "--export"]
        let (alone, both) = (scratch.path("alone.csv"), scratch.path("both.csv"))
        #expect(try await run(Repository.program, learn + [alone, good], scratch).status == 0)
        let learned = try await run(Repository.program, learn + [both, bad, good], scratch)
        #expect(learned.status == 1 && learned.errors.contains(bad), "\(learned.errors)")
        let counts = try String(contentsOfFile: alone, encoding: .utf8)
        #expect(try String(contentsOfFile: both, encoding: .utf8) == counts)
        #expect(counts.split(separator: "\n").count > 1)
    }
}
