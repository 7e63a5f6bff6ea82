import Fleet
import Foundation
import Geo
import Messages
import Testing
import Wire

/// The commands that need no broker.
struct CommandLineEndToEndTests {
    private static let recordingStart = Timestamp(milliseconds: 1_795_269_600_000)

    @Test("roads build makes a file that roads check finds sound, and reports what was read")
    func roads() async throws {
        let scratch = try Scratch()
        let file = scratch.path("ann-arbor.roads")
        let report = scratch.path("report.json")
        let build = try await run(
            Repository.program,
            ["roads", "build", Repository.demoMap, "-o", file, "--report", report, "--format", "json"], scratch)
        #expect(build.status == 0, "\(build.errors)")
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: report)))
        let members = try #require(object as? [String: Any])
        #expect(members["drivableWays"] as? Int ?? 0 > 20)
        let printed = try JSONSerialization.jsonObject(with: Data(build.output.utf8)) as? [String: Any]
        #expect(printed?["drivableWays"] as? Int == members["drivableWays"] as? Int)
        let check = try await run(Repository.program, ["roads", "check", file], scratch)
        #expect(check.status == 0, "\(check.errors)")
        #expect(check.output.contains("sound"))
    }

    @Test("roads build of a damaged map fails with 1 and leaves no file of that name, nor half of one")
    func damagedMap() async throws {
        let scratch = try Scratch()
        let whole = try String(contentsOfFile: Repository.demoMap, encoding: .utf8)
        let map = try scratch.write(String(whole.prefix(whole.count / 2)), to: "half.osm")
        let file = scratch.path("half.roads")
        let build = try await run(Repository.program, ["roads", "build", map, "-o", file], scratch)
        #expect(build.status == 1)
        #expect(build.errors.contains("half.osm"))
        let left = try FileManager.default.contentsOfDirectory(atPath: scratch.directory.path())
        #expect(left.filter { $0.hasPrefix("half.roads") } == [])
    }

    @Test("roads check refuses a file with a single wrong byte, and one that is no road file")
    func damagedRoads() async throws {
        let scratch = try Scratch()
        let file = try await demoRoads(scratch)
        var bytes = try Data(contentsOf: URL(filePath: file))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(filePath: file))
        let check = try await run(Repository.program, ["roads", "check", file], scratch)
        #expect(check.status == 1)
        #expect(check.errors.contains("damaged"))
        let foreign = try await run(Repository.program, ["roads", "check", Repository.demoMap], scratch)
        #expect(foreign.status == 1)
        #expect(foreign.errors.contains("expected a road file"))
    }

    @Test("What a command writes replaces none of what it reads, nor another of its files")
    func outputs() async throws {
        let scratch = try Scratch()
        let map = try scratch.write(String(contentsOfFile: Repository.demoMap, encoding: .utf8), to: "a.osm")
        let survey = try scratch.write("lat,lon,clearance\n42.28,-83.74,3\n", to: "survey.csv")
        let configuration = try scratch.write("", to: "headroom.yaml")
        let roads = scratch.path("a.roads")
        let wrong = [
            ["roads", "build", map, "-o", map], ["roads", "build", map, "-o", roads, "--report", roads],
            ["clearances", "convert", survey, "-o", survey],
            ["clearances", "convert", survey, "-o", scratch.path("x.geojson"), "--rejects", survey],
        ]
        for arguments in wrong {
            let result = try await run(Repository.program, arguments, scratch)
            #expect(result.status == 2, "\(arguments)")
            #expect(result.errors.contains("name another one"), "\(result.errors)")
        }
        #expect(try String(contentsOfFile: map, encoding: .utf8).contains("<osm"))
        #expect(try String(contentsOfFile: survey, encoding: .utf8).hasPrefix("lat"))
        let devices = ["clearances", "convert", survey, "-o", "/dev/null", "--rejects", "/dev/null"]
        #expect(try await run(Repository.program, devices, scratch).status == 0)
        let same = ["store", "move", "--from", configuration, "--to", configuration]
        let move = try await run(Repository.program, same, scratch)
        #expect(move.status == 2)
        #expect(move.errors.contains("are the same store"), "\(move.errors)")
    }

    @Test("A margin of metres where inches were meant is refused by its name")
    func margin() async throws {
        let scratch = try Scratch()
        let arguments = ["approaches", "--roads", "a.roads", "--height", "4.0", "--margin", "3"]
        let result = try await run(Repository.program, arguments, scratch)
        #expect(result.status == 2)
        #expect(result.errors.contains("Expected --margin from 0 m to 1 m, got 3"), "\(result.errors)")
    }

    @Test("A file that outgrows the limit of the shell is an error, and nothing of it is left")
    func fileSizeLimit() async throws {
        let scratch = try Scratch()
        let file = scratch.path("small.roads")
        let command = "ulimit -f 4; '\(Repository.program)' roads build '\(Repository.demoMap)' -o '\(file)'"
        let build = try await run("/bin/bash", ["-c", command], scratch)
        #expect(build.status == 1, "\(build.errors)")
        #expect(build.errors.contains("small.roads"), "\(build.errors)")
        let left = try FileManager.default.contentsOfDirectory(atPath: scratch.directory.path())
        #expect(left.filter { $0.hasPrefix("small.roads") } == [])
    }

    @Test("evaluate of every detour says so where there is none")
    func noDetours() async throws {
        let scratch = try Scratch()
        let arguments = ["evaluate", "--roads", try await demoRoads(scratch), "--height", "2.0", "--trips", "detours"]
        let result = try await run(Repository.program, arguments, scratch)
        #expect(result.status == 1)
        #expect(result.errors.contains("no low clearance on these roads has a detour for a vehicle of 2.0 m"))
    }

    @Test("approaches prints one JSON object a line with the contract's members, and text for people")
    func approaches() async throws {
        let scratch = try Scratch()
        let file = try await demoRoads(scratch)
        let arguments = ["approaches", "--roads", file, "--height", "13'6\""]
        let json = try await run(Repository.program, arguments + ["--format", "json"], scratch)
        #expect(json.status == 0, "\(json.errors)")
        let lines = try json.output.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(!lines.isEmpty)
        for line in lines {
            #expect(Set(["clearance", "entry", "public", "detour", "alert"]).isSubset(of: line.keys))
            let (clearance, detour) = (line["clearance"] as? [String: Any], line["detour"] as? [String: Any])
            #expect(clearance?["height"] != nil && (detour == nil || detour?["turn_onto"] != nil))
        }
        let bridge = lines.first { ($0["clearance"] as? [String: Any])?["id"] as? String == "osm:way:1003" }
        #expect((bridge?["clearance"] as? [String: Any])?["height"] as? Double == 3.2)
        let text = try await run(Repository.program, arguments, scratch)
        #expect(text.status == 0)
        #expect(text.output.contains("  10'6\"  osm:way:1003"))
        let fits = try await run(
            Repository.program, ["approaches", "--roads", file, "--height", "3.2", "--format", "json"], scratch)
        #expect(fits.status == 0)
        #expect(!fits.output.contains("osm:way:1003"), "3.20 m fits under 3.20 m")
    }

    @Test("replay --explain-at says why a truck was told, in words and as JSON, and refuses a moment without a fix")
    func explain() async throws {
        let scratch = try Scratch()
        let roads = try await demoRoads(scratch)
        let trace = try scratch.write(
            Recording.jsonLines(Array(try DemoTruck().drive(from: Self.recordingStart, noise: 0))), to: "T42.jsonl")
        func explained(
            at moment: String, _ more: String...
        ) async throws -> (status: Int32?, output: String, errors: String, ending: ChildProcess.Ending) {
            try await run(
                Repository.program,
                ["replay", "--roads", roads, "--height", "13'6\"", "--explain-at", moment] + more + [trace], scratch)
        }
        let words = try await explained(at: "+40")
        #expect(words.status == 0, "\(words.errors)")
        #expect(words.output.contains("10'6\""))
        let json = try await explained(at: "+40", "--format", "json")
        let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        let clearances = try #require(object?["clearances"] as? [[String: Any]])
        let hazards = clearances.flatMap { $0["hazards"] as? [[String: Any]] ?? [] }
        #expect(hazards.contains { $0["rule"] as? String == "on-path" && $0["is_due"] as? Bool == true })
        #expect(try await explained(at: "+9000").status == 1)
        #expect(try await explained(at: "noon").status == 2)
    }

    @Test(
        "A file to read that is not there, or is a directory, ends every command with 2 and says which and why",
        arguments: [
            "roads build FILE -o out.roads", "roads check FILE", "approaches --roads FILE --height 4",
            "evaluate --roads FILE --height 4", "compare-tracking --roads FILE --height 4",
            "evaluate --roads ROADS --height 4 --trips FILE", "replay --roads FILE --height 4 TRACE",
            "replay --roads ROADS --height 4 FILE", "learn --roads ROADS --height 4 --export out.csv FILE",
            "learn --import FILE --export out.csv", "clearances convert FILE -o out.geojson", "check-config FILE",
            "visits --store FILE", "track --store FILE T1", "report --store FILE",
            "store move --from FILE --to new.sqlite", "simulate --routes FILE", "simulate --trucks 1 --roads FILE",
        ])
    func unopenedFile(command: String) async throws {
        let scratch = try Scratch()
        let roads = try await demoRoads(scratch)
        let trace = try scratch.write("", to: "T42.jsonl")
        try FileManager.default.createDirectory(atPath: scratch.path("folder"), withIntermediateDirectories: false)
        let reasons = ["nowhere": ["No such file", "there is no"], "folder": ["a directory", "the directory"]]
        for (name, reasons) in reasons {
            let arguments = command.split(separator: " ").map { word in
                switch word {
                case "FILE": scratch.path(name)
                case "ROADS": roads
                case "TRACE": trace
                case _ where word.hasPrefix("out.") || word.hasPrefix("new."): scratch.path(String(word))
                default: String(word)
                }
            }
            let result = try await run(Repository.program, arguments, scratch)
            #expect(result.status == 2 && result.output.isEmpty, "\(arguments): \(result)")
            #expect(result.errors.contains(scratch.path(name)) && reasons.contains(where: result.errors.contains))
        }
    }

    @Test("learn makes a store that is not there, with all its parts, where there is something to keep in it")
    func learnsWithoutStore() async throws {
        let scratch = try Scratch()
        let configuration = try scratch.write("store: a.sqlite\nengine: {shards: 3}\n", to: "headroom.yaml")
        let rows = "place,clearance,passes,besides\n1f,0,8,0\n1f,2,3,1\n"
        let counts = try scratch.write(rows, to: "counts.csv")
        func learn(_ arguments: String...) async throws -> (status: Int32?, errors: String) {
            let command = ["learn", "--config", configuration] + arguments
            let result = try await run(Repository.program, command, scratch)
            return (result.status, result.errors)
        }
        let refused = try await learn("--export", scratch.path("all.csv"))
        #expect(refused.status == 2 && refused.errors.contains("there is no store"), "\(refused)")
        #expect(!FileManager.default.fileExists(atPath: scratch.path("a.sqlite")))
        #expect(!FileManager.default.fileExists(atPath: scratch.path("all.csv")))

        let imported = try await learn("--import", counts)
        #expect(imported.status == 0, "\(imported)")
        for part in ["a.sqlite", "a.1.sqlite", "a.2.sqlite"] {
            #expect(FileManager.default.fileExists(atPath: scratch.path(part)))
        }
        let exported = try await learn("--export", scratch.path("all.csv"))
        #expect(exported.status == 0, "\(exported)")
        #expect(try String(contentsOfFile: scratch.path("all.csv"), encoding: .utf8) == rows)
    }

    @Test(
        "Bad usage ends with 2 and an error message",
        arguments: [
            ["roads", "build", "nowhere.osm", "-o", "out.roads"], ["approaches", "--roads", "x.roads"],
            ["approaches", "--roads", "x.roads", "--height", "tall"], ["simulate"],
            ["serve", "--config", "nowhere.yaml"],
            ["no-such-command"],
        ])
    func badUsage(_ arguments: [String]) async throws {
        let scratch = try Scratch()
        let result = try await run(Repository.program, arguments, scratch)
        #expect(result.status == 2)
        #expect(result.output.isEmpty)
        #expect(!result.errors.isEmpty)
    }
}
