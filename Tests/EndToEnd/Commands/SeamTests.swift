import Fleet
import Foundation
import Messages
import Testing

/// Two road files of a map that was cut in two, beside the one of the whole.
struct SeamEndToEndTests {
    /// Every way on both sides, and the nodes of one side.
    private static func side(_ isHere: (Double) -> Bool) throws -> String {
        var lines: [Substring] = []
        var isLeftOut = false
        for line in try String(contentsOf: Repository.demo.appending(path: "ann-arbor.osm"), encoding: .utf8)
            .split(separator: "\n")
        {
            if line.contains("<node ") {
                let longitude = line.firstMatch(of: /lon="([^"]+)"/).flatMap { Double($0.1) }
                isLeftOut = !(longitude.map(isHere) ?? false)
            }
            if !isLeftOut { lines.append(line) }
            if line.contains("</node>") || line.contains("/>") && line.contains("<node ") { isLeftOut = false }
        }
        return lines.joined(separator: "\n")
    }

    private static func output(_ arguments: [String], _ scratch: Scratch) async throws -> [String] {
        let result = try await run(Repository.program, arguments, scratch)
        try #require(result.status == 0, "\(result.errors)")
        return result.output.split(separator: "\n").map(String.init).sorted()
    }

    @Test("Approaches, alerts and the gateway are the same with two road files as with one", .timeLimit(.minutes(6)))
    func seam() async throws {
        let scratch = try Scratch()
        let whole = try await demoRoads(scratch)
        var sides: [String] = []
        for (name, isHere) in [("west", { $0 < -83.7487 }), ("east", { $0 >= -83.7487 })]
            as [(String, (Double) -> Bool)]
        {
            let map = try scratch.write(try Self.side(isHere), to: "\(name).osm")
            _ = try await Self.output(["roads", "build", map, "-o", scratch.path("\(name).roads")], scratch)
            sides.append(scratch.path("\(name).roads"))
        }
        let both = sides.flatMap { ["--roads", $0] }
        let approaches = ["approaches", "--height", "4.12", "--format", "json"]
        let expected = try await Self.output(approaches + ["--roads", whole], scratch)
        #expect(try await Self.output(approaches + both, scratch) == expected)
        #expect(try await Self.output(approaches + ["--roads", sides[0]], scratch) != expected)

        let fixes = Array(try DemoTruck().drive(from: .init(milliseconds: 1_795_269_600_000)))
        let replay = [
            "replay", "--height", "13'6\"", "--margin", "3 in", "--vehicle", "T42",
            try scratch.write(Recording.jsonLines(fixes), to: "drive.jsonl"),
        ]
        let alerts = try await Self.output(replay + ["--roads", whole], scratch).filter { $0.contains("low-clearance") }
        #expect(!alerts.isEmpty)
        #expect(
            try await Self.output(replay + both, scratch).filter { $0.contains("low-clearance") }.count == alerts.count)

        let broker = try await BrokerProcess.started(scratch)
        let gateway = try GatewayProcess(scratch, broker: broker.url, roads: sides.joined(separator: ", "))
        try await gateway.start()
        let kept = try FileManager.default.contentsOfDirectory(atPath: scratch.path(".")).filter {
            $0.hasPrefix("gateway.sqlite-") && $0.hasSuffix(".roads")
        }
        #expect(kept.count == 1)
        let listener = try await broker.listener(["fleet/+/alert"])
        try await broker.publish("fleet/T42/profile", DemoTruck.profile, retain: true)
        let truck = try RushingTruck(broker, gateway)
        try await truck.report()
        try await truck.drive()
        try await eventually(within: .seconds(10), "stages: \(listener.heard.count)") {
            listener.heard("fleet/T42/alert").compactMap(\.alert?.stage) == DemoTruck.stages
        }
        // SIGHUP reads them again, and a file that is named twice is refused with its name.
        gateway.send(SIGHUP)
        try await eventually(within: .seconds(10), "not read again: \(gateway.errors.suffix(400))") {
            gateway.errors.contains("SIGHUP: read again")
        }
        try await gateway.stop()
        let twice = try await run(
            Repository.program, ["approaches", "--height", "4.12", "--roads", sides[0], "--roads", sides[0]], scratch)
        #expect(twice.status == 1 && twice.errors.contains("is the same road file as"))
    }
}
