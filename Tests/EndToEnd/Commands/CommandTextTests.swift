import Foundation
import Testing

/// What people see of commands, and what their shells do with them.
struct CommandTextEndToEndTests {
    @Test("Approaches as text: a heading for each clearance, no line wider than a terminal, every arrival told apart")
    func approaches() async throws {
        let scratch = try Scratch()
        let roads = try await demoRoads(scratch)
        for height in ["13'6\"", "4.11"] {
            let text = try await run(
                Repository.program, ["approaches", "--roads", roads, "--height", height], scratch)
            #expect(text.status == 0, "\(text.errors)")
            let lines = text.output.split(separator: "\n").map(String.init)
            #expect(lines.allSatisfy { $0.count <= 100 }, "\(text.output)")
            let headings = lines.filter { $0.contains("osm:way:1003") }
            #expect(headings.count == 1, "\(text.output)")
            let isMetric = height == "4.11"
            #expect(headings.allSatisfy { $0.contains(isMetric ? "3.20 m (posted 10'6\")" : "10'6\"") })
            let rows = lines.filter { $0.hasPrefix("  ") && !$0.hasPrefix("  arriving on") && !$0.hasPrefix("  with") }
            #expect(Set(rows).count == rows.count && !rows.isEmpty, "\(text.output)")
            let foreign = isMetric ? [" mi", " ft"] : [" m "]
            #expect(rows.allSatisfy { row in foreign.allSatisfy { !"\(row) ".contains($0) } }, "\(text.output)")
        }
    }

    @Test("Approaches whose shortest detour is shorter than the way under are marked, whichever detour is shown")
    func shorterWay() async throws {
        // By u and v 300 m, by x and y 1,500 m, under the bridge 1,100 m.
        let nodes: KeyValuePairs = [
            "s": (-1_000, 0), "j": (0, 0), "a": (0, -500), "b": (100, -500), "k": (100, 0), "e": (1_100, 0),
            "u": (0, 100), "v": (100, 100), "x": (0, 700), "y": (100, 700),
        ]
        let ways: KeyValuePairs = [
            "sja": "", "ab": "3.2", "bke": "", "ju": "", "uv": "below_default", "vk": "", "uxyv": "",
        ]
        let ids = Dictionary(uniqueKeysWithValues: nodes.enumerated().map { ($1.key, $0 + 1) })
        let points = nodes.map { name, place in
            let (latitude, longitude) = (42 + Double(place.1) / 111_100, -83 + Double(place.0) / 82_800)
            return #"<node id="\#(ids[name]!)" version="1" lat="\#(latitude)" lon="\#(longitude)"/>"#
        }
        let lines = ways.enumerated().map { number, way in
            let references = way.key.map { #"<nd ref="\#(ids[String($0)]!)"/>"# }.joined()
            let height = way.value.isEmpty ? "" : #"<tag k="maxheight" v="\#(way.value)"/>"#
            let tags = #"<tag k="highway" v="residential"/>"# + height
            return #"<way id="\#(number + 1)" version="1">\#(references)\#(tags)</way>"#
        }
        let map = "<osm version=\"0.6\">\((points + lines).joined(separator: "\n"))</osm>\n"
        let scratch = try Scratch()
        let file = try await roads(of: map, named: "shorter", scratch)
        let text = try await run(Repository.program, ["approaches", "--roads", file, "--height", "4.0"], scratch)
        #expect(text.status == 0, "\(text.errors)")
        let row = text.output.split(separator: "\n").first { $0.contains("+400 m") }
        #expect(row?.hasSuffix("  SM") == true, "\(text.output)")
        #expect(text.output.contains("S: the shortest detour is shorter than the way under the bridge"))
    }

    @Test("Replay reads standard input where it is named -, of any kind of trace, and once only")
    func standardInput() async throws {
        let scratch = try Scratch()
        let roads = try await demoRoads(scratch)
        let start = 1_795_269_600
        let lines = (0..<10).map { #"{"vehicle":"T42","lat":42.28,"lon":-83.75,"time":\#(start + $0)}"# }
        let csv = ["vehicle,lat,lon,time"] + (0..<10).map { "T42,42.28,-83.75,\(start + $0)" }
        for content in [lines, csv] {
            let file = try scratch.write(content.joined(separator: "\n"), to: "trace-\(content.count)")
            let command = "\(Repository.program) replay --roads \(roads) --height 4.0 - < \(file)"
            let piped = try await run("/bin/sh", ["-c", command], scratch)
            let named = try await run(
                Repository.program, ["replay", "--roads", roads, "--height", "4.0", file], scratch)
            #expect(piped.status == 0 && piped.output == named.output && !piped.output.isEmpty, "\(piped.errors)")
            #expect(piped.errors.contains("standard input"))
        }
        let twice = try await run(
            Repository.program, ["replay", "--roads", roads, "--height", "4.0", "-", "-"], scratch)
        #expect(twice.status == 2 && twice.errors.contains("once"))
        let help = try await run(Repository.program, ["replay", "--help"], scratch)
        #expect(help.output.contains("standard input"))
    }

    @Test(
        "A result that cannot be written ends with 1 and the reason; messages that cannot be written change nothing",
        arguments: [
            ("check-config --defaults > /dev/full", 1, "No space left on device"),
            ("check-config --defaults >&-", 1, "Bad file descriptor"),
            ("--help > /dev/full", 1, "No space left on device"),
            ("no-such-command 2> /dev/full", 2, nil), ("no-such-command 2>&-", 2, nil),
        ] as [(String, Int32, String?)])
    func unwritable(command: String, status: Int32, reason: String?) async throws {
        let result = try await run("/bin/sh", ["-c", "\(Repository.program) \(command)"], try Scratch())
        let told = reason.map { "headroom: cannot write standard output: \($0)\n" } ?? ""
        #expect(result.status == status && result.errors == told, "\(result)")
    }

    @Test("A command that ignores SIGPIPE ends without a word once nobody reads its result")
    func readerGone() async throws {
        let scratch = try Scratch()
        let file = try scratch.write("broker: {url: \"mqtt://127.0.0.1:\(try LoopbackPort.free())\"}\n", to: "a.yaml")
        let doctor = "\(Repository.program) doctor --config \(file) --listen '0 s'"
        let result = try await run("/bin/sh", ["-c", "{ \(doctor); echo $? >&2; } | true"], scratch)
        #expect(result.errors == "141\n", "\(result)")
    }

    @Test("Shells complete commands, options and files", arguments: ["bash", "zsh", "fish"])
    func completion(shell: String) async throws {
        let scratch = try Scratch()
        let script = try await run(Repository.program, ["--generate-completion-script", shell], scratch)
        #expect(script.status == 0 && script.output.contains("approaches"), "\(script.errors)")
        let file = try scratch.write(script.output, to: "completion")
        guard FileManager.default.isExecutableFile(atPath: "/bin/\(shell)") else { return }
        let checked = try await run("/bin/\(shell)", ["-n", file], scratch)
        #expect(checked.status == 0, "\(checked.errors)")
    }

    @Test("What compare-tracking says it plays is what its table shows")
    func compareTracking() async throws {
        let scratch = try Scratch()
        let roads = try await demoRoads(scratch)
        let help = try await run(Repository.program, ["compare-tracking", "--help"], scratch)
        let json = try await run(
            Repository.program,
            ["compare-tracking", "--roads", roads, "--height", "4.0", "--trips", "1", "--format", "json"], scratch)
        let sum = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        let strategies = try #require(sum?["strategies"] as? [[String: Any]])
        #expect(strategies.allSatisfy { help.output.contains($0["strategy"] as? String ?? "?") })
        #expect(!help.output.contains("four ways"), "the truth is a row, too, and intervals may be several")
        let members = Set(strategies.flatMap(\.keys)).union((strategies[0]["alerts"] as? [String: Any] ?? [:]).keys)
        #expect(members.allSatisfy { help.output.contains($0) }, "\(members)")
        #expect(Set(sum?.keys ?? [:].keys).allSatisfy { help.output.contains($0) })
    }

    @Test("check-config warns of ids that would merge, with the place, and finds the file valid all the same")
    func warning() async throws {
        let scratch = try Scratch()
        let file = try scratch.write(
            "fleet:\n  inputs:\n    - {layout: owntracks, topic: \"owntracks/{user}/{v}\"}\n", to: "headroom.yaml")
        let checked = try await run(Repository.program, ["check-config", file], scratch)
        #expect(checked.status == 0 && checked.output.contains("is valid"))
        #expect(checked.errors.contains("headroom.yaml:3:") && checked.errors.contains("{user} is not part of"))
    }

    @Test(
        "check-config refuses files that serve refuses",
        arguments: [
            ("roads: [FILE]", "roads: "), ("fences: [FILE]", "fences: "), ("clearances: [FILE]", "clearances: "),
            ("console: {tokens_file: FILE}", ":1: expected"),
        ])
    func files(setting: String, told: String) async throws {
        let scratch = try Scratch()
        let named = try scratch.write("not what is expected here\n", to: "named")
        let file = try scratch.write(setting.replacing("FILE", with: named), to: "headroom.yaml")
        let checked = try await run(Repository.program, ["check-config", file], scratch)
        #expect(checked.status == 2 && checked.output.isEmpty, "\(checked)")
        #expect(checked.errors.contains(told) && checked.errors.contains(named), "\(checked.errors)")
    }

    @Test("NBI rows that limit no road are counted apart from rejected ones, and those by reason")
    func nbi() async throws {
        let scratch = try Scratch()
        let header =
            "STATE_CODE_001,STRUCTURE_NUMBER_008,RECORD_TYPE_005A,FEATURES_DESC_006A,FACILITY_CARRIED_007,"
            + "MIN_VERT_CLR_010,LAT_016,LONG_017,VERT_CLR_OVER_MT_053,VERT_CLR_UND_REF_054A,VERT_CLR_UND_054B,"
            + "DATE_OF_INSPECT_090"
        let blank = String(repeating: " ", count: 127)
        let file = try scratch.write(
            """
            \(header)
            54,A,1,'X','Y',99.99,39170600,079540600,99.99,N,0,1009
            54,B,1,'X','Y',99.99,\(blank)0,99.99,N,0,1009
            54,C,1,'X','Y',99.99,\(blank)0,4.2,N,0,1009
            54,D,1,'X','Y',4.2,39170600,079540600,99.99,N,0,1009
            """, to: "nbi.csv")
        let result = try await run(
            Repository.program, ["clearances", "convert", file, "-o", scratch.path("out.geojson")], scratch)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.contains("Clearances       1\n") && result.errors.contains("No clearance     1,"))
        #expect(result.errors.contains("Rejected         2\n  2 × wrong number of columns"))
    }
}
